import type { JsonArray, JsonObject, JsonValue } from '../../contract/json.ts';
import { canonicalInstant } from '../../domain/instant.ts';
import { isRawNumber, numberOf } from '../../domain/json/number.ts';
import { hasSameText, isJsonArray, isJsonObject } from '../../domain/json/values.ts';
import type { Documents } from '../../domain/ports/resource-store.ts';
import { wordsOfFields } from '../../domain/search/words/document-words.ts';
import { descendingKey, numberKey, textKey, valueClass } from './order-key.ts';
import {
  type EncodedPath,
  encodedRoot,
  encodeString,
  escapeText,
  type PathFact,
  projectionTerm,
  textMarks,
} from './term-encoding.ts';
import { addWordDifference, localesToComplete, noWords, type TermChange } from './word-terms.ts';

/** Fields that have a column of their own. */
const columnFields: ReadonlySet<string> = new Set(['id', 'key', 'version', 'createdAt', 'lastModifiedAt']);

/** Up to this many elements of an array are compared with each other; in longer arrays a set finds the repeats. */
const fewElements = 16;

/** The shortest of unlike texts that may have the same term: an instant without a time. */
const shortestRepeating = 10;

/**
 * The change of the term index from one version of a document to the next; undefined where there is none before or
 * after. Top-level fields that are the same value or the same JSON text cost nothing further.
 */
export function termDifference(
  projectKey: string,
  before: Documents | undefined,
  after: Documents | undefined,
  declaredPaths: readonly string[],
): readonly TermChange[] {
  const terms: TermChange[] = [];
  for (const [projection, old, next] of [
    ['c', before?.current, after?.current],
    ['s', before?.staged, after?.staged],
  ] as const) {
    if (old === next) continue;
    const own = [projectionTerm(projectKey, projection)];
    if (!old) terms.push({ prefix: '', removed: none, added: own });
    if (!next) terms.push({ prefix: '', removed: own, added: none });
    const root = encodedRoot(projectKey, projection, declaredPaths);
    const { changed, same, ofText } = addValueDifference(root, old, next, terms);
    // Rows that are not resources are never searched.
    if (!ofText || projectKey.includes('~')) continue;
    const wordsBefore = old ? wordsOfFields(old, changed) : noWords;
    const wordsAfter = next ? wordsOfFields(next, changed) : noWords;
    // Where a word stands at best, and how long the text is, depends on the unchanged fields as well.
    const locales = old && next ? localesToComplete(wordsBefore, wordsAfter) : undefined;
    if (old && next && !locales) continue;
    const unchanged = next && locales ? wordsOfFields(next, same, locales) : noWords;
    addWordDifference(root.prefix, wordsBefore, wordsAfter, unchanged, terms);
  }
  return terms;
}

const none: readonly string[] = [];

/** The names of the top-level fields of a document, by whether a write changes them. */
interface ComparedFields {
  readonly changed: readonly string[];
  readonly same: readonly string[];
  /** There is text in a changed field. */
  readonly ofText: boolean;
}

/** Collects the difference of all values. */
function addValueDifference(
  root: EncodedPath,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  terms: TermChange[],
): ComparedFields {
  const [changed, same]: [string[], string[]] = [[], []];
  let ofText = false;
  const names = Object.keys(before ?? after ?? {});
  if (before && after) for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) names.push(name);
  for (const name of names) {
    // `null` is absent (decision 8), and what a client named is no key of a prototype.
    const old = before && Object.hasOwn(before, name) ? (before[name] ?? undefined) : undefined;
    const next = after && Object.hasOwn(after, name) ? (after[name] ?? undefined) : undefined;
    if (hasSameText(old, next)) {
      same.push(name);
      continue;
    }
    changed.push(name);
    ofText ||= hasText(old) || hasText(next);
    if (old === undefined) {
      for (const { prefix, rests } of termsOfField(root, name, next!))
        terms.push({ prefix, removed: none, added: rests });
    } else if (next === undefined) {
      for (const { prefix, rests } of termsOfField(root, name, old))
        terms.push({ prefix, removed: rests, added: none });
    } else addChanges(termsOfField(root, name, old), termsOfField(root, name, next), terms);
  }
  return { changed, same, ofText };
}

