import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import type { Change } from '../../../src/domain/ports/resource-store.ts';
import { indexDifference } from '../../../src/storage/index/index-entries.ts';
import { groupWords } from '../../../src/storage/index/word-groups.ts';
import { wordOfTerm } from '../../../src/storage/index/word-terms.ts';
import { createIndexer } from '../../../src/storage/sqlite/indexing/indexer.ts';
import { creation, deletion, document, replacement } from '../records.ts';

const indexer = createIndexer(['tags']);
after(() => indexer.close());

/** Some thousand words in scripts with and without spaces. */
const long = 'red 红色的鞋子。 รองเท้าสีแดง '.repeat(700);
const small = document('a', 1, { name: { en: 'shoe' }, n: JSON.rawJSON('9007199254740993') as never });
const large = document('a', 2, { name: { zh: long }, n: JSON.rawJSON('9007199254740995') as never });
const wide = document('a', 3, { tags: Array.from({ length: 5000 }, (_, at) => `tag ${at}`), deep: [[{ a: [long] }]] });

/** What the index has to change, computed at once. */
function expected(change: Change) {
  const before = change.kind === 'create' ? undefined : change.before;
  const after = change.kind === 'delete' ? undefined : change.after;
  const { gained, ...terms } = indexDifference('p', before, after, ['tags']);
  return { ...terms, addedWords: groupWords(gained) };
}

const inThread: readonly (readonly [claim: string, change: Change])[] = [
  ['a large document that is created', creation('p', large)],
  ['a small one that becomes large', replacement('p', small, large)],
  ['a large one that becomes small', replacement('p', large, small)],
  ['one of many values', replacement('p', large, wide)],
  ['a large one that is deleted', deletion('p', wide)],
  [
    'a large one that is staged',
    { ...replacement('p', small, small), after: { current: small, staged: large }, next: nextStaged() } as Change,
  ],
];

function nextStaged() {
  const change = replacement('p', small, small);
  assert.ok(change.kind === 'update');
  return { ...change.next, staged: JSON.stringify(large) };
}

test('the indexer leaves large documents to a thread, with the same results as without one', async () => {
  for (const [claim, change] of inThread) {
    const found = indexer.differenceOfLarge(change);
    assert.ok(found instanceof Promise, `${claim}: no one must wait for it`);
    assert.deepEqual(await found, expected(change), claim);
  }
});

test('the indexer takes several large documents at once, and gives each its own result', async () => {
  const found = await Promise.all(inThread.map(([, change]) => indexer.differenceOfLarge(change)));
  assert.deepEqual(
    found,
    inThread.map(([, change]) => expected(change)),
  );
});

test('the indexer leaves small documents to the writer', () => {
  for (const change of [
    creation('p', small),
    replacement('p', small, { ...small, version: 2 }),
    deletion('p', small),
  ]) {
    assert.equal(indexer.differenceOfLarge(change), undefined);
  }
});

test('the indexer goes on after a document that cannot be read', async () => {
  const broken = creation('p', large);
  assert.ok(broken.kind === 'create');
  const unreadable = { ...broken, next: { ...broken.next, current: `${broken.next.current}}` } };
  const [first, second] = await Promise.allSettled([
    indexer.differenceOfLarge(unreadable),
    indexer.differenceOfLarge(broken),
  ]);
  assert.equal(first.status, 'rejected');
  assert.deepEqual(second, { status: 'fulfilled', value: expected(broken) });
});

test('the projects take turns: a large document of another one waits only for the one that is worked on', async () => {
  const order: string[] = [];
  const write = async (projectKey: string) => {
    await indexer.differenceOfLarge(creation(projectKey, large));
    order.push(projectKey);
  };
  await Promise.all([...['p', 'p', 'p', 'p'].map(write), write('q')]);
  assert.deepEqual(order, ['p', 'q', 'p', 'p', 'p']);
});

test('the words of a large document are those that its terms name, each once, under their locales', () => {
  const text = { en: 'shoe shoes Shoe', de: 'Schuh', 'de-AT': 'Schuh' };
  const staged = document('a', 1, { name: { en: 'shoe boot' } });
  const current = document('a', 1, { name: text });
  const { addedText, gained } = indexDifference('p', undefined, { current, staged }, []);
  const words = Object.fromEntries(groupWords(gained).map(([locale, all]) => [locale, JSON.parse(all)]));
  const known = addedText.split(' ').flatMap((term) => wordOfTerm(term) ?? []);
  for (const [locale, all] of Object.entries(words)) {
    const ofTerms = known.filter((each) => each.locale === locale).map(({ word }) => word);
    assert.deepEqual(all, [...new Set(ofTerms)].sort());
  }
  assert.deepEqual(Object.keys(words).sort(), ['de', 'de-AT', 'en']);
  assert.deepEqual(words.en, [...new Set(words.en)].sort());
  assert.ok(words.en.includes('shoe') && words.en.includes('boot'), String(words.en));
  assert.deepEqual(groupWords(new Map([['en', []]])), []);
});

test('the thread of the indexer ends when no large document has come for a while; the next one starts another', async () => {
  const started: Worker[] = [];
  const onWorker = (worker: Worker) => void started.push(worker);
  process.on('worker', onWorker);
  const impatient = createIndexer(['tags'], 1);
  try {
    for (const [at, [claim, change]] of inThread.slice(0, 3).entries()) {
      assert.deepEqual(await impatient.differenceOfLarge(change), expected(change), claim);
      assert.equal(started.length, at + 1, claim);
      if (at < 2) await once(started[at]!, 'exit');
    }
  } finally {
    process.off('worker', onWorker);
    await impatient.close();
  }
});

test('its thread gives way to the others of the process', { skip: process.platform !== 'linux' }, async (t) => {
  // Threads of the process that give way: the 19th field is how much, of which the name in parentheses is the second.
  const givingWay = () =>
    readdirSync('/proc/self/task').filter((task) => {
      const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) > ownNice;
    }).length;
  const ownStat = readFileSync('/proc/self/stat', 'utf8');
  const ownNice = Number(ownStat.slice(ownStat.lastIndexOf(')') + 2).split(' ')[16]);
  const own = createIndexer([]);
  t.after(() => own.close());
  const before = givingWay();
  await own.differenceOfLarge(creation('p', large));
  assert.equal(givingWay(), before + 1);
});
