/** What closes an action and says nothing: tags, special tokens, fences, a full stop. */
export const isMarks = (text: string): boolean => /^[.\u3002;]?$/.test(text.replace(MARKS, ""));
const MARKS = /`+|~{3,}|<\/?(?:answer|tool_call)>|<\|[a-z_]{1,40}\|>|<\/s>|\[EOS\]|\s/g;

/** Whether the last sentence before an action names it as something else than what is to be done. */
export function isSpokenOf(before: string): boolean {
  const last = unfenced(before.slice(-2_000))
    .trimEnd()
    .split(/\n|[.!?\u3002\uff01\uff1f](?=\s|$)/)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .at(-1);
  return last !== undefined && (SPOKEN.test(last) || /(?:\bnot\b|n't\b).*:$/i.test(last));
}
const SPOKEN =
  /\b(?:examples?|e\.g|for instance|such as|format|template|syntax|do not|don't|never|instead of|rather than|(?:would|could|might) (?:be|say|write|answer|use|do|run))\b|\u4f8b\u5982|\u6bd4\u5982|\u793a\u4f8b|\u4e0d\u8981|\u683c\u5f0f/i;

/** The words before an action, without what only leads to it. */
export const prose = (text: string): string =>
  unfenced(text.slice(-10_000))
    .replace(/<\|[a-z_]{1,40}\|>|<(?:answer|tool_call)>/g, " ")
    .replace(/(?:^|\n)[ \t]*[*_#]{0,3} ?(?:Action|\u52a8\u4f5c)[*_]{0,2} ?[:\uff1a][*_`]{0,2}\s*$/i, "")
    .replace(/^\s*[*_#]{0,3} ?(?:Thought|\u601d\u8003)[*_]{0,2} ?[:\uff1a][*_]{0,2}\s*/i, "")
    .trim();

/** Without the fence that opens at its end; only that is looked at, as such a pattern takes long on many marks. */
const unfenced = (text: string): string =>
  text.slice(0, -100) + text.slice(-100).replace(/(?:`{3,}|~{3,})[\w+-]*\s*$/, "");
