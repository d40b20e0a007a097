import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  AuthenticationError,
  all,
  any,
  ConflictError,
  createClient,
  field,
  InvalidRequestError,
  matching,
  NotFoundError,
  PermissionError,
  type PredicateValue,
  ranges,
  ServiceError,
  terms,
  tree,
  where,
} from '../../packages/client/src/index.ts';
import { png } from '../images/pictures.ts';
import { openClients } from './open-client.ts';

interface Product {
  readonly name: { readonly en: string; readonly de?: string };
  readonly price: number;
  readonly colour?: string;
}

const { api, baseUrl, open } = await openClients();
const inProject = (projectKey: string) => open(undefined, { projectKey }).client;

describe('resources', () => {
  test('are created, found, saved, merged, replaced and deleted', async () => {
    const products = inProject('writes').resources<Product>();
    const created = await products.create({ key: 'a', name: { en: 'Chair' }, price: 1 }, { user: 'jane' });
    assert.deepEqual([created.version, created.name.en, created.createdBy.externalUserId], [1, 'Chair', 'jane']);
    assert.deepEqual(await products.get({ id: created.id }), created);
    assert.deepEqual(await products.find({ key: 'a' }), created);
    assert.equal((await products.save({ key: 'a', price: 2 })).name.en, 'Chair');
    const merged = await products.merge({ key: 'a', name: { de: 'Stuhl' }, colour: null }, { version: 2 });
    assert.deepEqual([merged.version, merged.name], [3, { en: 'Chair', de: 'Stuhl' }]);
    const replaced = await products.replace({ key: 'a', name: { en: 'Stool' }, price: 3 });
    assert.deepEqual([replaced.version, replaced.name], [4, { en: 'Stool' }]);
    assert.deepEqual(await products.delete({ key: 'a' }, { version: 4 }), replaced);
    assert.equal(await products.find({ key: 'a' }), undefined);
  });

  test('have ids and keys of any characters', async () => {
    const products = inProject('names').resources();
    for (const text of ['a/b', 'key=c', 'ä?#%', '100%25', ' ']) {
      await products.save({ key: text });
      assert.equal((await products.get({ key: text })).key, text);
    }
  });

  test('keep integers of 64 bits, which are a bigint where a number would be rounded', async () => {
    const numbers = inProject('numbers').resources<{ readonly big: bigint; readonly small: number }>();
    await numbers.create({ key: 'a', big: 9007199254740993n, small: 1 });
    const { big, small } = await numbers.get({ key: 'a' });
    assert.deepEqual([big, small], [9007199254740993n, 1]);
  });

  test('are updated by several at once without a lost update: each rebases on what the others made', async () => {
    const { client, urls } = open(undefined, { projectKey: 'rebase' });
    const counters = client.resources<{ readonly count: number }>();
    await counters.create({ key: 'a', count: 0 });
    const increment = () =>
      counters.update({ key: 'a' }, ({ count }) => [{ action: 'setField', path: 'count', value: count + 1 }]);
    await Promise.all(Array.from({ length: 12 }, increment));
    assert.equal((await counters.get({ key: 'a' })).count, 12);
    assert.ok(urls.length > 26, `${urls.length} requests: no update was overtaken`);
  });

  test('are added to in one request each, without a version', async () => {
    const { client, urls } = open(undefined, { projectKey: 'increments' });
    const counters = client.resources<{ readonly count: number }>();
    await counters.create({ key: 'a', count: 0 });
    const before = urls.length;
    const increment = () => counters.update({ key: 'a' }, [{ action: 'incrementNumber', path: 'count', by: 1 }]);
    await Promise.all(Array.from({ length: 12 }, increment));
    assert.equal(urls.length - before, 12);
    assert.equal((await counters.get({ key: 'a' })).count, 12);
  });

  test('are not written by an update without actions, and not rebased where the version is given', async () => {
    const products = inProject('versions').resources<Product>();
    await products.create({ key: 'a', name: { en: 'Chair' }, price: 1 });
    assert.equal((await products.update({ key: 'a' }, () => [])).version, 1);
    const touched = await products.update({ key: 'a' }, [{ action: 'doSomeThing' }]);
    assert.equal(touched.version, 2);
    const stale = products.update({ key: 'a' }, [{ action: 'doSomeThing' }], { version: 1 });
    await assert.rejects(stale, (error: unknown) => {
      assert.ok(error instanceof ConflictError);
      assert.deepEqual([error.status, error.code, error.currentVersion], [409, 'ConcurrentModification', 2]);
      return true;
    });
  });
});

