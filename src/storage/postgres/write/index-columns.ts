import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { isRawNumber, numberOf } from '../../../domain/json/number.ts';
import { fieldsOf, objectOf } from '../../../domain/json/object.ts';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { indexDifference } from '../../index/index-entries.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { wordOfTerm } from '../../index/word-terms.ts';
import { orderedEntries } from './ordered-entries.ts';

/** What the indexes hold of a resource. */
export interface Indexed {
  readonly terms: readonly string[];
  /** Rows of `ordered_value`. */
  readonly entries: readonly string[];
  /** Rows of `word`: locale and word. */
  readonly words: readonly (readonly [locale: string, word: string])[];
}

/** Kinds of terms that a document has as such; the others are for engines that read terms in their order. */
const keptKinds = new Set(['n', 's', 't', 'b', 'o', 'e', 'm', 'v']);

/** That a path has values of a type. An inverted index of whole terms cannot be asked for all that begin alike. */
const typeFacts = new Map([
  ['n', 'N'],
  ['s', 'S'],
  ['t', 'T'],
]);

/** The index of both projections of a resource. */
export function indexedOf(projectKey: string, documents: Documents, declaredPaths: readonly string[]): Indexed {
  const { added, addedText } = indexDifference(projectKey, undefined, documents, declaredPaths);
  const all = added.split(' ');
  const terms = new Set<string>();
  for (const term of all) {
    const bar = term.lastIndexOf('|') + 1;
    const kind = term.charAt(bar);
    // The term of the projection itself ends where others have a path.
    const isOfProjection = term.indexOf('|') === bar - 1;
    if (isOfProjection || keptKinds.has(kind)) terms.add(term);
    const fact = isOfProjection ? undefined : typeFacts.get(kind);
    if (fact !== undefined) terms.add(term.slice(0, bar) + fact);
  }
  const text = addedText === '' ? [] : addedText.split(' ');
  for (const term of text) terms.add(term);
  const words = text.map(wordOfTerm).filter((word) => word !== undefined);
  return {
    terms: [...terms],
    entries: orderedEntries(all, headsOf(projectKey, documents), declaredPaths),
    words: words.map(({ locale, word }) => [locale, word]),
  };
}

/** The ordered values alone: of a version that is overwritten nothing else is asked. */
export function entriesOf(
  projectKey: string,
  { current, staged }: Documents,
  declaredPaths: readonly string[],
): readonly string[] {
  const names = new Set([arrayTestField, ...arrayTestNames, ...declaredPaths.map((path) => path.split('.', 1)[0]!)]);
  const part = (document: JsonObject) => objectOf(fieldsOf(document).filter(([name]) => names.has(name)));
  const documents = staged ? { current: part(current), staged: part(staged) } : { current: part(current) };
  const { added } = indexDifference(projectKey, undefined, documents, declaredPaths);
  return orderedEntries(added.split(' '), headsOf(projectKey, documents), declaredPaths);
}

function headsOf(projectKey: string, { staged }: Documents): readonly (readonly [Projection, string])[] {
  const projections: readonly Projection[] = staged ? ['c', 's'] : ['c'];
  return projections.map((projection) => [projection, termHead(projectKey, projection)]);
}

/**
 * The JSON text of a document as conditions see it, where that is not the text that is answered: long integers that
 * are beyond 64 bits stand for the nearest double.
 */
export function comparedText(document: JsonObject, text: string): string | null {
  if (!/\d{16}/.test(text)) return null;
  const compared = JSON.stringify(document, (_, value: JsonValue) => {
    const number = isRawNumber(value) || value === leastInteger ? numberOf(value) : undefined;
    return number === undefined ? value : JSON.rawJSON(comparedNumber(number));
  });
  return compared === text ? null : compared;
}

/** The only double outside of the form of exact integers that equals one: its shortest spelling is another number. */
const leastInteger = -(2 ** 63);

/** The decimal number that a number compares as. Doubles are in the order of their shortest spellings. */
export function comparedNumber(number: bigint | number): string {
  return String(number === leastInteger ? BigInt(number) : number);
}