function hasText(value: JsonValue | undefined): boolean {
  if (typeof value === 'string' || typeof value === 'number') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (isRawNumber(value)) return true;
  return isJsonArray(value) ? value.some(hasText) : isJsonObject(value) && Object.values(value).some(hasText);
}

type RestsByPrefix = ReadonlyMap<string, ReadonlySet<string>>;

function byPrefix(terms: readonly PathTerms[]): RestsByPrefix {
  const found = new Map<string, Set<string>>();
  for (const { prefix, rests } of terms) {
    const known = found.get(prefix) ?? new Set();
    found.set(prefix, known);
    for (const rest of rests) known.add(rest);
  }
  return found;
}

function addChanges(before: readonly PathTerms[], after: readonly PathTerms[], terms: TermChange[]): void {
  const [one, other] = [before[0], after[0]];
  // As most fields have.
  if (before.length === 1 && after.length === 1 && one!.rests.length === 1 && other!.rests.length === 1) {
    if (one!.rests[0] === other!.rests[0]) return;
    terms.push({ prefix: one!.prefix, removed: one!.rests, added: other!.rests });
    return;
  }
  const [lost, gained] = [byPrefix(before), byPrefix(after)];
  for (const prefix of new Set([...lost.keys(), ...gained.keys()])) {
    const [old, next] = [lost.get(prefix) ?? new Set<string>(), gained.get(prefix) ?? new Set<string>()];
    terms.push({ prefix, removed: [...old.difference(next)], added: [...next.difference(old)] });
  }
}

/** Terms of one path, without their common beginning. */
interface PathTerms {
  readonly prefix: string;
  readonly rests: string[];
}

/** The entries collected from one top-level field. */
interface FieldTerms {
  /** A path may be there several times. */
  readonly terms: PathTerms[];
  /** Those that the next term is added to, if it is of the same path. */
  last: PathTerms | undefined;
  /** Arrays around the value that is being added. */
  arrays: number;
  /** A term may be among those of the outermost array twice. */
  repeats: boolean;
  /** Class and key of the greatest value of each path whose texts are kept in order. */
  greatest: Map<EncodedPath, string> | undefined;
}

/** The terms of a top-level field, each once; no term of one field is a term of another. */
function termsOfField(root: EncodedPath, name: string, value: JsonValue): readonly PathTerms[] {
  if (columnFields.has(name)) return [];
  const field: FieldTerms = { terms: [], last: undefined, arrays: 0, repeats: false, greatest: undefined };
  addNode(root.member(name), value, field, false);
  if (field.greatest) {
    for (const [path, key] of field.greatest) {
      addTerm(field, path, 'v' satisfies PathFact);
      addTerm(field, path, `d${descendingKey(key)}`);
    }
  }
  return field.terms;
}

function addTerm(field: FieldTerms, { prefix }: EncodedPath, rest: string): void {
  if (field.last?.prefix === prefix) {
    field.last.rests.push(rest);
    return;
  }
  field.last = { prefix, rests: [rest] };
  field.terms.push(field.last);
}

/** Each term once, and for a number that occurs again the fact that it does. */
function withoutRepeats(terms: readonly PathTerms[]): readonly PathTerms[] {
  const once = new Map<string, Set<string>>();
  for (const { prefix, rests } of terms) {
    const known = once.get(prefix) ?? new Set();
    once.set(prefix, known);
    for (const rest of rests) {
      if (known.has(rest) && rest[0] === 'n') known.add('r' satisfies PathFact);
      known.add(rest);
    }
  }
  return [...once].map(([prefix, rests]) => ({ prefix, rests: [...rests] }));
}

/**
 * Adds the terms of the value at a path: an array stands for its elements, one level (decision 15). `several`: the path
 * may have further values, in other elements of an array around it.
 */
