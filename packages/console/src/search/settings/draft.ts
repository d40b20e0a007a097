import type { Json, JsonMap } from '../../api/json.ts';

/** Settings as rows that people edit. Words have commas between them. */
export interface Draft {
  readonly match: string;
  readonly weights: readonly WeightRow[];
  readonly excludedPaths: readonly string[];
  readonly types: readonly TypeRow[];
  readonly synonyms: readonly SynonymRow[];
  readonly stopWords: readonly StopWordRow[];
  readonly boosts: readonly BoostRow[];
  readonly pins: readonly PinRow[];
  readonly countSearches: boolean;
}

/** A boost of one kind; the inputs of other kinds keep what was written. */
export interface BoostRow {
  readonly kind: 'where' | 'recent' | 'near';
  /** The predicate, or the path. */
  readonly subject: string;
  readonly halfLifeDays: string;
  readonly origin: string;
  readonly scale: string;
  readonly factor: string;
}

export const emptyBoost: BoostRow = {
  ...{ kind: 'where', subject: '', halfLifeDays: '30', origin: '0', scale: '10', factor: '2' },
};

export interface PinRow {
  readonly locale: string;
  readonly text: string;
  readonly pinned: string;
  readonly hidden: string;
}

export interface WeightRow {
  readonly path: string;
  readonly weight: string;
}

export interface TypeRow {
  readonly path: string;
  readonly type: string;
}

export interface SynonymRow {
  readonly locale: string;
  readonly isOneWay: boolean;
  /** Words that find each other, or words that find `to`. */
  readonly words: string;
  readonly to: string;
}

export interface StopWordRow {
  readonly locale: string;
  readonly words: string;
}

/** Settings as the API has them, without version and time. */
export interface Settings extends JsonMap {
  readonly match: string;
  readonly weights: JsonMap;
  readonly excludedPaths: readonly string[];
  readonly types: Readonly<Record<string, string>>;
  readonly synonyms: readonly JsonMap[];
  readonly stopWords: Readonly<Record<string, readonly string[]>>;
  readonly boosts: readonly JsonMap[];
  readonly pins: readonly JsonMap[];
  readonly countSearches: boolean;
}

/** The version and the editable part of a response. */
export function settingsIn(body: JsonMap): { readonly version: number; readonly settings: Settings } {
  const { version, lastModifiedAt: _, ...settings } = body;
  return { version: Number(version), settings: settings as unknown as Settings };
}

const joined = (words: Json | undefined): string => (Array.isArray(words) ? words.join(', ') : '');
const divided = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s*,\s*/)
    .filter(Boolean);

function boostRowOf(boost: JsonMap): BoostRow {
  const kind = (['recent', 'near'] as const).find((one) => boost[one] !== undefined) ?? 'where';
  const numbers = Object.entries(boost).map(([name, value]) => [name, String(value)]);
  return { ...emptyBoost, ...Object.fromEntries(numbers), kind, subject: String(boost[kind]) };
}

const numbersOf = { where: [], recent: ['halfLifeDays'], near: ['origin', 'scale'] } as const;

function boostOf(row: BoostRow): JsonMap {
  const numbers = [...numbersOf[row.kind], 'factor' as const].map((name) => [name, weightOf(row[name])]);
  return { [row.kind]: row.subject.trim(), ...Object.fromEntries(numbers) };
}

export function draftOf(settings: Settings): Draft {
  const { match, weights, excludedPaths, types, synonyms, stopWords, boosts, pins, countSearches } = settings;
  return {
    match,
    excludedPaths,
    countSearches,
    boosts: boosts.map(boostRowOf),
    pins: pins.map(({ locale, text, pinned, hidden }) => ({
      ...{ locale: String(locale), text: String(text), pinned: joined(pinned), hidden: joined(hidden) },
    })),
    weights: Object.entries(weights).map(([path, weight]) => ({ path, weight: String(weight) })),
    types: Object.entries(types).map(([path, type]) => ({ path, type })),
    synonyms: synonyms.map(({ locale, words, from, to }) => ({
      ...{ locale: String(locale), isOneWay: words === undefined, words: joined(words ?? from), to: joined(to) },
    })),
    stopWords: Object.entries(stopWords).map(([locale, words]) => ({ locale, words: joined(words) })),
  };
}

/** The draft without rows in which nothing is written, so that the places in the API's messages are those of its rows. */
export function withoutEmptyRows(draft: Draft): Draft {
  const { weights, excludedPaths, types, synonyms, stopWords, boosts, pins } = draft;
  return {
    ...draft,
    weights: weights.filter(({ path }) => path.trim() !== ''),
    excludedPaths: excludedPaths.filter((path) => path.trim() !== ''),
    types: types.filter(({ path }) => path.trim() !== ''),
    synonyms: synonyms.filter(({ words, to }) => words.trim() !== '' || to.trim() !== ''),
    stopWords: stopWords.filter(({ words }) => words.trim() !== ''),
    boosts: boosts.filter(({ subject }) => subject.trim() !== ''),
    pins: pins.filter((row) => `${row.text}${row.pinned}${row.hidden}`.trim() !== ''),
  };
}

/** A weight that is no number goes to the API as it is, which says what it expects. */
function weightOf(text: string): Json {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

/** The settings of a draft. */
export function settingsOf(draft: Draft): Settings {
  const { match, weights, excludedPaths, types, synonyms, stopWords, boosts, pins, countSearches } =
    withoutEmptyRows(draft);
  const byLocale = Map.groupBy(stopWords, ({ locale }) => locale.trim());
  return {
    match,
    weights: Object.fromEntries(weights.map(({ path, weight }) => [path.trim(), weightOf(weight)])),
    excludedPaths: excludedPaths.map((path) => path.trim()),
    types: Object.fromEntries(types.map(({ path, type }) => [path.trim(), type])),
    synonyms: synonyms.map(({ locale, isOneWay, words, to }): JsonMap => {
      const own = { locale: locale.trim() };
      return isOneWay ? { ...own, from: divided(words), to: divided(to) } : { ...own, words: divided(words) };
    }),
    stopWords: Object.fromEntries(
      [...byLocale].map(([locale, rows]) => [locale, rows.flatMap(({ words }) => divided(words))]),
    ),
    boosts: boosts.map(boostOf),
    pins: pins.map(({ locale, text, pinned, hidden }) => ({
      ...{ locale: locale.trim(), text: text.trim(), pinned: divided(pinned), hidden: divided(hidden) },
    })),
    countSearches,
  };
}

/** A refused setting: its place, such as `synonyms[2].from[0]`, and the reason. */
export interface Refusal {
  readonly place: string;
  readonly problem: string;
}

/** The place in a message of the API; undefined where it is about the whole. */
export function refusalOf(message: string): Refusal | undefined {
  const own = message.replace(/^Malformed (?:request body|parameter: settings): /, '');
  const [, place, problem] =
    /^((?:match|weights|excludedPaths|types|synonyms|stopWords|boosts|pins)[^:]*): (.*)$/s.exec(own) ?? [];
  return place === undefined || problem === undefined ? undefined : { place, problem };
}

/** True if the refusal is about the place or something in it. */
export function isAbout({ place }: Refusal, own: string): boolean {
  return place === own || place.startsWith(`${own}.`) || place.startsWith(`${own}[`);
}
