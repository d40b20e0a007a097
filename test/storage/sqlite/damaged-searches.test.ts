import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { sampleOf } from '../../rounds.ts';
import { onEmbedded, startTestApi } from '../../start-test-api.ts';
import { withDatabase } from './open-test-store.ts';

/** What searches keep in memory follows what is set aside, without a write of the project. */

const queries = [
  'searchApiPattern?text.en=shoe',
  'searchApiPattern?text.en=shoe&facet=c',
  'searchApiPattern?text.en=sho&prefix=true&sort=c',
  'searchApiPattern?filter.query=c:"red"&facet=n',
  'searchApiPattern?facet=c&facet=n&limit=0',
  'sorted-query-parameters?where=c%20%3D%20%22red%22',
  'sorted-query-parameters?sort=key',
  'suggestions?text.en=sh',
];

/** Damaged numbers of rows, in SQL: none that the service gives, and one that it has not given yet. */
const rowNumbers = ['9223372036854775807', '-7', '0', 'row + 1000', '4503599627370000', 'row + 2000000000'];

test('a row whose number is damaged while callers search gets another one, and is found', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-damaged-'));
  const api = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
  const put = (project: string, key: string, n: number) =>
    api.call({ method: 'PUT', path: `/${project}/resource`, body: { key, n, c: 'red', name: { en: 'shoe' } } });
  const asked = [...queries, 'sorted-query-parameters', 'sorted-query-parameters?sort=id&where=n%20%3E%200'];
  try {
    for (const [at, number] of rowNumbers.entries()) {
      for (const first of sampleOf([...asked.keys()], 3)) {
        const project = `p-${at}-${first}`;
        for (const [n, key] of ['a', 'b', 'c'].entries()) assert.equal((await put(project, key, n + 1)).status, 201);
        const assertFinds = async (counts: readonly number[], query: string) => {
          const { status, json, text } = await api.call({ path: `/${project}/resource/${query}` });
          assert.equal(status, 200, `row ${number}, ${query}: ${text}`);
          if ('total' in json) assert.ok(counts.includes(json.total), `row ${number}, ${query}: ${text}`);
        };
        await assertFinds([3], asked[first]!);
        withDatabase(join(dataDir, 'grs.db'), (db) =>
          db.exec(`UPDATE resource SET row = ${number} WHERE key = 'a' AND project_key = '${project}'`),
        );
        await Promise.all(Array.from({ length: 20 }, () => assertFinds([2, 3], asked[first]!)));
        for (const query of asked) await assertFinds([2, 3], query);
        for (const key of ['a', 'd']) assert.equal((await put(project, key, 4)).status, 201);
        for (const query of asked) await assertFinds([4], query);
      }
    }
  } finally {
    await api.app.close();
  }
  assert.deepEqual(await checkStore(join(dataDir, 'grs.db'), false, () => {}), []);
  rmSync(dataDir, { recursive: true, force: true });
});

/** The orders of system fields, each with the field. */
const orders = [
  ['by_created', 'createdAt'],
  ['by_modified', 'lastModifiedAt'],
  ['by_version', 'version'],
] as const;

test('an order that leads to a wrong row while callers list is mended, and a check finds nothing', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-damaged-'));
  const file = join(dataDir, 'grs.db');
  const api = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
  try {
    for (const [table, field] of orders) {
      for (const [at, number] of rowNumbers.entries()) {
        const project = `${table.replace('_', '-')}-${at}`;
        const path = `/${project}/resource`;
        for (const key of ['a', 'b', 'c']) {
          assert.equal((await api.call({ method: 'PUT', path, body: { key } })).status, 201);
        }
        await api.call({ path: `${path}/sorted-query-parameters?sort=${field}` });
        withDatabase(file, (db) =>
          db.exec(`UPDATE ${table} SET row = ${number} WHERE project_key = '${project}' AND
            id = (SELECT id FROM resource WHERE project_key = '${project}' AND key = 'a')`),
        );
        const pages = Array.from({ length: 20 }, (_, limit) =>
          api.call({ path: `${path}/sorted-query-parameters?limit=${limit + 10}&sort=${field}` }),
        );
        for (const { status, json, text } of await Promise.all(pages)) {
          assert.equal(status, 200, `${table} ${number}: ${text}`);
          assert.equal(json.results.length, 3, `${table} ${number}`);
        }
      }
    }
  } finally {
    await api.app.close();
  }
  assert.deepEqual(await checkStore(file, false, () => {}), []);
  rmSync(dataDir, { recursive: true, force: true });
});

test('a resource that is damaged again and again fails no search, also where it was found before', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-damaged-'));
  const api = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
  const put = (key: string, n: number) =>
    api.call({ method: 'PUT', path: '/p/resource', body: { key, n, c: 'red', name: { en: 'shoe' } } });
  const damage = () =>
    withDatabase(join(dataDir, 'grs.db'), (db) =>
      db.exec("UPDATE resource SET checksum = checksum + 1 WHERE key = 'a'"),
    );
  /** Searches in an order of their own, since the first of them sets the resource aside. */
  async function assertFound(counts: readonly number[], first: number, when: string): Promise<void> {
    for (let at = 0; at < 2 * queries.length; at += 1) {
      const query = queries[(first + at) % queries.length]!;
      const { status, json, text } = await api.call({ path: `/p/resource/${query}` });
      assert.equal(status, 200, `${when} ${query}: ${text}`);
      if ('total' in json) assert.ok(counts.includes(json.total), `${when} ${query}: ${text}`);
    }
  }
  try {
    for (const [n, key] of ['a', 'b', 'c'].entries()) assert.equal((await put(key, n)).status, 201);
    for (const first of queries.keys()) {
      await assertFound([3], first, 'whole');
      damage();
      // A list that is kept in memory is as it was.
      await assertFound([2, 3], first, 'damaged');
      assert.equal((await put('a', 10 + first)).status, 201);
    }
    await assertFound([3], 0, 'healed');
  } finally {
    await api.app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
