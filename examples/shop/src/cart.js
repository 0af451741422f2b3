/** A cart is a list of lines `{ id, count }`; it is never changed, each function gives a new one. */
export function put(cart, id, count = 1) {
  return [...cart, { id, count }];
}

export function countOf(cart) {
  return cart.reduce((sum, line) => sum + line.count, 0);
}
