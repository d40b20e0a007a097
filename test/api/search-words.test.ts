import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '../start-test-api.ts';

/** Words as they are written: which of some names a text finds, and in which order, by kinds of rules and languages. */

const api = await startTestApi();
after(() => api.close());
let projects = 0;

/** What is found, in this order; and what is not. */
type Case = readonly [locale: string, text: string, found: readonly string[], not?: readonly string[]];

/** The last name is written first, so that equal scores would turn the order round. */
async function found([locale, text, names, not = []]: Case, more: Readonly<Record<string, string>> = {}) {
  projects += 1;
  const path = `/words-${projects}/resource`;
  for (const name of [...names, ...not].reverse()) {
    const { status, text: response } = await api.call({ method: 'POST', path, body: { name: { [locale]: name } } });
    assert.equal(status, 201, response);
  }
  const query = new URLSearchParams({ [`text.${locale}`]: text, ...more });
  const { status, json, text: response } = await api.call({ path: `${path}/searchApiPattern?${query}` });
  assert.equal(status, 200, response);
  return json.results.map(({ name }: { readonly name: Readonly<Record<string, string>> }) => name[locale]);
}

function cases(claim: string, all: readonly Case[], more?: Readonly<Record<string, string>>): void {
  test(claim, async () => {
    const line = ([locale, text]: Case, names: readonly string[]) => `${locale}: ${text} → ${names.join(' | ')}`;
    const answers: string[] = [];
    for (const each of all) answers.push(line(each, await found(each, more)));
    assert.deepEqual(answers.join('\n'), all.map((each) => line(each, each[2])).join('\n'));
  });
}

cases('a word finds itself before compounds, and these before words that only end in its letters', [
  ['de', 'Stuhl', ['Stuhl für Garten und Balkon', 'Bürostuhl', 'brennenstuhl Kabel 3m']],
  ['de', 'Tisch', ['Tische', 'Esstische', 'Couchtisch Eiche', 'Praktisches Set', 'Atlantischer Lachs Filet']],
  ['de', 'Kette', ['Kette', 'Halskette Silber mit Anhänger', 'Etikette']],
  ['de', 'Ente', ['Ente', 'Badeente gelb', 'Medikamente']],
  ['de', 'Ring', ['Ring', 'Ohrring aus Gold'], ['Hering']],
  ['de', 'Mehl', ['Mehl', 'Dinkelvollkornmehl']],
  ['nl', 'stoel', ['stoel voor de tuin', 'kinderstoel van hout']],
  ['nl', 'ring', ['ring', 'sleutelring van staal', 'verzekering']],
  ['nl', 'lamp', ['lamp', 'bureaulamp zwart']],
  ['sv', 'ring', ['ring', 'nyckelring i stål', 'förstoring']],
  ['sv', 'stol', ['stol', 'kontorsstol svart', 'epistol']],
  ['sv', 'väska', ['väska', 'skolväska blå']],
  ['da', 'ring', ['ring', 'nøglering i stål', 'forsikring']],
  ['da', 'stol', ['stol', 'kontorstol sort']],
  ['nb', 'ring', ['ring', 'nøkkelring i stål', 'forsikring']],
  ['nn', 'stol', ['stol', 'kontorstol svart']],
  ['fi', 'tuoli', ['tuoli', 'puutarhatuoli puuta']],
  ['fi', 'pallo', ['pallo', 'jalkapallo nahkaa', 'gallopallo']],
  ['hu', 'szék', ['szék', 'kertiszék fából']],
  ['hu', 'óra', ['óra', 'falióra fából', 'kamfora']],
  // A first part that only the project has as a word.
  ['de', 'Becher', ['Becher', 'Pikachubecher klein', 'Xolchubecher'], ['Pikachu Figur']],
  ['sv', 'mugg', ['mugg', 'mumintrollmugg liten', 'xolchumugg'], ['mumintroll figur']],
]);

cases(
  'what has a word with one edit comes before what has one with two, even in a longer name; and so do other forms of that word',
  [
    ['de', 'Schredder', ['Ein Shredder für Papier, Karten und alte CDs im Büro', 'Schneider']],
    ['en', 'botttles', ['Two large green bottles for water, milk and juice', 'Bottle', 'Battles']],
    ['fr', 'casmeroles', ['Un lot de casseroles en inox pour tous les feux', 'Casserole', 'Casmarolles']],
    ['nl', 'tafrels', ['Set van twee tafels voor binnen en voor buiten', 'Tafel', 'Takels']],
    ['sv', 'klockkor', ['Två små klockor för kök och badrum', 'Klocka', 'Blockor']],
    ['es', 'cakmisas', ['Dos camisas de algodón para el verano', 'Camisa', 'Calmosas']],
    ['it', 'spazkzole', ['Due spazzole per capelli lunghi e corti', 'Spazzola', 'Spaziole']],
    ['pl', 'krzesklo', ['Jedno krzesło do kuchni albo do jadalni', 'Krzesła', 'Krzesimo']],
  ],
  { fuzzy: 'true' },
);
