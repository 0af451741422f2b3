// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell's
import { describe, expect, test } from "vitest";
import { shows } from "../../../test/support/shows.ts";
import { judge } from "./rules.ts";

const DENY = { allow: null, deny: ["git push", "rm -rf /", "sudo", "npm publish", "curl"] };
const denies = (cmd: string | readonly string[]) => judge(cmd, DENY).kind;

describe("WRK-7.2 a denied command is found wherever it stands", () => {
  test.each([
    "git push",
    "git  push",
    "\tgit\t push",
    "git push origin main",
    "/usr/bin/git push",
    "./git push",
    "GIT push",
    "git-push",
    "'git' push",
    '"git" "push"',
    "g'i't pu\\sh",
    "\\git push",
    "git \\\n push",
    "git -C dir push",
    "git --git-dir=x -c a.b=c push",
    "git --no-pager push",
    "X=1 git push",
    "X=$(date) Y= git push",
    "env X=1 git push",
    "env -i -u HOME X=1 git push",
    "/usr/bin/env git push",
    'env -S "git push"',
    "command git push",
    "command -p git push",
    "exec git push",
    "exec -a x git push",
    "nohup git push &",
    "setsid git push",
    "nice -n 10 git push",
    "nice -10 git push",
    "time git push",
    "time -p git push",
    "timeout 10 git push",
    "timeout -k 5 -s KILL 10 git push",
    "stdbuf -oL git push",
    "xargs git push",
    "echo x | xargs -n 1 -I {} git push {}",
    "flock /tmp/l git push",
    "flock /tmp/l -c 'git push'",
    "script -qc 'git push' /dev/null",
    "busybox sh -c 'git push'",
    'sh -c "git push"',
    "sh -ec 'git push'",
    "bash -o pipefail -c 'git push'",
    "bash -lc 'cd x && git push'",
    "/bin/sh -c 'sh -c \"git push\"'",
    'eval "git push"',
    "eval git push",
    "eval 'git pu''sh'",
    "trap 'git push' EXIT",
    "true && git push",
    "false || git push",
    "a; git push",
    "a & git push",
    "a | git push",
    "a |& git push",
    "a\ngit push",
    "a # b\ngit push",
    "(git push)",
    "( (git push) )",
    "((git push))",
    "{ git push; }",
    "! git push",
    "if true; then git push; fi",
    "if git push; then :; fi",
    "if a; then b; elif c; then d; else git push; fi",
    "while git push; do :; done",
    "until a; do git push; done",
    "for x in a b; do git push; done",
    "for x in $(git push); do :; done",
    "for ((i = 0; i < 3; i++)); do git push; done",
    "case x in a) b ;; *) git push ;; esac",
    "case x in (a|b) git push; esac",
    "case $(git push) in esac",
    "f() { git push; }",
    "f() ( git push )",
    "function f { git push; }",
    "git() { :; }; git push",
    "echo $(git push)",
    "echo `git push`",
    'echo "$(git push)"',
    'echo "`git push`"',
    'echo "a $(echo "b $(git push)")"',
    "echo ${x:-$(git push)}",
    'echo "${x:-`git push`}"',
    "echo $((1 + $(git push)))",
    "x=$(git push)",
    "cat <(git push)",
    "tee >(git push)",
    "git push > log 2>&1",
    "> log git push",
    "2>&1 git push",
    "git push <<< x",
    "cat > $(git push)",
    "[[ -f a && -f b ]] && git push",
    "[[ a && git push ]]",
    "cat <<E\n$(git push)\nE",
    "cat <<-E\n\t`git push`\n\tE\n",
    "cat <<E; git push\nx\nE",
    "cat <<E\nx\nE\ngit push",
    "cat <<'E'\nx\nE\ngit push",
    "sh <<E\ngit push\nE",
    "bash -s <<'E'\ngit push\nE",
    "sh <<< 'git push'",
    "find . -name x -exec git push {} ';'",
    "find . -execdir sh -c 'git push' \\;",
    "git submodule foreach git push",
    "git submodule foreach --recursive 'git push'",
    "git bisect run git push",
    "git rebase -x 'git push' main",
    "git rebase --exec='git push' main",
    "rm -rf /",
    "rm -r -f /",
    "rm -fr /",
    "rm -rfv /",
    "rm / -rf",
    "sudo ls",
    "sudo -u jo git status",
    "env sudo ls",
    "npm --silent publish",
    "npm publish --tag next",
    "curl",
    "curl x | sh",
    "while read -r line; do curl $line; done < file",
    "echo a\\\n; git push",
    "echo 'a\nb'; git push",
    "echo \\'; git push",
    "echo '\\'; git push",
    "echo a#b; git push",
    'echo "\\`"; git push',
    "echo ${a#'}'}; git push",
    "watch git push",
    "watch -n 1 'git push'",
  ])("%j", (text) => {
    expect(denies(text)).toBe("refuse");
    shows("WRK-7.2", 3);
  });

  test.each([
    [["git", "push"]],
    [["/usr/bin/git", "-C", "x", "push"]],
    [["sh", "-c", "git push"]],
    [["env", "X=1", "git", "push"]],
    [["rm", "-rf", "/"]],
  ])("in a list too: %j", (list) => {
    expect(denies(list)).toBe("refuse");
  });
});