describe('errors', () => {
  test('have a class, a code and the id of the request in the log', async () => {
    const products = inProject('errors').resources();
    await products.create({ key: 'a' });
    await assert.rejects(products.create({ key: 'a' }), {
      name: 'ConflictError',
      code: 'PreconditionFailed',
      status: 412,
    });
    await assert.rejects(products.get({ key: 'b' }), (error: unknown) => {
      assert.ok(error instanceof NotFoundError && error instanceof ServiceError && error.correlationId);
      return error.message === "The Resource with key 'b' was not found.";
    });
    await assert.rejects(products.list({ limit: 501 }), InvalidRequestError);
    const readOnly = {
      credentials: { clientId: 'test-admin', clientSecret: 'a secret for tests only', scope: 'view_test:errors' },
    };
    await assert.rejects(
      open(undefined, { projectKey: 'errors', ...readOnly })
        .client.resources()
        .create({ key: 'c' }),
      PermissionError,
    );
    const credentials = { clientId: 'test-admin', clientSecret: 'wrong' };
    await assert.rejects(open(undefined, { credentials }).client.project(), AuthenticationError);
  });
});

describe('a publishable key', () => {
  test('reads and searches what is published, and nothing else', async () => {
    await inProject('pages')
      .resources()
      .create({ key: 'a', name: { en: 'Red shoe' } });
    const body = { name: 'Pages', publishable: true };
    const path = '/pages/api-clients';
    const { key } = (await api.call({ method: 'POST', path, body, scope: 'manage_api_clients:pages' })).json;
    const client = createClient({ baseUrl, projectKey: 'pages', publishableKey: key });
    const products = client.resources();
    assert.equal((await products.get({ key: 'a' })).createdBy, undefined);
    assert.equal((await products.search({ text: { en: 'shoes' } })).total, 1);
    assert.equal((await products.suggest('en', 'sho')).suggestions.length, 1);
    await assert.rejects(products.create({ key: 'b' }), PermissionError);
    const wrong = createClient({ baseUrl, projectKey: 'pages', publishableKey: `${key}x` });
    await assert.rejects(wrong.resources().get({ key: 'a' }), AuthenticationError);
    const both = { baseUrl, projectKey: 'pages', publishableKey: key, token: () => key };
    assert.throws(() => createClient(both), /either credentials, publishableKey or token/);
  });
});

describe('a session', () => {
  test('has a cart of its own, with the scope of the backend actions alone', async () => {
    const credentials = { clientId: 'test-admin', clientSecret: 'a secret for tests only', scope: 'use_backend:carts' };
    const { client } = open(undefined, { projectKey: 'carts', credentials });
    const [mine, other] = [client.session(crypto.randomUUID()), client.session(crypto.randomUUID())];
    assert.deepEqual(await mine.read(), {});
    await mine.write({ lineItems: [{ name: 'Shoe', price: { centAmount: 4900, currencyCode: 'EUR' } }], note: 'x' });
    assert.equal((await mine.write<{ note?: string }>({ note: null })).note, undefined);
    const { lineItems, sum } = await mine.cart();
    assert.deepEqual([lineItems.length, sum.centAmount], [1, 4900]);
    assert.equal((await other.cart()).lineItems.length, 0);
    await assert.rejects(client.session('short').cart(), InvalidRequestError);
    await assert.rejects(client.resources().list(), PermissionError);
  });
});

