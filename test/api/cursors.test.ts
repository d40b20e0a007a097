import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLists, queryOf } from './open-lists.ts';

const { create, stage, get, post } = await openLists();
const long = 'the same beginning, longer than the key of an index: ';
const drafts = Array.from({ length: 23 }, (_, at) =>
  JSON.stringify({
    key: `k${at}`,
    title: `${long}${at % 5}`,
    ...(at % 4 === 0 ? {} : { rank: [at % 3, 100][at % 2] }),
    name: { en: at % 2 === 0 ? 'red shoe' : 'blue shoe' },
    objectTypeProperty: { arrayOfStringExample: ['x'] },
  }),
);
const ids = await create('shop', ...drafts);
await stage('shop', ids[3]!, 'staged');
const lists = ['/shop/resource', '/shop/resource/sorted-query-parameters', '/shop/resource/searchApiPattern'];

/** All ids of a list, by following `Link` from page to page. */
async function walk(first: string): Promise<{ readonly met: readonly string[]; readonly pages: number }> {
  const met: string[] = [];
  let pages = 0;
  for (let url: string | undefined = first; url !== undefined; ) {
    const response = await get(url);
    assert.equal(response.status, 200, `${url}: ${response.text}`);
    met.push(...response.json.results.map(({ id }: { id: string }) => id));
    pages += 1;
    const link: string | undefined = /^<([^>]+)>; rel="next"$/.exec(response.headers.link ?? '')?.[1];
    assert.equal(link === undefined, response.json.next === undefined);
    if (link) assert.ok(link.endsWith(`cursor=${response.json.next}`));
    url = link;
  }
  return { met, pages };
}

for (const path of lists) {
  test(`${path}: pages follow one another by cursor, in the order of the list as a whole`, async () => {
    const queries = [
      ...['', 'sort=title&sort=rank+desc', 'sort=rank', 'sort=rank+desc&staged=true', 'sort=createdAt+desc'],
      ...[
        'sort=key',
        'sort=key+desc',
        'sort=id+desc',
        queryOf(['where', 'rank > 0']),
        queryOf(['where', 'title is defined']),
      ],
      ...[queryOf(['where', 'key in :k'], ['var.k', 'k1'], ['var.k', 'k2'], ['var.k', 'k3'])],
    ];
    for (const query of queries) {
      const whole = await get(`${path}?${query}&limit=500`);
      const expected = whole.json.results.map(({ id }: { id: string }) => id);
      assert.equal(whole.json.next, undefined);
      const { met, pages } = await walk(`${path}?${query}&limit=4`);
      const isOrdered = query.includes('sort') || path.endsWith('Pattern');
      assert.deepEqual(isOrdered ? met : [...met].sort(), isOrdered ? expected : expected.sort(), query);
      assert.equal(pages, Math.max(1, Math.ceil(expected.length / 4)), query);
    }
  });

  test(`${path}: a cursor of another query, a changed one and one beside an offset are refused`, async () => {
    const query = 'sort=rank&limit=2';
    const { json } = await get(`${path}?${query}`);
    const refused = async (url: string, problem: RegExp) => {
      const response = await get(url);
      assert.equal(response.status, 400, url);
      assert.match(response.json.message, problem);
    };
    await refused(
      `${path}?sort=rank+desc&cursor=${json.next}`,
      /Malformed parameter: cursor: it was made for another query/,
    );
    await refused(`${path}?${query}&staged=true&cursor=${json.next}`, /another query/);
    await refused(`${path.replace('shop', 'shop2')}?${query}&cursor=${json.next}`, /another query/);
    await refused(`${path}?${query}&offset=2&cursor=${json.next}`, /Malformed parameter: offset/);
    const flipped = (at: number) =>
      json.next.slice(0, at) + (json.next[at] === 'A' ? 'B' : 'A') + json.next.slice(at + 1);
    for (const at of [0, 4, 20, Math.floor(json.next.length / 2), json.next.length - 3]) {
      await refused(
        `${path}?${query}&cursor=${flipped(at)}`,
        /Malformed parameter: cursor: expected the `next` of a page/,
      );
    }
    for (const text of ['', 'x', '%00', `${json.next}A`, json.next.slice(0, -8)]) {
      await refused(`${path}?${query}&cursor=${text}`, /Malformed parameter: cursor/);
    }
  });

  test(`${path}: limit, withTotal and expand may differ from page to page; a total is counted if it is asked for`, async () => {
    const { json } = await get(`${path}?sort=key&limit=2`);
    const next = await get(`${path}?sort=key&limit=7&expand=parent&withTotal=true&cursor=${json.next}`);
    assert.deepEqual([next.json.count, next.json.total, next.json.offset], [7, 23, 0]);
    assert.equal((await get(`${path}?sort=key&cursor=${json.next}`)).json.total, undefined);
  });

  test(`${path}: beyond the last offset the error names the cursor`, async () => {
    const { status, json } = await get(`${path}?offset=10001`);
    assert.equal(status, 400);
    assert.match(json.message, /offset: expected an integer from 0 to 10000; .*`next` of a page as `cursor`/);
  });

  test(`${path}: a form has a cursor, too, however long it is`, async () => {
    const words = 'w'.repeat(20_000);
    const key = path.split('/').at(-1)!;
    await create('long', ...[1, 2, 3].map((at) => JSON.stringify({ key: `${key}-${at}`, words: words + at })));
    const url = path.replace('shop', 'long');
    const met: string[] = [];
    let next: string | undefined;
    do {
      const page = await post(url, `sort=words&sort=key&limit=1${next === undefined ? '' : `&cursor=${next}`}`);
      assert.equal(page.headers.link, undefined);
      met.push(...page.json.results.map(({ key }: { key: string }) => key));
      next = page.json.next;
    } while (next !== undefined);
    assert.equal(new Set(met).size, met.length);
    assert.ok(met.length >= 3);
    assert.equal((await get(`${url}?sort=words&limit=1`)).headers.link, undefined);
  });
}