describe("what cannot be told is never let through", () => {
  test.each([
    "$CMD push",
    "git $SUB",
    'git "$@"',
    "git $(echo push)",
    "git `echo push`",
    "git pu*",
    "git {push,}",
    "git $'push'",
    '"$(which git)" push',
    "`which git` push",
    "echo push | xargs git",
    "find . -exec git {} \\;",
    'sh -c "$X"',
    'eval "$X"',
    "sh",
    "echo git push | sh",
    "curl_it | bash -s",
    "sh <<E\n$X\nE",
    "xargs sh",
    "alias g=git; g push",
    "git -c alias.p=push p",
    "git -calias.p='!x' p",
    "git -c core.pager=x log",
    'rm -rf "$DIR"',
    "rm $FLAGS /",
    'env -S "$X"',
    'trap "$X" EXIT',
    "coproc git push",
    "a=(git push)",
    "echo 'a",
    'echo "a',
    "echo `a",
    "echo $(a",
    "echo ${a",
    "(a",
    "a)",
    "{ a",
    "a }; }",
    "if a; then b",
    "fi",
    "for x in a; do b",
    "case x in a) b",
    "a && && b ;;",
    "a >",
    "<<",
    "a \\",
    "((a) ",
    "$".repeat(3) + "(".repeat(500),
  ])("%j", (text) => {
    expect(denies(text)).toBe("ask");
  });
});

describe("other commands run", () => {
  test.each([
    "git status",
    "git commit -m push",
    'git commit -m "git push"',
    'git commit -m "$MSG"',
    'git -C "$DIR" commit -m x',
    "git log --grep push",
    "git stash push-x",
    "git pushx",
    "echo git push",
    "echo 'git push; $(git push)'",
    "grep -r 'git push' .",
    "echo \\$\\(git push\\)",
    "cat <<'E'\n$(git push)\ngit push\nE",
    "cat <<E\ngit push\nE",
    "# git push",
    "echo a # ; git push",
    "rm -r /tmp/x",
    "rm -rf ./x",
    "command -v git push",
    "npm run build -- publish",
    "./push.sh",
    "sh build.sh",
    "sh -x build.sh git push",
    "make -j4 2>&1 | tail -20",
    'for f in *.ts; do wc -l "$f"; done',
    "x=push; echo $x",
    "test -f a && cat a || true",
    "python3 -c 'print(1)'",
    "trap - EXIT",
    "cd x && npm ci && npm test",
    "echo $((1 + (2 * 3)))",
    "echo ${#x} ${x%.*} ${x/a/b} $# $? $$",
    "printf '%s\\n' \"it's\"",
    "case $x in a|b) ls ;; *) pwd ;; esac",
    "while read -r l; do echo $l; done <<E\na\nE",
    "",
    "\n\n",
  ])("%j", (text) => {
    expect(denies(text)).toBe("run");
  });

  test("without rules nothing is looked at", () => {
    expect(judge("echo 'a", { allow: null, deny: [] })).toEqual({ kind: "run" });
  });
});

describe("with a list of what is allowed nothing else runs", () => {
  const allow = (cmd: string | readonly string[]) =>
    judge(cmd, { allow: ["git status", "git diff", "npm run *", "ls", "find"], deny: ["npm run deploy"] }).kind;

  test.each([
    "git status",
    "git status --short",
    "/usr/bin/git diff HEAD",
    "cd src && git status | ls",
    "env CI=1 git status",
    "CI=1 npm run test",
    "timeout 5 npm run build:all",
    "sh -c 'git status && ls'",
    "if git diff --quiet; then echo same; fi",
    "find . -name '*.ts'",
    'ls "$DIR"',
    "find . -exec ls {} +",
  ])("%j runs", (text) => {
    expect(allow(text)).toBe("run");
  });

  test.each([
    "git log",
    "git",
    "git --git-dir=x status",
    "./git status",
    "/tmp/git status",
    "npm run deploy",
    "npm install",
    "git status; rm x",
    "echo $(rm x)",
    "sudo git status",
    "sh script.sh",
    ". script.sh",
    "PATH=/tmp git status",
    "LD_PRELOAD=x.so ls",
    "GIT_EXTERNAL_DIFF=x git diff",
    "export PATH=/tmp; ls",
    "find . -exec rm {} +",
    "f() { rm x; }; f",
    "(git() { :; }); git push",
    "parallel",
    "script",
  ])("%j is refused", (text) => {
    expect(allow(text)).toBe("refuse");
  });

  test.each(["git $X", "$X status", "git status; $X", "npm run 'a", "env git -c alias.status=x status"])(
    "%j is not let through",
    (text) => {
      expect(allow(text)).not.toBe("run");
    },
  );
});

test("why is said, with the rule and the command", () => {
  expect(judge("echo a; env X=1 git push origin", DENY)).toEqual({
    kind: "refuse",
    why: 'git push origin is denied by the rule "git push"',
  });
  expect(judge("echo 'a", DENY)).toEqual({
    kind: "ask",
    why: "it cannot be read: a quote that begins before character 7 has no end",
  });
});
