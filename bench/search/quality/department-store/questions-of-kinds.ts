import { pick, type Random } from '../../random.ts';
import { type Asking, isOf } from './asking.ts';
import { edited, folded, isOneEditAway, swapped } from './slips.ts';
import type { Kind, Store } from './store.ts';
import { departments, models } from './words/departments.ts';

/** Questions for a kind of products by its name, a form of it, or a slip of the pen. */
export function askForKinds(asking: Asking): void {
  const { store, random, ask, upTo } = asking;
  const { words, kinds } = store;
  const inSingular = kinds.filter(({ gender }) => gender !== 'p');
  const isGeneric = ({ key }: Kind) => kinds.some((other) => other.key !== key && other.within.has(key));
  const oneOrMany = ({ one, many }: Kind) => (random() < 0.5 ? one : many);
  askWithSlips(asking, inSingular);

  upTo(4, inSingular.filter(isGeneric), (kind) => ask('head noun', kind.one, isOf(kind)));
  const others = inSingular.filter((kind) => !isGeneric(kind));
  upTo(3, others, (kind) => ask('head noun', oneOrMany(kind), isOf(kind)));
  for (const kind of kinds) {
    if (kind.synonym)
      ask('other name', kind.synonym, (traits) => traits.synonym === kind.synonym && isOf(kind)(traits));
  }
  const forms = kinds.flatMap((kind) => [...kind.forms, kind.many, kind.genitive].map((form) => [kind, form] as const));
  if (!words.unspaced) upTo(9, forms, ([kind, form]) => ask('other form', form, isOf(kind)));

  const spelled = kinds.filter(({ spellings }) => spellings.length > 0);
  const spelling = words.compounds ? 'compounds' : 'other spelling';
  upTo(words.unspaced ? 14 : words.compounds ? 8 : 4, spelled, (kind) =>
    ask(spelling, pick(kind.spellings, random), isOf(kind)),
  );

  const { least, start } = lengths(words.locale);
  const long = inSingular.filter(({ one }) => [...one].length >= least && !one.includes(' '));
  upTo(4, long, ({ one }) => {
    const letters = [...one.toLocaleLowerCase(words.locale)];
    const count = Math.max(start, Math.floor(letters.length * (0.5 + random() * 0.3)));
    const beginning = letters.slice(0, count).join('');
    const begun = kinds.filter((kind) => wordsOf(store, kind).some((word) => word.startsWith(folded(beginning))));
    return ask('beginning', beginning, (traits) => begun.some((kind) => isOf(kind)(traits)));
  });
}

/** From how many letters on a word is asked for by its beginning, and how many letters that has. */
function lengths(locale: string): { readonly least: number; readonly start: number } {
  if (locale === 'ja') return { least: 4, start: 3 };
  return locale === 'ar' ? { least: 5, start: 3 } : { least: 7, start: 4 };
}

const wordsOf = ({ words }: Store, { one, many }: Kind) =>
  [one, many].flatMap((name) => folded(name.toLocaleLowerCase(words.locale)).split(' '));

function askWithSlips({ store, random, ask, upTo }: Asking, kinds: readonly Kind[]): void {
  const { locale, compounds, unspaced, letters } = store.words;
  const small = (text: string) => text.toLocaleLowerCase(locale);
  const isTyped = (word: string) =>
    unspaced ? /^[ァ-ー]{5,}$/.test(word) : !/[ '-]/.test(word) && [...word].length >= (locale === 'ar' ? 4 : 5);
  const typed = kinds.filter(({ one }) => isTyped(one));
  const askSlip = (
    name: string,
    kind: Kind,
    word: string,
    slip: (word: string, random: Random, letters?: string) => string,
  ) => {
    const text = slip(small(word), random, letters);
    return isSlipOf(store, kind, text) && ask(name, text, isOf(kind));
  };
  upTo(5, typed, (kind) => {
    const word = random() < 0.5 && !/[ ']/.test(kind.many) ? kind.many : kind.one;
    return askSlip('one edit', kind, word, edited);
  });
  upTo(4, typed, (kind) => askSlip('swapped letters', kind, kind.one, swapped));
  if (!compounds) return;
  const compound = kinds.filter(({ one, spellings }) => spellings.length > 0 && !one.includes(' '));
  upTo(3, compound, (kind) => askSlip('compound with a typo', kind, kind.one, edited));
}

const names = [...models, ...departments.flatMap(({ brands }) => brands)].map(folded);

/** False for a word as it is, and for one that is as near to a word of other products, or is the beginning of one. */
function isSlipOf({ words, kinds }: Store, kind: Kind, slip: string): boolean {
  const small = (text: string) => folded(text.toLocaleLowerCase(words.locale));
  const formsOf = ({ one, many, forms, spellings }: Kind) => [one, many, ...forms, ...spellings].map(small);
  const text = small(slip);
  const others = kinds.filter(({ within }) => !within.has(kind.key)).flatMap(formsOf);
  return (
    !formsOf(kind).includes(text) &&
    ![...names, ...others].some((other) => other.startsWith(text) || isOneEditAway(text, other))
  );
}
