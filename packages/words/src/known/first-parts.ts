import { type LanguageCode, languageOf, listsFor } from '../languages.ts';
import { isUnspaced } from '../written-forms.ts';
import table from './first-parts.json' with { type: 'json' };

/**
 * What compounds begin with. *Medikamente* ends in *Ente*, but is none: there is no *medikam*. `first-parts.json` has the parts that most
 * compounds of a language begin with, as they are written there; a project has others among its words.
 */

const loaded = new Map<LanguageCode, ReadonlySet<string>>();

function firstPartsOf(code: LanguageCode): ReadonlySet<string> {
  const parts = loaded.get(code) ?? new Set(table[listsFor(code)!.code as keyof typeof table].split(' '));
  loaded.set(code, parts);
  return parts;
}

/** Letters of a part, and of one that follows another: shorter ones end too much by chance. */
const [leastPart, leastLater] = [3, 4];
/** German adjectives: *atlantischer* is no *Tisch*. */
const adjective = /isch(?:er|em|es)$/;
/** What words lose as first parts: *wasch* is of *waschen*, *woll* of *Wolle*, *skol* of *skola*. */
const lostEnds = ['e', 'n', 'en', 'a'];

/** True for a part, and for several: *Vollkorn* in *Dinkelvollkornmehl*. */
function beginsCompounds(first: string, parts: ReadonlySet<string>): boolean {
  if (parts.has(first)) return true;
  for (let at = leastPart; at <= first.length - leastLater; at += 1) if (parts.has(first.slice(at))) return true;
  return false;
}

/**
 * The words of which a project must have one for the end of a word to be the head of a compound, and not mere letters: what stands
 * before it, with or without a linking sound. Undefined where the language has such compounds.
 */
export function firstWordsOf(word: string, first: string, locale: string): readonly string[] | undefined {
  const { code, links } = languageOf(locale) ?? {};
  if (code === undefined || !links || isUnspaced(word)) return undefined;
  if (code === 'de' && adjective.test(word)) return [];
  if (beginsCompounds(first, firstPartsOf(code))) return undefined;
  const unlinked = links.filter((link) => first.endsWith(link)).map((link) => first.slice(0, -link.length));
  // Verbs are first parts without their ending: *brennenstuhl* is a brand.
  const whole = first.endsWith('en') ? [] : [first, ...lostEnds.map((end) => first + end)];
  return [...whole, ...unlinked.filter((each) => each.length >= leastPart)];
}
