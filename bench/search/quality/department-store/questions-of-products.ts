import { below, pick } from '../../random.ts';
import { type Asking, isOf } from './asking.ts';
import type { Traits } from './catalogue.ts';
import { edited, swapped } from './slips.ts';
import { adjectiveOf, filled, type Store } from './store.ts';

/** Questions for products by more than their kind: models, brands, colours, sizes, codes and materials. */
export function askForProducts({ store, products, random, ask, askAsWritten, upTo }: Asking): void {
  const { unspaced, materials, unknown } = store.words;
  const all = products.map(({ traits }) => traits);
  const inSingular = all.filter(({ kind }) => kind.gender !== 'p');
  const isHalf = () => random() < 0.5;

  upTo(4, all, ({ kind, brand, model }) => {
    const text = isHalf() ? `${kind.many} ${model}` : `${brand} ${model} ${kind.many}`;
    return ask('known item', text, (other) => isOf(kind)(other) && other.model === model);
  });
  const typed = all.filter(({ brand }) => brand.length >= 5 && !brand.includes(' '));
  upTo(4, typed, ({ kind, brand }) => {
    const plain = brand.toLocaleLowerCase(store.words.locale).replace("'", '');
    const wrong = random() < 0.67 ? edited(plain, random) : swapped(plain, random);
    const text = `${wrong} ${isHalf() ? kind.many : kind.one}`;
    return wrong !== plain && ask('brand with a typo', text, (other) => isOf(kind)(other) && other.brand === brand);
  });
  const hasColour =
    ({ kind, colour }: Traits) =>
    (other: Traits) =>
      isOf(kind)(other) && other.colour === colour;
  upTo(5, inSingular, (traits) => ask('attribute', coloured(store, traits, random() < 0.6), hasColour(traits)));
  upTo(2, all, (traits) => {
    const { kind, colour } = traits;
    const form = colour.forms.length > 0 ? pick(colour.forms, random) : colour.name;
    return ask('attribute', `${kind.many} ${form}`, hasColour(traits));
  });
  const measured = all.filter(({ isMeasured }) => isMeasured);
  upTo(4, measured, ({ kind, size }) =>
    ask(
      'units',
      `${kind.many} ${pick(waysToWrite(size!), random)}`,
      (other) => isOf(kind)(other) && other.size === size,
    ),
  );
  upTo(3, all, ({ sku }) => {
    const gap = ['', ' ', '-', undefined][below(random, 4)];
    return askAsWritten(
      'code',
      gap === undefined ? sku : sku.replaceAll(/[^A-Z\d]/g, gap),
      (other) => other.sku === sku,
    );
  });
  upTo(4, inSingular, (traits) => {
    const [wrong, text] = [pick(unknown, random), coloured(store, traits, false)];
    return ask('one wrong word', isHalf() ? `${wrong} ${text}` : `${text} ${wrong}`, hasColour(traits));
  });
  if (!unspaced) return;
  upTo(6, all, ({ kind, material }) => {
    const isRight = (other: Traits) => isOf(kind)(other) && other.material === material;
    return ask('no spaces', `${materials[material]!}の${kind.one}`, isRight);
  });
  upTo(5, all, (traits) => ask('no spaces', `${traits.colour.name}${traits.kind.one}`, hasColour(traits)));
}

function coloured({ words }: Store, { kind, colour }: Traits, isSeveral: boolean): string {
  const adjective = adjectiveOf(colour, kind, isSeveral);
  return filled(words.coloured, { adjective, kind: isSeveral ? kind.many : kind.one });
}

/** A size in the ways that people write it. */
function waysToWrite(size: string): readonly string[] {
  const [number, unit] = size.split(' ') as [string, string];
  if (number.includes('x')) return [number, number.replace('x', ' x '), size];
  const withOtherSign = number.replace(/[.,]/, (sign) => (sign === ',' ? '.' : ','));
  return [`${number}${unit}`, size, `${withOtherSign}${unit}`];
}
