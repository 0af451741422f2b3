/** `2495` cents as people read it: `24.95`. */
export function price(cents) {
  return `${Math.floor(cents / 100)}.${cents % 100}`;
}