describe('predicates', () => {
  test('quote values, lists, dates, names and other predicates', () => {
    const rows: readonly (readonly [unknown, string])[] = [
      [where`a = ${'x" or b = "y'}`, 'a = "x\\" or b = \\"y"'],
      [where`a in ${[1, 2n, 'z']} and b = ${true}`, 'a in (1, 2, "z") and b = true'],
      [where`at > ${new Date(0)}`, 'at > "1970-01-01T00:00:00.000Z"'],
      [where`${field('my field', 'en')} = ${1e21}`, '`my field`.en = 1e21'],
      [where`not ${any([where`a = 1`, where`b = 2`])}`, 'not ((a = 1) or (b = 2))'],
      [all([where`a = 1`]), '(a = 1)'],
    ];
    for (const [predicate, text] of rows) assert.equal(String(predicate), text);
    for (const bad of [undefined, null, Number.NaN, [], {}]) {
      assert.throws(() => where`a = ${bad as unknown as PredicateValue}`, TypeError);
    }
  });

  test('find exactly the text that was put in, whatever it is', async () => {
    const notes = inProject('predicates').resources<{ readonly note: string; readonly odd: Record<string, string> }>();
    await notes.create({ key: 'other', note: 'other', odd: {} });
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, text, async (note, name) => {
        await notes.replace({ key: 'one', note, odd: { [name]: note } });
        const predicate = where`note = ${note} and ${field('odd', name)} = ${note}`;
        assert.deepEqual(
          (await notes.list({ where: predicate })).results.map(({ key }) => key),
          ['one'],
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('lists', () => {
  test('give all resources once, or pages, or whether there is one', async () => {
    const items = inProject('lists').resources<{ readonly n: number }>();
    for (let n = 0; n < 23; n += 1) await items.create({ key: `k${n}`, n });
    const seen: number[] = [];
    for await (const { n } of items.all({ where: where`n >= ${3}`, limit: 7 })) seen.push(n);
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index + 3),
    );
    const sizes: number[] = [];
    for await (const page of items.pages({ sort: 'n desc', limit: 10 })) sizes.push(page.count);
    const fromEleventh: number[] = [];
    for await (const { results } of items.pages({ sort: 'n desc', limit: 5, offset: 11, fields: 'n' })) {
      fromEleventh.push(...results.map(({ n }) => n));
    }
    assert.deepEqual(
      fromEleventh,
      Array.from({ length: 12 }, (_, index) => 11 - index),
    );
    const byKey: (string | undefined)[] = [];
    for await (const { key } of items.all({ sort: 'key desc', limit: 4, fields: 'key' })) byKey.push(key);
    assert.deepEqual(byKey, [...byKey].sort().reverse());
    assert.equal(byKey.length, 23);
    assert.deepEqual(sizes, [10, 10, 3]);
    assert.equal(await items.exists(where`n = ${5}`), true);
    assert.equal(await items.exists(where`n = ${50}`), false);
    const named = await items.list({ where: ['key = :key', where`n < 9`], variables: { key: 'k4' } });
    assert.deepEqual(
      named.results.map(({ n }) => n),
      [4],
    );
  });

  test('with 500 ids in a predicate are sent as a form', async () => {
    const { client, urls } = open(undefined, { projectKey: 'long' });
    const items = client.resources();
    const { id } = await items.create({ key: 'a' });
    const ids = [...Array.from({ length: 499 }, () => crypto.randomUUID() as string), id];
    assert.deepEqual(
      (await items.list({ where: where`id in ${ids}` })).results.map(({ key }) => key),
      ['a'],
    );
    assert.ok(urls.includes('POST /long/resource/sorted-query-parameters'));
  });
});

test('a search returns facets under the names and in the shapes that were asked for', async () => {
  const products = inProject('search').resources<Product>();
  await products.create({ key: 'a', name: { en: 'Red shoe' }, price: 10, colour: 'red' });
  await products.create({ key: 'b', name: { en: 'Blue shoe' }, price: 60, colour: 'blue' });
  const { results, total, facets } = await products.search({
    text: { en: 'shoes' },
    filter: where`price < ${50}`,
    facets: { colours: terms('colour'), prices: ranges('price', [0, 50], [50, null]), red: matching('colour', 'red') },
  });
  assert.deepEqual([results.map(({ key }) => key), total], [['a'], 1]);
  assert.deepEqual(
    facets.colours.terms.map(({ term }) => term),
    ['blue', 'red'],
  );
  assert.deepEqual(
    facets.prices.ranges.map(({ count }) => count),
    [1, 1],
  );
  assert.equal(facets.red.count, 1);
});

test('a search marks words and counts categories, and what is typed is completed', async () => {
  const products = inProject('typing').resources<{
    readonly name: { readonly en: string };
    readonly category: string;
  }>();
  await products.create({ key: 'a', name: { en: 'Red shoe' }, category: 'clothing > shoes' });
  const { results, highlights, facets } = await products.search({
    ...{ text: { en: 'sho' }, prefix: true, match: 'all', highlight: true },
    facets: { all: tree('category'), below: tree('category', 'clothing') },
  });
  assert.equal(highlights?.[results[0]!.id]?.[0]?.html, 'Red <mark>shoe</mark>');
  assert.deepEqual(
    facets.all.terms.map(({ term, level }) => [term, level]),
    [
      ['clothing', 1],
      ['clothing > shoes', 2],
    ],
  );
  assert.equal(facets.below.terms.length, 1);
  const { suggestions } = await products.suggest('en', 'red s', { where: 'key = "a"', limit: 3 });
  assert.deepEqual(suggestions.map(({ text }) => text).toSorted(), ['red shoe']);
  const { total, groups } = await products.search({ text: { en: 'shoe -lamp' }, group: 'missing' });
  assert.deepEqual(
    groups,
    Array.from({ length: total! }, () => ({ count: 1 })),
  );
  const { searches } = await inProject('typing').searches({ locale: 'en', limit: 1 });
  assert.equal(searches[0]!.locale, 'en');
});

test('an upload reports its progress, and the project counts what it holds', async () => {
  const client = inProject('images');
  const bytes = await png(300, 200, true);
  const sent: number[] = [];
  const variant = await client.images.upload(new Blob([new Uint8Array(bytes)], { type: 'image/png' }), {
    sku: 'shoe-1',
    staged: false,
    onProgress({ sentBytes, totalBytes }) {
      assert.equal(totalBytes, bytes.length);
      sent.push(sentBytes);
    },
  });
  assert.equal(variant.imageDetails[0]?.dimensions.w, 300);
  assert.equal(sent.at(-1), bytes.length);
  assert.deepEqual(
    sent,
    [...sent].sort((a, b) => a - b),
  );
  assert.deepEqual(
    (await client.images.list({ sku: 'shoe-1' })).results.map(({ id }) => id),
    [variant.id],
  );
  assert.deepEqual((await client.project()).counts, { resources: 0, imageVariants: 1 });
});
