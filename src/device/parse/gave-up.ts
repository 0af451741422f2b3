/**
 * A model that ends without having succeeded has not finished: FINISH means done (DEV-1.2). What stops it is asked of the
 * user instead. null: it says nothing of a failure.
 */
export function gaveUp(
  status: unknown,
  why: unknown,
): { readonly action: "ask_user"; readonly question: string } | null {
  if (
    status === undefined ||
    /^\s*(?:success|succeeded|successful|complete|completed|\u6210\u529f)\s*$/i.test(String(status))
  )
    return null;
  const reason = typeof why === "string" && why.trim() !== "" ? ` (${why.trim().slice(0, 500)})` : "";
  return { action: "ask_user", question: `The agent says that it cannot do this${reason}. What shall it do?` };
}
