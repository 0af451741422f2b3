import type { At, PawlError } from "../../domain/errors.ts";
import type { Mention, WrittenTask } from "./written-task.ts";

/** What is checked of a task file beside others: all but its text, and what only its worker needs. */
export interface TaskOutline
  extends Pick<WrittenTask, "file" | "id" | "isIdSure" | "deps" | "phases" | "base" | "agents" | "extraAt" | "faults"> {
  readonly fields: Pick<WrittenTask["fields"], "draft" | "environment">;
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
  readonly agents: readonly (PlacedName & { readonly role: string })[];
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
  agents: task.agents.map((agent) => ({ ...placed(agent), role: agent.role })),
  extraAt: task.extraAt.map(placed),
});

const placeOf = ({ file: _, ...place }: At): Place => place;
const placed = ({ name, at }: Mention): PlacedName => ({ name, at: placeOf(at) });
const maybe = (mention: Mention | null | undefined): PlacedName | null => (mention ? placed(mention) : null);

/** The outline of one file. It holds its name and what it has in common with others: each question builds its answer. */
export class Outline implements TaskOutline {
  readonly folder: string;
  /** of the file, in that folder */
  readonly name: string;
  readonly faults: readonly PawlError[];
  readonly #id: string | null;
  readonly #said: Particulars;

  constructor(of: {
    readonly folder: string;
    readonly name: string;
    readonly id: string | null;
    readonly said: Particulars;
    readonly faults: readonly PawlError[];
  }) {
    this.folder = of.folder;
    this.name = of.name;
    this.faults = of.faults;
    this.#id = of.id;
    this.#said = of.said;
  }
  get file(): string {
    return `${this.folder}/${this.name}`;
  }
  get said(): Particulars {
    return this.#said;
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
  get agents(): readonly (Mention & { readonly role: string })[] {
    const { agents } = this.#said;
    return agents.length === 0 ? NONE : agents.map((agent) => ({ ...this.#mention(agent), role: agent.role }));
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