function addNode(path: EncodedPath, value: JsonValue, field: FieldTerms, several: boolean): void {
  if (isJsonArray(value)) addArray(path, value, field, several || value.length > 1);
  else if (isJsonObject(value)) addObject(path, value, field, several);
  else if (addScalar(path, value, field) && several) addTerm(field, path, 'm' satisfies PathFact);
}

function addArray(path: EncodedPath, array: JsonArray, field: FieldTerms, several: boolean): void {
  const begin = field.terms.length;
  field.last = undefined;
  field.arrays += 1;
  addElements(path, array, field, several);
  field.arrays -= 1;
  // A value occurs again in arrays alone, and most arrays have none that could.
  if (!field.repeats || field.arrays > 0) return;
  field.repeats = false;
  for (const terms of withoutRepeats(field.terms.splice(begin))) field.terms.push(terms);
  field.last = undefined;
}

function addElements(path: EncodedPath, array: JsonArray, field: FieldTerms, several: boolean): void {
  if (array.length > fewElements) field.repeats = true;
  let [hasValue, hasOrder] = [false, false];
  for (let at = 0; at < array.length; at += 1) {
    const element = array[at]!;
    if (element === null) continue;
    hasValue = true;
    if (typeof element !== 'object') {
      if (array.length <= fewElements && array.indexOf(element) < at) {
        if (typeof element === 'number') {
          addTerm(field, path, 'r' satisfies PathFact);
          field.repeats = true;
        }
        continue;
      }
      if (!addScalar(path, element, field)) continue;
      hasOrder = true;
      // Two texts may be the same instant, or share the beginning that is their key.
      if (typeof element === 'string' && element.length >= shortestRepeating) field.repeats = true;
      continue;
    }
    // Objects may have members in common, and numbers kept as text are not compared by identity.
    if (array.length > 1) field.repeats = true;
    if (isJsonArray(element)) addTerm(field, path, 'o' satisfies PathFact);
    else if (isJsonObject(element)) addObject(path, element, field, several);
    else if (addScalar(path, element, field)) hasOrder = true;
  }
  if (!hasValue) addTerm(field, path, 'e' satisfies PathFact);
  if (several && hasOrder) addTerm(field, path, 'm' satisfies PathFact);
}

function addObject(path: EncodedPath, object: JsonObject, field: FieldTerms, several: boolean): void {
  addTerm(field, path, 'o' satisfies PathFact);
  for (const name of Object.keys(object)) {
    const member = object[name];
    if (member !== null && member !== undefined) addNode(path.member(name), member, field, several);
  }
}

/** Adds the terms of a scalar. True if the index has it in its order. Runs for every value of every write. */
function addScalar(path: EncodedPath, value: JsonValue, field: FieldTerms): boolean {
  const { isOrdered } = path;
  if (typeof value === 'string') {
    const instant = canonicalInstant(value);
    addTerm(field, path, instant === undefined ? encodeString(value) : `t${escapeText(instant)}`);
    if (isOrdered) {
      const key = textKey(instant ?? value);
      addTerm(field, path, `u${key}${instant === undefined ? textMarks.string : textMarks.instant}`);
      noteGreatest(path, valueClass.text + key, field);
    }
    return isOrdered || instant !== undefined;
  }
  if (typeof value === 'boolean') {
    addTerm(field, path, value ? 'b1' : 'b0');
    if (isOrdered) noteGreatest(path, valueClass.boolean + (value ? '1' : '0'), field);
    return isOrdered;
  }
  const key = numberKey(Number.isSafeInteger(value) ? (value as number) : numberOf(value)!);
  addTerm(field, path, `n${key}`);
  if (isOrdered) noteGreatest(path, valueClass.number + key, field);
  return true;
}

function noteGreatest(path: EncodedPath, key: string, field: FieldTerms): void {
  field.greatest ??= new Map();
  const known = field.greatest.get(path);
  if (known === undefined || key > known) field.greatest.set(path, key);
}
