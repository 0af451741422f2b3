#!/bin/sh
# A worker that takes part in the whole protocol with nothing but sh and pawl: a plan, the owner's GO, work, a report, NEXT.
# It may be ended at any time and started again (PAWL_RESUME=1): what was submitted before only prints its answer again.
#
#   agents: {implementer: {command: examples/worker.sh}}
#
# Its work is a note of two lines. It makes two mistakes on purpose, so that FEEDBACK and FIX are seen too.
set -eu

note="notes/$PAWL_TASK.md"
suites=$(sed -n '/"regression"/,/]/s/.*"name": "\(.*\)",*$/\1/p' "$PAWL_ASSIGNMENT")
criteria=$(sed -n 's/.*"id": "\(AC-[^"]*\)".*/\1/p' "$PAWL_ASSIGNMENT")

# Prints the answer; 0 for GO and NEXT, 1 where something has to become otherwise. Without an answer: 5, and a later leg goes on.
submit() {
  code=0
  pawl submit "$@" || code=$?
  [ "$code" -le 1 ] || exit "$code"
  # BLOCKED, or the third no: the verdict is written already
  [ ! -e "$PAWL_RUN_DIR/verdict.json" ] || exit 0
  return "$code"
}

# One row of JSON for each line of $1: $2, with the line for %s, joined by commas.
rows() {
  printf '%s\n' "$1" | {
    comma=""
    while IFS= read -r each; do
      [ -z "$each" ] || printf "$comma$2" "$each"
      comma=","
    done
  }
}

# How often the owner said so: what is handed in next, also by a later leg. The same is handed in once only, so that this
# number in it tells what is made anew from what was there before.
sent_back() { # $1: FEEDBACK or FIX
  find "$PAWL_RUN_DIR/inbox" -name "*-$1.json" 2>/dev/null | wc -l | tr -d ' '
}

plan() { # $1: FEEDBACKs so far. The first mistake: no test is named
  test="the note is there"
  [ "$1" -gt 0 ] || test=""
  cat > "$PAWL_RUN_DIR/my-plan.json" <<EOF
{"plan": {"approach": "write a note (plan $1)",
  "ac_mapping": [$(rows "$criteria" "{\"ac\":\"%s\",\"implementation\":\"a note\",\"file\":\"$note\",\"test\":\"$test\"}")],
  "files": [{"path": "$note", "changes": ["new"]}],
  "tests": [{"name": "the note is there", "kind": "manual", "text": ""}]}}
EOF
}

report() { # $1: FIXes so far. The second mistake: its evidence is a blank line, as the one that shows it is not written yet
  if [ "$1" -gt 0 ]; then
    grep -q "^done:" "$note" || echo "done: $PAWL_TASK" >> "$note"
    commit "Finish the note on $PAWL_TASK"
  fi
  line=$(sed -n '/^done:/=' "$note")
  cat > "$PAWL_RUN_DIR/my-report.json" <<EOF
{"report": {"notes": ["report $1"],
  "ac_verification": [$(rows "$criteria" "{\"ac\":\"%s\",\"status\":\"PASS\",\"evidence\":[{\"file\":\"$note\",\"line\":${line:-2}}]}")],
  "test_results": [$(rows "$suites" "{\"test\":\"%s\",\"result\":\"PASS\"}")],
  "files_changed": [{"path": "$note", "change": "created"}]}}
EOF
}

commit() { # $1: what was done
  git add "$note"
  git diff --cached --quiet || git commit -qm "$1"
}

pawl progress --status researching
until plan "$(sent_back FEEDBACK)" && submit plan "$PAWL_RUN_DIR/my-plan.json"; do :; done

pawl progress --status implementing --percent 40 --activity "writing $note"
mkdir -p notes
[ -e "$note" ] || printf '# %s\n\n' "$PAWL_TASK" > "$note"
commit "Begin the note on $PAWL_TASK"

pawl progress --status testing --percent 80
until report "$(sent_back FIX)" && submit report "$PAWL_RUN_DIR/my-report.json"; do :; done

pawl verdict pass