test('a search has pages by cursor in the order of relevance, in that of its ties and in that of fields', async () => {
  const path = '/shop/resource/searchApiPattern';
  const queries = [
    ...['text.en=shoe', 'text.en=red+shoe', 'text.en=bluee+shoe&fuzzy=true', 'text.en=red+blue&match=most'],
    ...['text.en=shoe&sort=score+desc&sort=rank+desc', 'text.en=red+shoe&sort=score+desc&sort=title&staged=true'],
    ...['text.en=shoe&sort=key+desc&facet=name.en', 'text.en=red+shoe&explain=true'],
  ];
  for (const query of queries) {
    const { json } = await get(`${path}?${query}&limit=500`);
    const expected = json.results.map(({ id }: { id: string }) => id);
    assert.ok(expected.length > 5, query);
    for (const limit of [1, 4, 5]) {
      const { met, pages } = await walk(`${path}?${query}&limit=${limit}`);
      assert.deepEqual(met, expected, query);
      assert.equal(pages, Math.ceil(expected.length / limit), query);
    }
  }
});

test('what nobody writes is met once by a search by relevance, whatever others write between its pages', async () => {
  const draft = (key: string, en: string) => JSON.stringify({ key, name: { en } });
  const name = (at: number) => ['oak table', 'oak chair', 'oak and beech table', 'beech'][at % 4]!;
  await create('moving', ...Array.from({ length: 24 }, (_, at) => draft(`old-${at}`, name(at))));
  const url = '/moving/resource/searchApiPattern?text.en=oak+table&match=auto&limit=4&sort=score+desc&sort=key';
  const whole = await get(url.replace('limit=4', 'limit=500'));
  const old = (page: typeof whole): string[] =>
    page.json.results.map(({ key }: { key: string }) => key).filter((key: string) => key.startsWith('old-'));
  const met: string[] = [];
  let link = '';
  for (let at = 0; ; at += 1) {
    const page = await get(`${url}${link}`);
    met.push(...old(page));
    if (page.json.next === undefined) break;
    link = `&cursor=${page.json.next}`;
    // Makes the rare word the frequent one.
    await create('moving', ...Array.from({ length: 20 }, (_, n) => draft(`new-${at}-${n}`, 'table')));
  }
  assert.ok(met.length >= 6);
  assert.deepEqual(met, old(whole));
});
