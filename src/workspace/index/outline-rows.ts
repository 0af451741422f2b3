import {
  DEFINITION_KINDS,
  type DefinitionKind,
  IMPORT_KINDS,
  type ImportKind,
  type Outline,
  REFERENCE_KINDS,
  type ReferenceKind,
  WIDTH,
} from "../../ports/parser.ts";

/** Lines and columns from 1, columns in UTF-16 units. */
export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** the line that defines it, without its body */
  readonly signature: string;
}
export interface Reference {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly line: number;
  readonly column: number;
}
export interface Import {
  readonly kind: ImportKind;
  /** as it stands in the file, with its quotes */
  readonly specifier: string;
  /** what is taken from it, where that may be a file too (Python); else empty */
  readonly member: string;
  readonly line: number;
}

/** What a file defines, in its order. */
export const definitionsOf = (outline: Outline): readonly Definition[] => {
  const texts = outline.texts.split("\n");
  return rows(outline.definitions, WIDTH.definitions).map(
    ([kind, name, line, column, endLine, endColumn, signature]) => ({
      kind: DEFINITION_KINDS[kind!]!,
      name: texts[name!]!,
      line: line!,
      column: column!,
      endLine: endLine!,
      endColumn: endColumn!,
      signature: texts[signature!]!,
    }),
  );
};

/** The names of what a file defines, each once: cheaper than all that is known of them. */
export function definedNames({ definitions, texts }: Pick<Outline, "definitions" | "texts">): ReadonlySet<string> {
  const all = texts.split("\n");
  const names = new Set<string>();
  for (let at = 1; at < definitions.length; at += WIDTH.definitions) names.add(all[definitions[at]!]!);
  return names;
}

/** What a file refers to, in its order; not what it defines. */
export const referencesOf = (outline: Outline): readonly Reference[] => {
  const texts = outline.texts.split("\n");
  return rows(outline.references, WIDTH.references).map(([kind, name, line, column]) => ({
    kind: REFERENCE_KINDS[kind!]!,
    name: texts[name!]!,
    line: line!,
    column: column!,
  }));
};

/** What a file says that it needs. */
export const importsOf = (outline: Outline): readonly Import[] => {
  const texts = outline.imports.length === 0 ? [] : outline.texts.split("\n");
  return rows(outline.imports, WIDTH.imports).map(([kind, specifier, member, line]) => ({
    kind: IMPORT_KINDS[kind!]!,
    specifier: texts[specifier!]!,
    member: texts[member!]!,
    line: line!,
  }));
};

function rows(column: Uint32Array, width: number): readonly Uint32Array[] {
  return Array.from({ length: column.length / width }, (_, i) => column.subarray(i * width, (i + 1) * width));
}
