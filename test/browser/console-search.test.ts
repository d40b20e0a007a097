import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import { assertSeen, findings, goWithin, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`the search of the console in a browser: skipped, ${skip}\n`);

const hostile = '<iframe onload="document.title=1"> lamp & "more"';
const products: readonly object[] = [
  {
    key: 'oak-chair',
    name: { en: 'Oak chair', de: 'Eichenstuhl' },
    color: 'brown',
    category: 'home > seats',
    price: 40,
  },
  { key: 'oak-table', name: { en: 'Oak table' }, color: 'brown', category: 'home > tables', price: 90 },
  { key: 'red-chair', name: { en: 'Red chair' }, color: 'red', category: 'home > seats', price: 120 },
  { key: 'lamp', name: { en: hostile }, color: 'red', category: 'light', price: 15 },
  {
    key: 'cushion',
    name: { en: 'Cushion' },
    description: { en: 'Goes with every chair.' },
    color: 'red',
    category: 'home > textiles',
    price: 10,
  },
];

describe('the search of the console in a browser', { skip }, () => {
  let console: TestConsole;
  let page: Page;
  const room = (project: string, query: Readonly<Record<string, string>> = {}, item = '') =>
    `${console.address}/console/${project}/search${item}?${new URLSearchParams(query)}`;
  const hits = () => page.locator('.hits .hit-title').allTextContents();
  const facet = (name: string) => page.getByRole('group', { name, exact: true });
  const group = (name: string) => page.getByRole('group', { name });
  const settingsOf = async (project: string) => (await console.api.call({ path: `/${project}/settings/search` })).json;
  const fill = async (project: string) => {
    for (const product of products) assert.equal((await console.put(product, project)).status, 201);
  };
  const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;

  before(async () => {
    console = await startTestConsole();
    page = await console.openTab('/console/searched/resources');
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
  });

  test('a search tells its rungs, what it corrected and dropped, marks words, and says why a hit is where it is', async () => {
    await fill('searched');
    await page.goto(room('searched'));
    await page.getByText('5 found').waitFor();
    await page.getByLabel('Search for').fill('oak Xýzzy qwörk');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No resource has “Xýzzy”, “qwörk”; they were left out').waitFor();
    await page.getByLabel('Search for').fill('oak chiar xyzzy');
    await page.getByLabel('With typos').check();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('“chiar” was read as “chair”').waitFor();
    await page.getByText('No resource has “xyzzy”; it was left out').waitFor();
    const [all = '', typos = '', most = ''] = await page.locator('.ladder li').allTextContents();
    assert.match(all, /^All words, in any of their forms0$/);
    assert.match(typos, /^All words, but for typos/);
    assert.match(most, /^Most of the words\d+ \(\d+ more\)$/);
    const first = page.locator('.hits > li').first();
    assert.deepEqual(await first.locator('.hit-title mark').allTextContents(), ['Oak', 'chair']);
    await first.getByText(/^Score /).click();
    const rows = await first.locator('.why tbody tr').allTextContents();
    assert.match(rows.find((row) => row.startsWith('chiar')) ?? '', /chair \(with typos\).*name\.en.*name/);
    assert.match(rows.find((row) => row.startsWith('xyzzy')) ?? '', /not there/);
    // All of it is in the address.
    const address = page.url();
    await page.goto(room('searched'));
    await page.getByText('5 found').waitFor();
    await page.goto(address);
    await page.getByText('“chiar” was read as “chair”').waitFor();
    assert.equal(await page.getByLabel('Search for').inputValue(), 'oak chiar xyzzy');
  });

  test('a document is text: its markup is marked and shown as it is', async () => {
    await fill('hostile');
    await page.goto(room('hostile', { text: 'lamp' }));
    await page.locator('.hit-title mark', { hasText: 'lamp' }).waitFor();
    assert.deepEqual(await hits(), [hostile]);
    assert.equal(await page.locator('.hits iframe').count(), 0);
  });

  test('facets are chosen as in a shop: values add up, facets narrow, categories are below each other', async () => {
    await fill('faceted');
    await page.goto(room('faceted', { facets: 'color\ncategory:tree\nprice:range(* to 50),(50 to *)' }));
    await facet('color').getByLabel('red').check();
    await page.getByText('3 found').waitFor();
    // The other values say what there would be; other facets count what is chosen.
    assert.match((await facet('color').textContent()) ?? '', /brown2/);
    assert.match((await facet('category').textContent()) ?? '', /home2seats1textiles1light1/);
    await facet('color').getByLabel('brown').check();
    await page.getByText('5 found').waitFor();
    await facet('category').getByLabel('seats').check();
    await page.getByText('2 found').waitFor();
    await facet('price').getByLabel('… – 50').check();
    await page.getByText('1 found').waitFor();
    assert.deepEqual(await hits(), ['Oak chair']);
    assert.deepEqual(new URL(page.url()).searchParams.getAll('in.color'), ['red', 'brown']);
    await page.getByText('Copy as', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await until(
      async () => /^curl 'http.*filter=color%3A%22red%22%2C%22brown%22.*subtree/.test(await copied()),
      copied,
    );
    await page.getByRole('button', { name: 'Clear what is chosen' }).click();
    await page.getByText('5 found').waitFor();
  });

  test('a search that finds nothing says what would help, and the language is the one that is asked', async () => {
    await fill('nothing');
    await page.goto(room('nothing', { text: 'chiar' }));
    await page.getByText('Nothing found.').waitFor();
    await page.getByRole('button', { name: 'chair', exact: true }).click();
    await page.getByText('3 found').waitFor();
    await page.goto(room('nothing', { text: 'eichenstuhl', language: 'de' }));
    await page.getByText('1 found').waitFor();
    assert.deepEqual(await hits(), ['Eichenstuhl']);
    await page.goto(room('nothing', { text: 'a', language: 'german' }));
    await page.getByRole('alert').waitFor();
  });

  test('settings are tried before they are saved: what is new, lost and moved', async () => {
    await fill('tried');
    await page.goto(room('tried', { queries: 'couch\nchair' }, '/settings'));
    await page.getByText('the defaults').waitFor();
    await page.getByRole('button', { name: 'Add to Synonyms' }).click();
    await group('Synonyms').getByRole('textbox', { name: 'Words' }).fill('couch, chair');
    await page.getByRole('button', { name: 'Add to Fields' }).click();
    await group('Fields').getByRole('textbox', { name: 'Path' }).fill('description');
    await page.getByRole('button', { name: 'Compare' }).click();
    const couch = page.getByRole('region', { name: 'couch' });
    await couch.getByText('2 new, 0 lost, 0 moved · 0 found, then 2').waitFor();
    const chair = page.getByRole('region', { name: 'chair' });
    assert.match((await chair.textContent()) ?? '', /0 new, 1 lost, 0 moved · 3 found, then 2/);
    assert.match((await chair.locator('.lost').textContent()) ?? '', /Cushion.*lost/);
    assert.equal((await settingsOf('tried')).version, 0, 'nothing is saved');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('version 1', { exact: true }).waitFor();
    const { synonyms, excludedPaths } = await settingsOf('tried');
    assert.deepEqual([synonyms, excludedPaths], [[{ locale: 'en', words: ['couch', 'chair'] }], ['description']]);
  });

  test('phrases, exclusions, groups and pins are shown at the hits', async () => {
    await fill('shown');
    const pins = [{ locale: 'en', text: 'chair', pinned: ['key=lamp'] }];
    assert.equal(
      (await console.api.call({ method: 'PUT', path: '/shown/settings/search', body: { pins } })).status,
      200,
    );
    await page.goto(room('shown', { text: '"oak chair"' }));
    await page.getByText('1 found').waitFor();
    assert.deepEqual(await page.locator('.hit mark').allTextContents(), ['Oak chair', 'oak-chair']);
    await page.locator('.why summary').click();
    await page.getByText('It has “oak chair” word for word.').waitFor();
    await page.goto(room('shown', { text: 'chair -cushion' }));
    await page.getByText('3 found').waitFor();
    assert.equal(await page.locator('.hits li').first().getByText('pinned').count(), 1);
    await page.getByLabel('One of each').fill('color');
    await page.getByLabel('One of each').press('Enter');
    await page.getByText('2 groups found').waitFor();
    await page.getByText('1 more with red').waitFor();
    await assertSeen(page, 'groups');
  });

  test('searched texts are listed, those without hits alone as well, and open in the workbench', async () => {
    await fill('asked');
    for (const text of ['oak chair', 'oak chair', 'sofa']) {
      await console.api.call({ path: `/asked/resource/searchApiPattern?text.en=${encodeURIComponent(text)}` });
    }
    await page.goto(room('asked'));
    await page.getByRole('link', { name: 'Searched texts' }).click();
    const texts = page.getByRole('table').getByRole('link');
    await texts.first().waitFor();
    assert.deepEqual(await texts.allTextContents(), ['oak chair', 'sofa']);
    await assertSeen(page, 'searched texts');
    await page.getByLabel('Without hits only').check();
    await until(async () => (await texts.count()) === 1);
    await texts.first().click();
    await page.getByText('Nothing found.').waitFor();
    assert.equal(await page.getByLabel('Search for').inputValue(), 'sofa');
  });

  test('all settings are edited, and what the API refuses is told at the row', async () => {
    await page.goto(room('edited', {}, '/settings'));
    await page.getByText('the defaults').waitFor();
    await page.getByLabel('Words that must match by default').selectOption('all');
    await page.getByRole('button', { name: 'Add to Weights' }).click();
    const weights = group('Weights');
    await weights.getByRole('textbox', { name: 'Path' }).fill('brand');
    await weights.getByRole('textbox', { name: 'Weight' }).fill('1000');
    await page.getByRole('button', { name: 'Add to Synonyms' }).click();
    const synonyms = group('Synonyms');
    await synonyms.getByLabel('Direction').selectOption('one way');
    await synonyms.getByRole('textbox', { name: 'These words find' }).fill('tv');
    await synonyms.getByRole('textbox', { name: 'what has these' }).fill('television set, screen');
    // A row in which nothing is written is no row.
    await page.getByRole('button', { name: 'Add to Synonyms' }).click();
    await page.getByRole('button', { name: 'Add to Names that are not languages' }).click();
    await group('Names that are not languages').getByRole('textbox', { name: 'Path' }).fill('shoeSize');
    await page.getByRole('button', { name: 'Add to Stop words' }).click();
    await group('Stop words').getByRole('textbox', { name: 'Words' }).fill('cheap, new');
    for (const [at, kind, subject] of [
      [0, 'those that match', 'inStock = true'],
      [1, 'recent ones', 'createdAt'],
      [2, 'those near a number', 'price'],
    ] as const) {
      await page.getByRole('button', { name: 'Add to Boosts' }).click();
      const row = group('Boosts').locator('.settings-row').nth(at);
      await row.getByRole('combobox').selectOption(kind);
      await row.getByRole('textbox').first().fill(subject);
    }
    await page.getByRole('button', { name: 'Add to Pinned and hidden resources' }).click();
    const pins = group('Pinned and hidden resources');
    await pins.getByRole('textbox', { name: 'Text' }).fill('oak sofa');
    await pins.getByRole('textbox', { name: 'First' }).fill('key=a, key=b');
    await page.getByLabel('Count searched texts').uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await weights.getByRole('alert').waitFor();
    assert.match((await weights.getByRole('alert').textContent()) ?? '', /expected a number above 0 and up to 100/);
    assert.equal(await weights.getByRole('textbox', { name: 'Weight' }).getAttribute('aria-invalid'), 'true');
    await weights.getByRole('textbox', { name: 'Weight' }).fill('1.5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('version 1', { exact: true }).waitFor();
    const { version, lastModifiedAt, ...saved } = await settingsOf('edited');
    assert.deepEqual(saved, {
      match: 'all',
      weights: { brand: 1.5 },
      excludedPaths: [],
      types: { shoeSize: 'plain' },
      synonyms: [{ locale: 'en', from: ['tv'], to: ['television set', 'screen'] }],
      stopWords: { en: ['cheap', 'new'] },
      boosts: [
        { where: 'inStock = true', factor: 2 },
        { recent: 'createdAt', halfLifeDays: 30, factor: 2 },
        { near: 'price', origin: 0, scale: 10, factor: 2 },
      ],
      pins: [{ locale: 'en', text: 'oak sofa', pinned: ['key=a', 'key=b'], hidden: [] }],
      countSearches: false,
    });
    await assertSeen(page, 'the settings');
    assert.ok(version === 1 && lastModifiedAt);
    // Leaving what is not saved is asked about.
    await weights.getByRole('textbox', { name: 'Weight' }).fill('3');
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.getByRole('link', { name: '← Search' }).click();
    assert.equal(await weights.getByRole('textbox', { name: 'Weight' }).inputValue(), '3');
    await page.getByRole('button', { name: 'Undo changes' }).click();
    assert.equal(await weights.getByRole('textbox', { name: 'Weight' }).inputValue(), '1.5');
  });

  test('settings that somebody else saved meanwhile are merged: both sides are kept, the rest is decided', async () => {
    const put = (body: unknown) => console.api.call({ method: 'PUT', path: '/shared/settings/search', body });
    await put({ weights: { brand: 2 }, excludedPaths: ['note'] });
    await page.goto(room('shared', {}, '/settings'));
    await page.getByText('version 1', { exact: true }).waitFor();
    await group('Weights').getByRole('textbox', { name: 'Weight' }).fill('3');
    await group('Fields').getByRole('textbox', { name: 'Path' }).fill('mine');
    await put({ weights: { brand: 2, color: 4 }, excludedPaths: ['theirs'] });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You started from version 1; version 2 is stored now.').waitFor();
    assert.deepEqual(await findings(page), []);
    const take = dialog.getByRole('button', { name: 'Merge both' });
    assert.equal(await take.isDisabled(), true, 'one setting is still to decide');
    await dialog.getByRole('radio').first().check();
    await take.click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('version 3', { exact: true }).waitFor();
    const { weights, excludedPaths } = await settingsOf('shared');
    assert.deepEqual([weights, excludedPaths], [{ brand: 3, color: 4 }, ['mine']]);
  });

  test('axe finds nothing in light and dark colours, on a phone and a desktop, and nothing is wider than the screen', async () => {
    const project = 'seen';
    await fill(project);
    const asked = { text: 'oak chiar', fuzzy: 'true', facets: 'color\ncategory:tree', 'in.color': 'brown' };
    const own = await console.openTab(`/console/${project}/search?${new URLSearchParams(asked)}`);
    await own.setViewportSize({ width: 390, height: 844 });
    await own.locator('.why summary').first().click();
    await assertSeen(own, 'search');
    await goWithin(own, `/console/${project}/search/settings?queries=chair`);
    await own.getByRole('button', { name: 'Add to Synonyms' }).click();
    await own.getByRole('textbox', { name: 'Words' }).fill('one');
    await own.getByRole('button', { name: 'Compare' }).click();
    await own.getByRole('alert').waitFor();
    await own.getByRole('textbox', { name: 'Words' }).fill('cushion, chair');
    await own.getByRole('button', { name: 'Compare' }).click();
    await own.locator('.compared').waitFor();
    await assertSeen(own, 'settings');
    await own.close();
  });

  test('nothing was asked of another host, and no script complained', () => {
    const { complaints, elsewhere } = console;
    assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  });
});
