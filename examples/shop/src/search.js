/** Items whose name or colour holds every word. */
export function search(items, words) {
  const wanted = words.split(" ").filter((word) => word !== "");
  return items.filter((item) => wanted.every((word) => item.name.includes(word) || item.colour.includes(word)));
}
