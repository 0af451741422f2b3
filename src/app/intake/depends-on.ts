/** Numbers of issues that a text says it depends on: `Depends on #12`, `blocked by #12, #13 and #14`. Not its own. */
export function dependsOn(text: string, own: number): readonly number[] {
  const found = [...withoutCode(text).matchAll(CLAUSE)].flatMap(([, list]) => list!.match(/\d+/g)!.map(Number));
  return [...new Set(found)].filter((number) => number !== own);
}

const CLAUSE =
  /\b(?:depends[ -]on|blocked[ -]by):?[ \t]+(#\d+(?:(?:[ \t]*,[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+)#\d+)*)/gi;

const withoutCode = (text: string): string =>
  text.replace(/^(```|~~~).*\n[\s\S]*?^\1.*$/gm, "").replace(/`[^`\n]*`/g, "");
