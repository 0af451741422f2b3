import type { At, PawlError } from "../../domain/errors.ts";
import type { Mention, WrittenTask } from "./written-task.ts";

/** What is checked of a task file beside others: all but its text, and what only its worker needs. */
export interface TaskOutline
  extends Pick<WrittenTask, "file" | "id" | "isIdSure" | "deps" | "phases" | "base" | "agents" | "extraAt" | "faults"> {
  readonly fields: Pick<WrittenTask["fields"], "draft" | "environment">;
  /** the same object for all that say the same, where many are in memory */
  readonly said?: Particulars;
}

/** The id without the place where it stands. */
export const idOf = (task: TaskOutline): string | null =>
  task instanceof Outline ? task.idName : (task.id?.name ?? null);

/** One of each kind: of tasks that say the same beyond title and text the first. */
export function kindsOf<T extends TaskOutline>(tasks: readonly T[]): readonly T[] {
  const kinds = new Map<unknown, T>();
  let last: unknown;
  for (const task of tasks) {
    const { said = task } = task;
    if (said !== last && !kinds.has(said)) kinds.set(said, task);
    last = said;
  }
  return [...kinds.values()];
}

/** A name, and where in its own file it stands. */
export type Place = Omit<At, "file">;
export interface PlacedName {
  readonly name: string;
  readonly at: Place;
}

/** What a file says beyond its title and its name, without the file's own name: hundreds of thousands have one in common. */
export interface Particulars {
  readonly isIdSure: boolean;
  /** where its id stands; null: not even its id can be read */
  readonly idAt: Place | null;
  readonly draft: boolean;
  readonly environment: PlacedName | null;
  readonly deps: readonly PlacedName[];
  readonly phases: PlacedName | null;
  readonly base: PlacedName | null;
  readonly agents: readonly (PlacedName & { readonly role: string; readonly roleAt: Place })[];
  readonly extraAt: readonly PlacedName[];
}

export const particularsOf = (task: WrittenTask): Particulars => ({
  isIdSure: task.isIdSure,
  idAt: task.id === null ? null : placeOf(task.id.at),
  draft: task.fields.draft === true,
  environment: maybe(task.fields.environment),
  deps: task.deps.map(placed),
  phases: maybe(task.phases),
  base: maybe(task.base),
  agents: task.agents.map((agent) => ({ ...placed(agent), role: agent.role, roleAt: placeOf(agent.roleAt) })),
  extraAt: task.extraAt.map(placed),
});

const placeOf = ({ file: _, ...place }: At): Place => place;
const placed = ({ name, at }: Mention): PlacedName => ({ name, at: placeOf(at) });
const maybe = (mention: Mention | null | undefined): PlacedName | null => (mention ? placed(mention) : null);

/**
 * The outline of one file. It holds its id and what it has in common with others, of which there may be a hundred
 * thousand: each question builds its answer.
 */
export abstract class Outline implements TaskOutline {
  /** of its file, in its folder; null: it is called as its id is */
  readonly #name: string | null;
  readonly #said: Particulars;
  #id: string | null;

  constructor(of: { readonly name: string; readonly id: string | null; readonly said: Particulars }) {
    this.#name = of.name === `${of.id}.md` ? null : of.name;
    this.#id = of.id;
    this.#said = of.said;
  }
  abstract get folder(): string;
  abstract get faults(): readonly PawlError[];
  get name(): string {
    return this.#name ?? `${this.#id}.md`;
  }
  get file(): string {
    return `${this.folder}/${this.name}`;
  }
  get said(): Particulars {
    return this.#said;
  }
  get idName(): string | null {
    return this.#said.idAt === null ? null : this.#id;
  }
  /** the same text, where memory has it already */
  protected adopt(id: string): void {
    this.#id = id;
  }
  get id(): Mention | null {
    const { idAt } = this.#said;
    return this.#id === null || idAt === null ? null : { name: this.#id, at: { file: this.file, ...idAt } };
  }
  get isIdSure(): boolean {
    return this.#said.isIdSure;
  }
  get deps(): readonly Mention[] {
    return this.#all(this.#said.deps);
  }
  get phases(): Mention | null {
    return this.#maybe(this.#said.phases);
  }
  get base(): Mention | null {
    return this.#maybe(this.#said.base);
  }
  get agents(): WrittenTask["agents"] {
    const { agents } = this.#said;
    return agents.length === 0
      ? NONE
      : agents.map((agent) => ({
          ...this.#mention(agent),
          role: agent.role,
          roleAt: { file: this.file, ...agent.roleAt },
        }));
  }
  get extraAt(): readonly Mention[] {
    return this.#all(this.#said.extraAt);
  }
  get fields(): TaskOutline["fields"] {
    const { draft, environment } = this.#said;
    if (!draft && environment === null) return PLAIN;
    return { ...(draft ? { draft } : {}), ...(environment ? { environment: this.#mention(environment) } : {}) };
  }

  #mention({ name, at }: PlacedName): Mention {
    return { name, at: { file: this.file, ...at } };
  }
  #maybe(name: PlacedName | null): Mention | null {
    return name === null ? null : this.#mention(name);
  }
  #all(names: readonly PlacedName[]): readonly Mention[] {
    return names.length === 0 ? NONE : names.map((name) => this.#mention(name));
  }
}

const NONE: readonly never[] = [];
const PLAIN: TaskOutline["fields"] = {};
