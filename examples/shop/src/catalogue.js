/** What the shop sells. `cents` is the price of one, `stock` how many lie in the cellar. */
export const catalogue = [
  { id: "k1", name: "Kettle", colour: "Red", cents: 2495, stock: 3 },
  { id: "k2", name: "Kettle", colour: "Blue", cents: 2505, stock: 0 },
  { id: "t1", name: "Teapot", colour: "White", cents: 1800, stock: 7 },
  { id: "s1", name: "Spoon", colour: "Silver", cents: 309, stock: 40 },
];

export function find(id) {
  const item = catalogue.find((one) => one.id === id);
  if (!item) throw new Error(`nothing is called ${id}`);
  return item;
}
