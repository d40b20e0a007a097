import { rowsOf } from '../words/shop-words.ts';
import { type Asking, guardKind, isOf } from './asking.ts';
import type { Traits } from './catalogue.ts';
import { adjectiveOf, filled } from './store.ts';

/** Questions as people say them, with words that no product has, and for what stands in descriptions alone. */
export function askInSentences({ store, products, ask, askAsWritten, upTo }: Asking): void {
  const { words, kinds, features } = store;
  const inSingular = products.map(({ traits }) => traits).filter(({ kind }) => kind.gender !== 'p');
  const askAll = (name: string, count: number, texts: readonly string[]) => {
    let asked = 0;
    upTo(count, inSingular, (traits) => {
      const text = texts[asked % texts.length]!;
      const isAdded = ask(name, said(text, traits), (other) => {
        const isColour = !/adjective|colour/.test(text) || other.colour === traits.colour;
        return isColour && isOf(traits.kind)(other);
      });
      if (isAdded) asked += 1;
      return isAdded;
    });
  };
  askAll('stop words', 4, words.withSmallWords);
  askAll('request', 3, words.withRequests);
  for (const [text, key, colour, size] of rowsOf(words.sentences)) {
    const kind = kinds.find((each) => each.key === key)!;
    askAsWritten('sentence', text!, (traits) => {
      const isColour = !colour || traits.colour.key === colour;
      return isColour && (!size || traits.size?.startsWith(size) === true) && isOf(kind)(traits);
    });
  }
  upTo(8, [...features.entries()], ([at, [, asked]]) =>
    askAsWritten(guardKind, asked, ({ feature }) => feature === at),
  );
}

function said(text: string, { kind, colour }: Traits): string {
  return filled(text, {
    ...{ kind: kind.one, kinds: kind.many, genitive: kind.genitive, colour: colour.name },
    ...{ adjective: adjectiveOf(colour, kind, false), adjectives: adjectiveOf(colour, kind, true) },
  });
}
