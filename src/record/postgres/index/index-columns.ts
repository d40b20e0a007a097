import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { isRawNumber, numberOf } from '../../../domain/json/number.ts';
import { hasSameText } from '../../../domain/json/values.ts';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { wordsOfFields } from '../../../domain/search/words/document-words.ts';
import { documentTerms, valueTerms } from '../../../index/terms/index-entries.ts';
import { type Projection, termHead } from '../../../index/terms/term-encoding.ts';
import type { WordsByLocale } from '../../../index/terms/word-terms.ts';
import type { StoredRow } from '../../row/stored-row.ts';
import { orderedEntries } from './ordered-entries.ts';

/** What the database holds of a resource beside its row. */
export interface Indexed {
  readonly terms: readonly string[];
  /** Rows of `ordered_value`. */
  readonly entries: readonly string[];
  /** Rows of `word`: locale and word; of an update those that the version before may not have. */
  readonly words: readonly (readonly [locale: string, word: string])[];
  /** The documents as conditions see them, if those are not the texts of the row. */
  readonly compared: string | null;
  readonly comparedStaged: string | null;
}

/** Kinds of terms that a row has; the others are for engines that read terms in their order, or have no columns. */
const storedKinds = new Set(['n', 's', 't', 'b', 'o', 'e', 'm']);

/** Terms that say that a path has values of a type, since an inverted index of whole terms has no prefix search. */
const typeFacts = new Map([
  ['n', 'N'],
  ['s', 'S'],
  ['t', 'T'],
]);

/** Indexes both projections of a resource, whose row has the texts; `before` is the version that it replaces. */
export function indexResource(
  projectKey: string,
  documents: Documents,
  row: Pick<StoredRow, 'current' | 'staged'>,
  declaredPaths: readonly string[],
  before?: Documents,
): Indexed {
  const { gained, ...indexed } = indexColumns(projectKey, documents, row, declaredPaths);
  if (projectKey.includes('~')) return { ...indexed, words: [] };
  const all = () => [...gained].flatMap(([locale, words]) => words.map((word) => [locale, word] as const));
  return { ...indexed, words: before ? changedWords(before, documents) : all() };
}

/** The words of the top-level fields that a change sets or alters: those before may have all others. */
function changedWords(before: Documents, after: Documents): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  for (const [old, next] of [
    [before.current, after.current],
    [before.staged ?? before.current, after.staged],
  ] as const) {
    const names = Object.keys(next ?? {}).filter(
      (name) => !(Object.hasOwn(old, name) && hasSameText(old[name], next![name])),
    );
    for (const [locale, { places }] of wordsOfFields(next ?? {}, names)) {
      for (const word of places.keys()) found.push([locale, word]);
    }
  }
  return found;
}

/** The same with the words by locale, without what was there before. */
export function indexColumns(
  projectKey: string,
  documents: Documents,
  { current, staged }: Pick<StoredRow, 'current' | 'staged'>,
  declaredPaths: readonly string[],
): Omit<Indexed, 'words'> & { readonly gained: WordsByLocale } {
  const { values: all, text, gained } = documentTerms(projectKey, documents, declaredPaths);
  const terms: string[] = [];
  // By the path and the kind: the terms themselves are each there once.
  const facts = new Set<string>();
  for (const term of all) {
    const bar = term.lastIndexOf('|') + 1;
    // The term of the projection itself has no path, and a column says the same.
    if (term.indexOf('|') === bar - 1) continue;
    const kind = term[bar]!;
    if (storedKinds.has(kind)) terms.push(term);
    const fact = typeFacts.get(kind);
    if (fact === undefined) continue;
    const ofPath = term.slice(0, bar) + fact;
    if (facts.has(ofPath)) continue;
    facts.add(ofPath);
    terms.push(ofPath);
  }
  for (const term of text) terms.push(term);
  return {
    terms,
    entries: orderedEntries(all, headsOf(projectKey, documents), declaredPaths),
    gained,
    compared: comparedText(documents.current, current),
    comparedStaged: documents.staged && staged !== null ? comparedText(documents.staged, staged) : null,
  };
}

/** Only the ordered values: all that is needed of a version that is overwritten. */
export function entriesOf(
  projectKey: string,
  { current, staged }: Documents,
  declaredPaths: readonly string[],
): readonly string[] {
  const names = new Set([arrayTestField, ...arrayTestNames, ...declaredPaths.map((path) => path.split('.', 1)[0]!)]);
  const part = (document: JsonObject) =>
    Object.fromEntries(Object.entries(document).filter(([name]) => names.has(name)));
  const documents = staged ? { current: part(current), staged: part(staged) } : { current: part(current) };
  return orderedEntries(
    valueTerms(projectKey, documents, declaredPaths),
    headsOf(projectKey, documents),
    declaredPaths,
  );
}

function headsOf(projectKey: string, { staged }: Documents): readonly (readonly [Projection, string])[] {
  const projections: readonly Projection[] = staged ? ['c', 's'] : ['c'];
  return projections.map((projection) => [projection, termHead(projectKey, projection)]);
}

/**
 * The JSON text of a document as conditions see it, if that is not the stored text: integers beyond 64 bits become the
 * nearest double.
 */
function comparedText(document: JsonObject, text: string): string | null {
  if (!/\d{16}/.test(text)) return null;
  const compared = JSON.stringify(document, (_, value: JsonValue) => {
    const number = isRawNumber(value) || value === leastInteger ? numberOf(value) : undefined;
    return number === undefined ? value : JSON.rawJSON(comparedNumber(number));
  });
  return compared === text ? null : compared;
}

/** The only double that equals a 64-bit integer but whose shortest decimal form is another number. */
const leastInteger = -(2 ** 63);

/** The decimal number that a number compares as. Doubles are in the order of their shortest decimal forms. */
export function comparedNumber(number: bigint | number): string {
  return String(number === leastInteger ? BigInt(number) : number);
}
