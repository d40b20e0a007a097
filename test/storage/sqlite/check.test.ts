import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { addTerm } from './open-test-index.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const quiet = () => {};

/** Values whose terms repeat or share a key, and numbers of all sorts. */
function fields(at: number): JsonObject {
  return {
    price: at % 2 === 0 ? at / 4 : [`text ${at}`, at],
    dates: ['2024-01-01', '2024-01-01T00:00Z'],
    long: ['a text that goes on and on, one', 'a text that goes on and on, two'],
    list: [{ x: at }, { x: at }, { x: JSON.rawJSON('9007199254740993') }],
  };
}

async function write(store: Store): Promise<void> {
  const first = Array.from({ length: 60 }, (_, at) => document(`r${at}`, 1, fields(at)));
  await Promise.all(first.map((each) => store.resources.commit(creation('p', each))));
  const second = first.slice(0, 40).map((each, at) => document(String(each.id), 2, fields(at + 1)));
  await Promise.all(second.map((each, at) => store.resources.commit(replacement('p', first[at]!, each))));
  await Promise.all(second.slice(0, 10).map((each) => store.resources.commit(deletion('p', each))));
}

const byPrice: ListQuery = {
  ...{ projectKey: 'p', where: [], sort: [{ path: ['price'], direction: 'desc' }] },
  ...{ limit: 5, offset: 0, withTotal: true, staged: false },
};

test('check finds nothing after creates, updates, deletes and a change of the declared paths, which changes no result', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const before = await openTestStore(folder.file);
  await write(before);
  const expected = await before.resources.list(byPrice);
  await before.close();
  assert.equal(expected.total, 50);
  assert.deepEqual(await checkStore(folder.file, false, quiet), []);

  const notes: string[] = [];
  const after = await openTestStore(folder.file, {
    declaredPaths: ['price', 'long'],
    note: (text: string) => notes.push(text),
  });
  assert.deepEqual(await after.resources.list(byPrice), expected);
  await after.close();
  assert.deepEqual(notes, ['indexing the values: 50 of 50']);
  assert.deepEqual(await checkStore(folder.file, false, quiet), []);
});

test('check finds an extra entry in the term index, and a rebuild removes it', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const store = await openTestStore(folder.file);
  await write(store);
  await store.close();
  const db = new DatabaseSync(folder.file);
  addTerm(db, 30, 'p|c|stray|o');
  db.close();
  const [finding, ...others] = await checkStore(folder.file, false, quiet);
  assert.match(finding ?? '', /^term index: \d+ entries where the resources give \d+, .*“check --rebuild-indexes”$/);
  assert.deepEqual(others, []);
  assert.deepEqual(await checkStore(folder.file, true, quiet), []);
});

test('check finds an order without an entry, with another or with one of another row; a rebuild mends it', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const store = await openTestStore(folder.file);
  await write(store);
  const newest: ListQuery = { ...byPrice, sort: [{ path: ['lastModifiedAt'], direction: 'desc' }] };
  const expected = await store.resources.list(newest);
  await store.close();
  for (const damage of [
    "DELETE FROM by_version WHERE id = 'r30'",
    "UPDATE by_modified SET modified_at = '2001-01-01T00:00:00' WHERE id = 'r30'",
    "UPDATE by_created SET row = row + 1 WHERE id = 'r30'",
  ]) {
    const db = new DatabaseSync(folder.file);
    db.exec(damage);
    db.close();
    const [finding, ...others] = await checkStore(folder.file, false, quiet);
    assert.match(finding ?? '', /^orders by version and times: \d+ entries .*“check --rebuild-indexes”$/);
    assert.deepEqual(others, []);
    assert.deepEqual(await checkStore(folder.file, true, quiet), []);
  }
  const again = await openTestStore(folder.file);
  assert.deepEqual(await again.resources.list(newest), expected);
  await again.close();
});

