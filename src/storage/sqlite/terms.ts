import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { canonicalInstant } from '../../domain/instant.ts';
import { numberOf } from '../../domain/json/number.ts';
import { isJsonArray, isJsonObject } from '../../domain/json/object.ts';
import type { Documents } from '../../domain/ports.ts';
import { memberOf } from '../../domain/predicate/path.ts';
import { type SortValue, sortDifference } from './sort-values.ts';
import { type SpelledPath, spelledRoot } from './spelled-path.ts';
import { escapeText, type Projection, projectionTerm, spellString } from './term-text.ts';

/** What the indexes of a row lose and gain by a write. Terms are joined by blanks, as FTS5 takes them. */
export interface IndexDifference {
  readonly removed: string;
  readonly added: string;
  readonly sortRemoved: SortValue[];
  readonly sortAdded: SortValue[];
}

/** Fields that columns answer for. Of `key` only is indexed that there is one, for sorts by it. */
const columnFields: ReadonlySet<string> = new Set(['id', 'version', 'createdAt', 'lastModifiedAt']);

/**
 * The change of the indexes from one version of a document to the next; undefined where there is none before or
 * after. Top-level fields that are the same value or the same JSON text cost nothing further.
 */
export function indexDifference(
  projectKey: string,
  before: Documents | undefined,
  after: Documents | undefined,
  declaredPaths: readonly string[],
): IndexDifference {
  const removed: string[] = [];
  const added: string[] = [];
  const sortRemoved: SortValue[] = [];
  const sortAdded: SortValue[] = [];
  for (const [projection, old, next] of [
    ['c', before?.current, after?.current],
    ['s', before?.staged, after?.staged],
  ] as const) {
    if (old === next) continue;
    termDifference(projectKey, projection, old, next, removed, added);
    sortDifference(old, next, projection === 'c' ? 0 : 1, declaredPaths, sortRemoved, sortAdded);
  }
  return { removed: removed.join(' '), added: added.join(' '), sortRemoved, sortAdded };
}

function termDifference(
  projectKey: string,
  projection: Projection,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  removed: string[],
  added: string[],
): void {
  const root = spelledRoot(projectKey, projection);
  if (!before) added.push(projectionTerm(projectKey, projection));
  if (!after) removed.push(projectionTerm(projectKey, projection));
  for (const name of namesOf(before, after)) {
    const old = before && memberOf(before, name);
    const next = after && memberOf(after, name);
    if (old === next || sameText(old, next)) continue;
    if (old === undefined) {
      addField(root, name, next!, added);
    } else if (next === undefined) {
      addField(root, name, old, removed);
    } else {
      const [lost, gained]: [string[], string[]] = [[], []];
      addField(root, name, old, lost);
      addField(root, name, next, gained);
      addMissing(lost, gained, removed);
      addMissing(gained, lost, added);
    }
  }
}

/** Adds to `out` the terms of one list that the other lacks. */
function addMissing(terms: readonly string[], others: readonly string[], out: string[]): void {
  const known = others.length > 8 ? new Set(others) : undefined;
  for (const term of terms) if (!(known ? known.has(term) : others.includes(term))) out.push(term);
}

function namesOf(before: JsonObject | undefined, after: JsonObject | undefined): Iterable<string> {
  if (!before) return Object.keys(after ?? {});
  if (!after) return Object.keys(before);
  return new Set([...Object.keys(before), ...Object.keys(after)]);
}

function sameText(old: JsonValue | undefined, next: JsonValue | undefined): boolean {
  if (typeof old !== 'object' || typeof next !== 'object') return false;
  return JSON.stringify(old) === JSON.stringify(next);
}

/** Adds the terms of a top-level field, each once; no term of one field is a term of another. */
function addField(root: SpelledPath, name: string, value: JsonValue, terms: string[]): void {
  if (columnFields.has(name)) return;
  const path = root.member(name);
  if (name === 'key') {
    terms.push(`${path.prefix}v`);
    return;
  }
  const own: string[] = [];
  const mayRepeat = addNode(path, value, own);
  for (const term of mayRepeat ? new Set(own) : own) terms.push(term);
}

/**
 * Adds what stands at a path: an array stands for its elements, one level (decision 15). True if terms may repeat,
 * which only arrays make them do.
 */
function addNode(path: SpelledPath, value: JsonValue, terms: string[]): boolean {
  if (!isJsonArray(value)) return addValue(path, value, terms);
  let hasValue = false;
  for (const element of value) {
    if (element === null) continue;
    hasValue = true;
    if (isJsonArray(element)) terms.push(`${path.prefix}o`);
    else addValue(path, element, terms);
  }
  if (!hasValue) terms.push(`${path.prefix}e`);
  return value.length > 1;
}

function addValue(path: SpelledPath, value: JsonValue, terms: string[]): boolean {
  if (isJsonObject(value)) {
    terms.push(`${path.prefix}o`);
    return addMembers(path, value, terms);
  }
  terms.push(`${path.prefix}v`, path.prefix + spellValue(value));
  return false;
}

function addMembers(path: SpelledPath, object: JsonObject, terms: string[]): boolean {
  let mayRepeat = false;
  for (const name of Object.keys(object)) {
    const member = object[name];
    if (member !== null && member !== undefined && addNode(path.member(name), member, terms)) mayRepeat = true;
  }
  return mayRepeat;
}

/** As `spellScalar`, without making a scalar: this runs for every value of every write. */
function spellValue(value: JsonValue): string {
  if (typeof value === 'string') {
    const instant = canonicalInstant(value);
    return instant === undefined ? spellString(value) : `t${escapeText(instant)}`;
  }
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  return `n${Number.isSafeInteger(value) ? value : numberOf(value)}`;
}
