import { below, pick, type Random, seededRandom, shuffled } from '../random.ts';
import type { Item } from './catalogue.ts';
import { goesWith } from './department-store/catalogue.ts';
import { stores } from './department-store/department-store.ts';
import type { Kind, Store } from './department-store/store.ts';
import type { Question } from './questions.ts';
import type { Stock } from './sets.ts';

/** Languages in which words stand apart, with endings and compounds of different kinds. */
export const articleLocales: readonly string[] = ['en', 'de', 'fr', 'es', 'it', 'pl'];

/** Kinds that an article is about, and those of them that a question names. */
const [kindsOfArticle, kindsOfQuestion] = [8, 5];
const featuresOfArticle = 3;
const questionsPerLanguage = 60;

/** An article, and what it is about. */
interface Article {
  readonly item: Item;
  readonly kinds: readonly Kind[];
  readonly features: readonly number[];
}

/** Articles with questions of which no article has all words. Everything follows from the seed. */
export function createArticles(articlesPerLanguage: number, seed: number): Stock {
  const stocks = stores
    .filter(({ words }) => articleLocales.includes(words.locale))
    .map((store, at) => {
      const random = seededRandom(seed * 100 + at);
      const articles = Array.from({ length: articlesPerLanguage }, (_, n) => articleOf(store, n, random));
      return { articles, questions: questionsAbout(store, articles, random) };
    });
  return {
    catalogue: stocks.flatMap(({ articles }) => articles.map(({ item }) => item)),
    questions: stocks.flatMap(({ questions }) => questions),
    synonyms: [],
  };
}

function articleOf({ words, kinds, features }: Store, n: number, random: Random): Article {
  const { locale } = words;
  const own = shuffled(kinds, random).slice(0, kindsOfArticle);
  const ownFeatures = shuffled([...features.keys()], random).slice(0, featuresOfArticle);
  const named = Array.from({ length: kindsOfArticle }, (_, at) =>
    goesWith(pick(words.goesWith, random), own[at]!, own[(at + 1) % kindsOfArticle]!),
  );
  const sentences = [...named, ...ownFeatures.map((at) => features[at]![0]), ...shuffled(words.fillers, random)];
  const texts = { name: `${pick(words.fillers, random)} ${n}`, description: shuffled(sentences, random).join(' ') };
  const document = { name: { [locale]: texts.name }, description: { [locale]: texts.description } };
  return { item: { key: `${locale}-a${n}`, locale, texts, document }, kinds: own, features: ownFeatures };
}

function questionsAbout({ words, features }: Store, articles: readonly Article[], random: Random): readonly Question[] {
  const { locale } = words;
  const right = (isRight: (article: Article) => boolean) =>
    new Set(articles.filter(isRight).map(({ item }) => item.key));
  const long = Array.from({ length: questionsPerLanguage }, (): Question => {
    const { item, kinds, features: own } = pick(articles, random);
    const asked = shuffled(kinds, random).slice(0, kindsOfQuestion);
    const feature = features[pick(own, random)]![1];
    const parts = [...asked.map((kind) => asWritten(kind, random)), feature, pick(words.unknown, random)];
    const text = `${pick(words.fillers, random)} ${shuffled(parts, random).join(' ')}`;
    return { kind: 'question', locale, text, guards: false, right: new Set([item.key]) };
  });
  // What an article says in all of the words is found by them alone.
  const guards = [...features.keys()].map((at): Question => {
    const [, asked] = features[at]!;
    return {
      kind: 'feature',
      locale,
      text: asked,
      guards: true,
      right: right(({ features: own }) => own.includes(at)),
    };
  });
  return [...long, ...guards.filter(({ right: articlesWith }) => articlesWith.size > 0)];
}

/** One or several of a kind, in one of its forms. */
function asWritten({ one, many, forms }: Kind, random: Random): string {
  const all = [one, many, ...forms];
  return all[below(random, all.length)]!.toLowerCase();
}
