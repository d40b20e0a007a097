import { languageOf, stemOf } from '#words';
import { checkFields, checkString, isAbsent, mismatch } from '../../../contract/check.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import type { Predicate } from '../../predicate/ast.ts';
import { isFor, noSettings, type SearchSettings } from '../settings.ts';
import { askedText, type TextQuery } from '../words/asked-text.ts';
import { readOperators } from '../words/operators.ts';
import { checkLocale, listOf, settingsLimits } from './checks.ts';

/** What a project puts first, or hides, for a text: merchandising by query. */
export interface Pin {
  readonly locale: string;
  readonly text: string;
  /** Ids, or keys as `key=…`, in their order. */
  readonly pinned: readonly string[];
  readonly hidden: readonly string[];
}

/** Pins by their language and the stems of their words. */
export type Pins = ReadonlyMap<string, readonly Pin[]>;

/** Pins as they are looked up, with the small words of the project. Synonyms play no part, and would be looked up for each pin. */
export function pinsOf(all: readonly Pin[], { stopWords }: Pick<SearchSettings, 'stopWords'>): Pins {
  const settings = { ...noSettings, stopWords };
  return Map.groupBy(all, ({ locale, text }) => keyOf(askedText(locale, [text], false, settings)));
}

/** The same for texts with the same words, in any order and in any of their forms; small words do not count. */
function keyOf({ locale, words, small }: TextQuery): string {
  const stems = words.flatMap((word, at) => (small.includes(at) ? [] : stemOf(word, locale)));
  return `${languageOf(locale)?.code ?? locale} ${stems.toSorted().join(' ')}`;
}

/** The resources that are pinned and hidden for some texts. A phrase is another query than its words. */
export function pinnedFor(pins: Pins, texts: readonly TextQuery[]): Pick<Pin, 'pinned' | 'hidden'> {
  const found = texts.flatMap((text) =>
    pins.size === 0 || text.phrases.length > 0
      ? []
      : (pins.get(keyOf(text)) ?? []).filter(({ locale }) => isFor(locale, text.locale)),
  );
  const all = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())];
  return { pinned: all(found.map(({ pinned }) => pinned)), hidden: all(found.map(({ hidden }) => hidden)) };
}

const keySign = 'key=';

/** The id or the key that a pin has of a resource. */
export function referenceOf(pin: string): { readonly field: 'id' | 'key'; readonly value: string } {
  return pin.startsWith(keySign) ? { field: 'key', value: pin.slice(keySign.length) } : { field: 'id', value: pin };
}

/** The place of a resource among the pinned ones; negative: it is not pinned. */
export function pinOf({ id, key }: JsonObject, pinned: readonly string[]): number {
  return pinned.findIndex((pin) => pin === id || (typeof key === 'string' && pin === keySign + key));
}

/** Pinned resources come before all others of the first rung, in their order. */
export function pinnedScore(place: number): number {
  return 1e300 / (place + 1);
}

/** Holds for resources that are not hidden. */
export function notHidden(hidden: readonly string[]): readonly Predicate[] {
  return hidden.map((pin) => {
    const { field, value } = referenceOf(pin);
    return { kind: 'not', of: { kind: 'in', path: [field], values: [{ type: 'string', value }] } };
  });
}

/** Checks a pin. */
export function checkPin(value: JsonValue | undefined, place: string): Pin {
  const own = checkFields(value, place, ['locale', 'text', 'pinned', 'hidden']);
  const locale = checkLocale(own.locale, `${place}.locale`);
  const text = checkString(own.text, `${place}.text`);
  if (text.length > settingsLimits.pinText || askedText(locale, [text], false).words.length === 0) {
    throw mismatch(`${place}.text`, `expected words, ${settingsLimits.pinText} characters at most`);
  }
  const { phrases, excluded } = readOperators(locale, text);
  if (phrases.length + excluded.length > 0) {
    throw mismatch(`${place}.text`, 'expected words without phrases and exclusions');
  }
  const resources = (list: JsonValue | undefined, name: string) =>
    isAbsent(list) ? [] : listOf(settingsLimits.pinned, checkReference)(list, `${place}.${name}`);
  const [pinned, hidden] = [resources(own.pinned, 'pinned'), resources(own.hidden, 'hidden')];
  if (pinned.length + hidden.length > 0) return { locale, text, pinned, hidden };
  throw mismatch(place, 'expected a resource that is pinned or hidden');
}

function checkReference(value: JsonValue | undefined, place: string): string {
  const text = checkString(value, place);
  if (referenceOf(text).value !== '' && text.length <= settingsLimits.reference) return text;
  throw mismatch(place, 'expected the id of a resource, or its key as key=sofa-1');
}