test('check names marks of resources that do not exist, for each project', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const store = await openTestStore(folder.file);
  await write(store);
  const marked = ['r30', 'r31'].map((id) => ({ id, version: 2, marks: ['sku 1', 'sku 2'] }));
  await store.rules.mark('p', marked, ['sku ']);
  assert.deepEqual(await store.rules.marked('p', 'sku 1', 9), ['r30', 'r31']);
  await store.close();
  assert.deepEqual(await checkStore(folder.file, false, quiet), []);
  const db = new DatabaseSync(folder.file);
  db.exec(
    `INSERT INTO mark VALUES ('p', 'sku 1', 'r1'), ('p', 'sku 2', 'r1'), ('p', 'sku 2', 'r0'), ('q', 'sku', 'r30')`,
  );
  db.close();
  assert.deepEqual(await checkStore(folder.file, false, quiet), [
    'marks of p: 2 resources that have some do not exist, the first is “r0”; PUT the types of the project again',
    'marks of q: 1 resources that have some do not exist, the first is “r30”; PUT the types of the project again',
  ]);
});

test('a damaged resource is left out of the indexes by a start with other declared paths and by a rebuild, and named', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const store = await openTestStore(folder.file);
  await write(store);
  const cheap = { ...byPrice, where: [parsePredicate('price < 4', { variables: new Map() })] };
  const expected = await store.resources.list(cheap);
  assert.ok(expected.count > 0);
  await store.close();
  const db = new DatabaseSync(folder.file);
  db.exec("UPDATE resource SET current = replace(current, '{', '[') WHERE id = 'r20'");
  db.close();
  const named = [
    'resource p/r20: its checksum does not match; overwrite it with PUT, delete it, or restore it from a backup',
  ];
  const after = await openTestStore(folder.file, { declaredPaths: ['price'] });
  assert.deepEqual(await after.resources.list(cheap), expected);
  await after.close();
  assert.deepEqual(await checkStore(folder.file, false, quiet), named);
  assert.deepEqual(await checkStore(folder.file, true, quiet), named);
});

test('a check by three threads finds what one finds, also beside changes that are not indexed yet', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const store = await openTestStore(folder.file);
  for (const project of ['p', 'q']) {
    const all = Array.from({ length: 900 }, (_, at) =>
      document(`r${at}`, 1, { n: at, name: { en: `shoe ${at}`, de: `Schuh ${at % 7}` } }),
    );
    await Promise.all(all.map((each) => store.resources.commit(creation(project, each))));
  }
  const several = () => checkStore(folder.file, false, quiet, { jobs: 3 });
  assert.deepEqual(await several(), []);
  const more = Array.from({ length: 50 }, (_, at) => document(`s${at}`, 1, { n: at }));
  await Promise.all(more.map((each) => store.resources.commit(creation('p', each))));
  assert.deepEqual(await several(), [], 'beside the service');
  await store.close();
  for (const [damage, mend, found] of [
    [
      "UPDATE resource SET checksum = checksum + 1 WHERE project_key = 'q' AND id = 'r700'",
      "UPDATE resource SET checksum = checksum - 1 WHERE project_key = 'q' AND id = 'r700'",
      /^resource q\/r700: its checksum does not match/,
    ],
    [
      "UPDATE project SET resources = 901 WHERE project_key = 'q'",
      "UPDATE project SET resources = 900 WHERE project_key = 'q'",
      /^project q: counted 901 resources of 900/,
    ],
    [undefined, undefined, /^term index: /],
  ] as const) {
    const db = new DatabaseSync(folder.file);
    if (damage === undefined) addTerm(db, 30, 'p|c|stray|o');
    else db.exec(damage);
    const findings = await several();
    assert.deepEqual(findings, await checkStore(folder.file, false, quiet, { jobs: 1 }));
    assert.equal(findings.length, 1, findings.join('\n'));
    assert.match(findings[0]!, found);
    if (mend !== undefined) db.exec(mend);
    db.close();
  }
});
