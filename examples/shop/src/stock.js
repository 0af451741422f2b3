/** `n left`, or `sold out`. */
export function stockOf(item) {
  return item.stock ? `${item.stock} left` : undefined;
}
