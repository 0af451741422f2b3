/** What a program is called, wherever it lies: `/usr/bin/git`, `GIT.exe`, `git`. Some machines do not tell case apart. */
export const programOf = (path: string): string =>
  path
    .split(/[/\\]/)
    .at(-1)!
    .toLowerCase()
    .replace(/\.exe$/, "");
