import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { numberText } from '../json/number.ts';
import { getOwn, isJsonObject } from '../json/values.ts';
import type { Documents } from '../ports/resource-store.ts';
import { valuesIn } from '../predicate/path.ts';
import { type DeclaredTypes, fieldsOf, type OnDelete, typeOf } from './settings.ts';

/**
 * The marks of a resource (`RuleStore`), from both projections: its unique values, and the resources that it refers to. A mark is the
 * name of its rule and what it is about, each in a line.
 */

/** A unique value of a resource. */
export interface UniqueMark {
  readonly mark: string;
  readonly type: string;
  readonly path: string;
  readonly value: JsonValue;
}

/** A resource as a reference names it. */
export interface Referred {
  readonly by: 'id' | 'key';
  readonly name: string;
}

/** A reference of a resource. */
export interface ReferenceMark extends Referred {
  readonly mark: string;
  readonly path: string;
  /** The type that is expected there. */
  readonly type: string;
}

export interface Marks {
  readonly unique: readonly UniqueMark[];
  /** Those that one projection has more than once. */
  readonly repeated: readonly UniqueMark[];
  readonly references: readonly ReferenceMark[];
}

/** Longer texts are told by their hash. */
const maxUnits = 80;

/** With what all marks begin. */
export const allBeginnings = ['unique\n', 'restrict\n', 'keep\n'] as const;

/** With what the marks of a unique path begin. */
export function uniqueBeginning(type: string, path: string): string {
  return `unique\n${type}\n${line(path)}\n`;
}

/** The mark of who refers to a resource: of those that keep it from being deleted, or of the others. */
export function referenceMark(onDelete: OnDelete, { by, name }: Referred): string {
  return `${onDelete}\n${by}\n${line(name)}`;
}

/** A text without line ends; a hash begins as no text does. */
function line(text: string): string {
  if (text.length <= maxUnits && !text.includes('\n')) return `=${text}`;
  return `#${createHash('sha256').update(text).digest('base64url')}`;
}

/** Texts and numbers that look alike are told apart. */
function scalarText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'boolean' ? String(value) : numberText(value);
}

/** The marks of both projections of a resource, each once. */
export function marksOf({ current, staged }: Documents, types: DeclaredTypes): Marks {
  const of = [current, ...(staged ? [staged] : [])].map((document) => marksOfDocument(document, types));
  return {
    unique: onceEach(of.flatMap(({ unique }) => unique)),
    repeated: of.flatMap(({ repeated }) => repeated),
    references: onceEach(of.flatMap(({ references }) => references)),
  };
}

function onceEach<T extends { readonly mark: string; readonly path: string }>(marks: readonly T[]): readonly T[] {
  if (marks.length <= 1) return marks;
  return [...new Map(marks.map((each) => [`${each.mark}\n${each.path}`, each])).values()];
}

function marksOfDocument(document: JsonObject, types: DeclaredTypes): Marks {
  const type = typeOf(document, types);
  if (type === undefined) return { unique: [], repeated: [], references: [] };
  const { unique, references } = types.types[type]!;
  const marks = unique.flatMap((path) =>
    valuesIn(document, fieldsOf(path)!).flatMap((value): UniqueMark[] => {
      const text = scalarText(value);
      return text === undefined ? [] : [{ mark: uniqueBeginning(type, path) + line(text), type, path, value }];
    }),
  );
  return {
    unique: marks,
    repeated: repeatedOf(marks),
    references: Object.entries(references).flatMap(([path, { type: expected, onDelete }]) =>
      valuesIn(document, fieldsOf(path)!).flatMap((value): ReferenceMark[] => {
        const referred = referredBy(value);
        return referred ? [{ ...referred, mark: referenceMark(onDelete, referred), path, type: expected }] : [];
      }),
    ),
  };
}

function repeatedOf(marks: readonly UniqueMark[]): readonly UniqueMark[] {
  const seen = new Set<string>();
  return marks.filter(({ mark }) => {
    const isKnown = seen.has(mark);
    seen.add(mark);
    return isKnown;
  });
}

/** What a value refers to; undefined for one that is no reference. */
function referredBy(value: JsonValue): Referred | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const by of ['id', 'key'] as const) {
    const name = getOwn(value, by);
    if (typeof name === 'string') return { by, name };
  }
  return undefined;
}

/** The declared paths at which a document has something other than a reference. */
export function wrongReferences(document: JsonObject, types: DeclaredTypes): readonly string[] {
  const type = typeOf(document, types);
  const paths = type === undefined ? [] : Object.keys(types.types[type]!.references);
  return paths.filter((path) => valuesIn(document, fieldsOf(path)!).some((value) => !referredBy(value)));
}
