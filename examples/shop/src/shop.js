import { catalogue, find } from "./catalogue.js";

const line = (item) => `${item.id}  ${item.name}, ${item.colour}`;

/** Commands by name: each takes the words behind it, and gives lines. */
export const commands = {
  list: () => catalogue.map(line),
  show: (id) => [line(find(id))],
};

export function shop([name = "list", ...words]) {
  const command = commands[name];
  return command ? command(...words) : [`no such command; known: ${Object.keys(commands).join(", ")}`];
}

if (process.argv[1] === import.meta.filename) console.log(shop(process.argv.slice(2)).join("\n"));
