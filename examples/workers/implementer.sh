#!/bin/sh
# A worker of Pawl that is a shell script. Copy it, and call your own agent where a prepared change is applied here.
#
# It is started in a git worktree of its own, on the task's branch, and it finds in its environment
#   PAWL_PROMPT      a file: role, task, open findings, constraints. Give it to an agent as it is.
#   PAWL_ASSIGNMENT  the same as JSON: criteria, authorized files, findings
#   PAWL_TASK  PAWL_PHASE  PAWL_ROUND  PAWL_BASE  PAWL_RUN_DIR  PAWL_LEG
# and `pawl` on its path. What it leaves uncommitted inside the authorized files is committed for it. It never pushes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

# The demo counts at the far end, and not in Pawl's own books: each worker that starts signs its name.
if [ -n "${STARTS:-}" ]; then echo "$PAWL_LEG" >>"$STARTS"; fi

say() { pawl progress --status "$1" --percent "$2" --activity "$3"; }
give_up() {
  pawl verdict fail -m "$1"
  exit 0 # the verdict is what counts; without one this would be a crash
}

# A merge conflict sends the task to the phase `resolve`, with the same role.
if [ "$PAWL_PHASE" = resolve ]; then exec node "$here/resolver.mjs"; fi

say researching 10 "reading the task"
change=$here/prepared/$PAWL_TASK.patch
# What a review or a check found is in the prompt, and is why the task is here again.
again=$here/prepared/$PAWL_TASK.again.patch
if [ -f "$again" ] && grep -q '^## Open findings' "$PAWL_PROMPT"; then change=$again; fi
sleep 0.5

# ---- your agent goes here, for instance:  claude -p <"$PAWL_PROMPT"  or  codex exec - <"$PAWL_PROMPT"
say implementing 40 "changing $(sed -n 's|^+++ b/||p' "$change" | head -n 1)"
git apply --index "$change" || git apply --reverse --check "$change" || give_up "$(basename "$change") does not fit"
sleep 0.6
# ----

say testing 75 "running the tests of what changed"
tests=$(git diff --cached --name-only HEAD -- 'test/*.test.js')
for file in $(git diff --cached --name-only HEAD -- 'src/*.js'); do
  of=test/$(basename "$file" .js).test.js
  if [ -f "$of" ]; then tests="$tests $of"; fi
done
# shellcheck disable=SC2086 # a list of files
if [ -n "$tests" ]; then node --test $tests || give_up "the tests fail: $tests"; fi

git diff --cached --quiet HEAD || git commit --quiet -m "$PAWL_TASK: $(sed -n 's/^# Task [^:]*: //p' "$PAWL_PROMPT" | head -n 1)"
pawl verdict pass
