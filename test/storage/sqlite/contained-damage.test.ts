import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DamagedData } from '../../../src/domain/damaged-data.ts';
import type { ListPage, SearchPage } from '../../../src/domain/ports/list-query.ts';
import type { Change } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { writeOf } from '../../../src/record/row/write.ts';
import { DamagedIndex } from '../../../src/record/sqlite/open/absence.ts';
import { isFatal } from '../../../src/sqlite/connection.ts';
import { backUpStore } from '../../../src/store/sqlite/maintenance/back-up.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { sampleOf } from '../../rounds.ts';
import { onEmbedded, startTestApi } from '../../start-test-api.ts';
import { assertExportLeavesOut } from '../exported-without.ts';
import { creation, document, replacement } from '../records.ts';
import { fileOf, openTestStore, withDatabase } from './open-test-store.ts';
import { applierOn } from './parts-on.ts';

/** One record that cannot be read or indexed stops nothing else: what it is of is set aside, and a write heals it. */

/** An integer that no number of JavaScript holds exactly. */
const huge = '1152921504606846977';

/** Damage to each column of a resource, and of the record of its last change, as SQL. */
const damages: readonly (readonly [table: 'resource' | 'change', column: string, value: string])[] = [
  ['resource', 'project_key', "'px'"],
  ['resource', 'id', "'ax'"],
  ['resource', 'key', "'kx'"],
  ['resource', 'version', '3'],
  ['resource', 'version', huge],
  ['resource', 'incarnation', "'x'"],
  ['resource', 'created_at', "'2'"],
  ['resource', 'modified_at', "'x'"],
  ['resource', 'current', "replace(current, 'red', 'rex')"],
  ['resource', 'staged', "'{}'"],
  ['resource', 'history', "history || 'x'"],
  ['resource', 'checksum', 'checksum + 1'],
  ['resource', 'checksum', huge],
  ['resource', 'changed', huge],
  ['change', 'sequence', 'sequence + 1000'],
  ['change', 'sequence', '9223372036854775807'],
  ['change', 'project_key', "'px'"],
  ['change', 'row', 'row + 1'],
  ['change', 'row', huge],
  ['change', 'checksum', 'checksum + 1'],
  ['change', 'id', "'ax'"],
  ['change', 'key', "'kx'"],
  ['change', 'version', huge],
  ['change', 'incarnation', "'x'"],
  ['change', 'previous', huge],
  ['change', 'type', "'deleted'"],
  ['change', 'at', huge],
  ['change', 'client', "'x'"],
  ['change', 'origin', "'x'"],
  ['change', 'log_checksum', '1'],
  ['change', 'before', "'x'"],
];

function list(store: Store, projectKey: string): Promise<ListPage> {
  return store.resources.list({
    ...{ projectKey, where: [], staged: false, sort: [], limit: 20, offset: 0, withTotal: true },
  });
}

/** Lists as soon as what the first list met is set aside. */
async function listSoon(store: Store, projectKey: string): Promise<ListPage> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await list(store, projectKey);
    } catch (error) {
      assert.ok(attempt < 10_000 && error instanceof DamagedData, `${projectKey}: ${(error as Error).message}`);
      await pause(2);
    }
  }
}

const red = document('a', 1, { color: 'red' }, 'ka');
const redder = document('a', 2, { color: 'red', more: 1 }, 'ka');
const blue = document('b', 1, { color: 'blue' }, 'kb');

function searchFor(store: Store, projectKey: string, text: string): Promise<SearchPage> {
  return store.resources.search(parseSearch(new Map([['text.en', [text]]]), projectKey));
}

async function assertOthersGoOn(store: Store): Promise<void> {
  assert.equal((await list(store, 'q')).count, 1);
  const query = parseSearch(new Map<string, string | readonly string[]>([['text', 'blue']]), 'q');
  assert.equal((await store.resources.search(query)).count, 1);
  assert.equal(await store.resources.exists('q', [], false), true);
  assert.equal((await store.resources.scan('q', undefined, 10)).length, 1);
  assert.equal((await store.changes.changesAfter('q', 0, 10)).changes.length, 1);
  assert.equal((await store.changes.changesOf('q', 'b', undefined, 10)).length, 1);
}

/** Each damage is in a project of its own. */
const projectOf = (at: number) => `p${at}`;

function damageAll(file: string): void {
  withDatabase(file, (db) => {
    const last = db.prepare('SELECT max(sequence) AS sequence FROM change WHERE project_key = ?');
    const sequences = damages.map((_, at) => (last.get(projectOf(at)) as { sequence: number }).sequence);
    for (const [at, [table, column, value]] of damages.entries()) {
      const where = table === 'resource' ? `project_key = '${projectOf(at)}'` : `sequence = ${sequences[at]}`;
      assert.equal(db.prepare(`UPDATE ${table} SET ${column} = ${value} WHERE ${where}`).run().changes, 1);
    }
  });
}

describe('Damaged records in every column, each in a project of its own', () => {
  for (const when of [
    'while they wait for the index',
    'before a start',
    'before the indexes are built again',
  ] as const) {
    it(`${when}: each project is listed without it or as it was, others go on, checks and backups end`, async (t) => {
      const file = fileOf(t);
      let store = await openTestStore(file);
      await store.resources.commit(creation('q', blue));
      for (const at of damages.keys()) {
        await store.resources.commit(creation(projectOf(at), red));
        await store.resources.commit(replacement(projectOf(at), red, redder));
      }
      if (when === 'while they wait for the index') damageAll(file);
      else {
        await store.close();
        damageAll(file);
        if (when !== 'before a start') withDatabase(file, (db) => db.exec("UPDATE store SET settings = '{}'"));
        store = await openTestStore(file);
      }
      await assertOthersGoOn(store);
      let left = 0;
      for (const [at, [table, column, value]] of damages.entries()) {
        const what = `${table}.${column} = ${value}`;
        const { count, total, results } = await listSoon(store, projectOf(at));
        assert.equal(count, table === 'change' || column === 'changed' ? 1 : 0, what);
        assert.equal(total, count, what);
        if (table === 'change') assert.match(String(results), /"more":1/, what);
        // What is not in its project any more no list of the project meets.
        if (count === 0 && (column !== 'project_key' || when !== 'before a start')) left += 1;
      }
      const { damagedResources, queryProblem, writable } = await store.status();
      assert.deepEqual([damagedResources?.count, queryProblem, writable], [left, undefined, true]);
      await store.close();

      const findings = await checkStore(file, false, () => {});
      for (const [at, [table, column]] of damages.entries()) {
        if (table === 'change' || column === 'changed' || column === 'project_key') continue;
        const id = column === 'id' ? 'ax' : 'a';
        assert.ok(
          findings.some((finding) => finding.startsWith(`resource ${projectOf(at)}/${id}: `)),
          column,
        );
      }
      const copy = fileOf(t);
      await backUpStore(file, copy, async () => {});
      await checkStore(copy, true, () => {});
      store = await openTestStore(copy);
      await assertOthersGoOn(store);
      await store.close();
    });
  }
});

/** Columns that SQLite lets have no other type than their own: a bit that flips in the head of a row makes a text bytes. */
const typed: readonly (readonly [table: string, columns: readonly string[], value: string])[] = [
  ['resource', ['project_key', 'id', 'key', 'incarnation', 'created_at', 'modified_at', 'current', 'history'], 'bytes'],
  ['resource', ['project_key', 'version', 'created_at', 'current', 'history', 'checksum', 'changed'], 'NULL'],
  ['change', ['project_key', 'id', 'key', 'type', 'client', 'origin', 'before'], 'bytes'],
  ['change', ['project_key', 'row', 'checksum', 'id', 'log_checksum'], 'NULL'],
  ['project', ['resources'], 'NULL'],
  ['project_log', ['pruned', 'bytes'], 'NULL'],
];

/** Lets columns of these tables have values of any type for a while. */
function withoutTypes(file: string, tables: readonly string[], work: (db: DatabaseSync) => void): void {
  const declared = new Map<string, string>();
  const declare = (db: DatabaseSync, sqlOf: (table: string) => string) => {
    db.enableDefensive(false);
    db.exec('PRAGMA writable_schema = ON');
    for (const table of tables) {
      db.prepare("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?").run(sqlOf(table), table);
    }
  };
  const sqlOf = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?";
  withDatabase(file, (db) => {
    for (const table of tables) declared.set(table, (db.prepare(sqlOf).get(table) as { sql: string }).sql);
    declare(db, (table) =>
      declared
        .get(table)!
        .replaceAll('NOT NULL', '')
        .replace(/ STRICT(, )?/, ' '),
    );
  });
  withDatabase(file, (db) => {
    work(db);
    declare(db, (table) => declared.get(table)!);
  });
}

test('values of another type than their columns, each in a project of its own: a start serves the others, a check ends, PUT heals', async (t) => {
  const cases = typed.flatMap(([table, columns, value]) => columns.map((column) => [table, column, value] as const));
  const file = fileOf(t);
  const store = await openTestStore(file);
  await store.resources.commit(creation('q', blue));
  for (const at of cases.keys()) {
    await store.resources.commit(creation(projectOf(at), red));
    await store.resources.commit(replacement(projectOf(at), red, redder));
  }
  await list(store, 'q');
  await store.close();
  withoutTypes(file, [...new Set(cases.map(([table]) => table))], (db) => {
    for (const [at, [table, column, value]] of cases.entries()) {
      const project = `project_key = '${projectOf(at)}'`;
      const where = table === 'change' ? `sequence = (SELECT max(sequence) FROM change WHERE ${project})` : project;
      const damaged = value === 'bytes' ? `CAST(${column} AS BLOB)` : value;
      assert.equal(db.prepare(`UPDATE ${table} SET ${column} = ${damaged} WHERE ${where}`).run().changes, 1, column);
    }
  });
  const findings = await checkStore(file, false, () => {});
  assert.ok(
    findings.some((finding) => finding.startsWith('resource p2/a: ')),
    findings.join('\n'),
  );
  const api = await startTestApi({ ...onEmbedded, DATABASE_URL: `sqlite:${file}` });
  t.after(api.close);
  await assertOthersGoOn(api.app.store);
  for (const [at, [table, column, value]] of cases.entries()) {
    const what = `${table}.${column} = ${value}`;
    const path = `/${projectOf(at)}/resource`;
    const isGone = table === 'resource' && (column === 'project_key' || column === 'id');
    const { status, json, text } = await api.call({ path });
    assert.equal(status, 200, `${what}: ${text}`);
    const exported = await api.call({ path: `${path}/export?summary=true` });
    assert.match(exported.text, /\["(complete|incomplete)",[^\n]*\]\n$/, what);
    if (json.count > 0) assert.match(text, /"color":"red","more":1/, what);
    if (isGone) continue;
    assert.match(exported.text, /^\["incomplete",0,1,\["a"\]\]\n$|"more":1.*\n\["complete",1\]\n$/, what);
    const put = await api.call({ method: 'PUT', path, body: { id: 'a', key: 'ka', color: 'green' } });
    assert.equal(put.status, 201, `${what}: ${put.text}`);
    assert.equal((await api.call({ path })).json.count, 1, what);
    assert.equal((await api.call({ method: 'DELETE', path: `${path}/a` })).status, 200, what);
    assert.equal((await api.call({ path })).json.count, 0, what);
  }
});

test('a flipped bit anywhere in the file: check ends with findings, and a start that refuses says why', async (t) => {
  const file = fileOf(t);
  let store = await openTestStore(file);
  for (let n = 0; n < 40; n += 1) {
    const before = document(`r${n}`, 1, { color: 'red', text: `word${n} shoe` }, `k${n}`);
    await store.resources.commit(creation('p', before));
    await store.resources.commit(replacement('p', before, document(`r${n}`, 2, { color: 'blue' }, `k${n}`)));
  }
  await store.close();
  const intact = readFileSync(file);
  const tried = { checks: 0, findings: 0, refused: 0 };
  const restore = () => {
    for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
    writeFileSync(file, intact);
  };
  const check = async (bit: string, rebuild: boolean) => {
    try {
      return await checkStore(file, rebuild, () => {});
    } catch (error) {
      assert.equal((error as Error).name, 'StoreRefused', `${bit}: ${(error as Error).stack}`);
      return [(error as Error).message];
    }
  };
  // A prime, so that all bits of a byte and all places of a page have their turn; and what SQLite reads first.
  const bits = [
    ...Array.from({ length: 40 }, (_, at) => 7919 * 5 * at),
    ...Array.from({ length: 8 }, (_, at) => 800 + 397 * at),
  ];
  for (const bit of bits.filter((each) => each < 8 * intact.length)) {
    const damaged = Buffer.from(intact);
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    writeFileSync(file, damaged);
    const findings = await check(`bit ${bit}`, false);
    tried.checks += 1;
    if (findings.length > 0) tried.findings += 1;
    for (const finding of findings) assert.doesNotMatch(finding, /\n +at /, `bit ${bit}`);
    if (findings.length > 0 && bit % 3 === 0) {
      try {
        store = await openTestStore(file);
        await store.close();
      } catch (error) {
        assert.equal((error as Error).name, 'StoreRefused', `bit ${bit}: ${(error as Error).stack}`);
        tried.refused += 1;
      }
      restore();
      writeFileSync(file, damaged);
      await check(`bit ${bit}, rebuilt`, true);
    }
    restore();
  }
  assert.ok(tried.findings >= 4 && tried.refused >= 1, JSON.stringify(tried));
  assert.deepEqual(await checkStore(file, false, () => {}), []);
});

/** The tables that the indexes are in and that have pages of their own. */
const indexTables = ['by_created', 'by_modified', 'by_version', 'project_change', 'project', 'term_index'];

for (const table of indexTables) {
  test(`a flipped bit in the head of a row of ${table}: a start names the repair, and check --rebuild-indexes makes all of it anew`, async (t) => {
    const file = fileOf(t);
    let store = await openTestStore(file);
    for (let n = 0; n < 20; n += 1) await store.resources.commit(creation('p', document(`r${n}`, 1, { color: 'red' })));
    await store.close();
    const page = withDatabase(file, (db) => {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      const { root } = db.prepare('SELECT rootpage AS root FROM sqlite_schema WHERE name = ?').get(table) as {
        root: number;
      };
      const { size } = db.prepare('SELECT page_size AS size FROM pragma_page_size').get() as { size: number };
      return (root - 1) * size;
    });
    const damaged = readFileSync(file);
    // How long the head of the first row is: longer than the row. Before it is one byte, the length of the row.
    damaged[page + damaged.readUInt16BE(page + 8) + 1]! ^= 0x40;
    writeFileSync(file, damaged);
    await assert.rejects(openTestStore(file), /StoreRefused: The database is damaged: .*check --rebuild-indexes/);
    assert.deepEqual(await checkStore(file, true, () => {}), []);
    store = await openTestStore(file);
    assert.equal((await list(store, 'p')).total, 20);
    await store.close();
  });
}

test('a flipped bit in a block of the term index: queries that read it are refused, others go on, a rebuild makes it anew', async (t) => {
  const file = fileOf(t);
  let store = await openTestStore(file);
  for (let n = 0; n < 20; n += 1) await store.resources.commit(creation('p', document(`r${n}`, 1, { color: 'red' })));
  assert.equal((await list(store, 'p')).total, 20);
  await store.close();
  withDatabase(file, (db) => {
    db.exec('DELETE FROM posting WHERE segment < (SELECT max(segment) FROM posting)');
    db.exec("UPDATE posting SET block = CAST(substr(block, 1, length(block) - 1) || x'07' AS BLOB)");
  });
  store = await openTestStore(file);
  await assert.rejects(searchFor(store, 'p', 'red'), { code: 'OverCapacity' });
  assert.equal((await store.resources.get('p', 'r1'))?.id, 'r1');
  await store.close();
  assert.match((await checkStore(file, false, () => {})).join(), /the check cannot read on: the term index is damaged/);
  assert.deepEqual(await checkStore(file, true, () => {}), []);
  store = await openTestStore(file);
  assert.equal((await searchFor(store, 'p', 'red')).total, 20);
  await store.close();
});

/** What becomes of a create, as the writer applies it. */
function createdIn(file: string, change: Change): string {
  return withDatabase(file, (db) => {
    const applier = applierOn(db);
    db.exec('BEGIN IMMEDIATE');
    try {
      return String(applier.apply([['write', writeOf(change, true, 'always')]], Date.now()).outcomes[0]);
    } catch (error) {
      if (error instanceof DamagedIndex || isFatal(error)) return 'refused';
      throw error;
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  });
}

test('a flipped bit in an entry of the index of keys or of ids: the same key or id is never given to a second resource', async (t) => {
  const file = fileOf(t);
  let store = await openTestStore(file);
  const name = (n: number) => String(n).padStart(3, '0');
  // More than one page of each index, so that some entries are in pages between.
  for (let n = 0; n < 300; n += 1) {
    const change = creation(
      'p',
      document(`id-${name(n)}-${'x'.repeat(30)}`, 1, {}, `key-${name(n)}-${'y'.repeat(30)}`),
    );
    assert.equal(await store.resources.commit(change), 'committed');
  }
  await store.close();
  const intact = readFileSync(file);
  const outcomes = new Map<string, number>();
  for (const [column, texts] of [
    ['key', [0, 1, 57, 150, 298, 299].map((n) => `key-${name(n)}-${'y'.repeat(30)}`)],
    ['id', [0, 57, 299].map((n) => `id-${name(n)}-${'x'.repeat(30)}`)],
  ] as const) {
    for (const text of texts) {
      // Of the rows of the table `pid-…` is a part as well: only what is an entry of an index ends with the row number.
      const places: number[] = [];
      for (let from = 0; ; ) {
        const found = intact.indexOf(`p${text}`, from);
        if (found < 0) break;
        places.push(found);
        from = found + 1;
      }
      for (const place of places) {
        for (const bit of sampleOf([0, 1, 5, 8 * 4 + 1, 8 * 7, 8 * 7 + 6, 8 * 20 + 2], 2)) {
          const damaged = Buffer.from(intact);
          damaged[place + (bit >> 3)]! ^= 1 << (bit & 7);
          writeFileSync(file, damaged);
          const what = `${text}, bit ${bit} at ${place}`;
          const again = document(column === 'id' ? text : 'another', 1, {}, column === 'key' ? text : 'another');
          const outcome = createdIn(file, creation('p', again));
          assert.ok(outcome === `${column}Taken` || outcome === 'refused', `${what}: ${outcome}`);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }
    }
  }
  assert.ok(outcomes.get('refused')! >= 10, JSON.stringify([...outcomes]));
  writeFileSync(file, intact);
  store = await openTestStore(file);
  assert.equal(await store.resources.commit(creation('p', document('new', 1, {}, 'new'))), 'committed');
  await store.close();
});

test('a resource that cannot be indexed or whose bytes are damaged: read by id or 500 for it alone, PUT and DELETE heal it', async (t) => {
  const api = await startTestApi({ ...onEmbedded });
  t.after(api.close);
  const file = `${api.dataDir}/grs.db`;
  const damage = (sql: string) => withDatabase(file, (db) => db.exec(sql));
  let limit = 20;
  const put = (body: object) => api.call({ method: 'PUT', path: '/p/resource', body });
  const listed = async () => {
    // A page that is cached would not be read again.
    limit = limit === 500 ? 20 : limit + 1;
    const { status, json, text } = await api.call({ path: `/p/resource?limit=${limit}` });
    assert.equal(status, 200, text);
    return json.results.map(({ id }: { id: string }) => id);
  };
  const health = async () => (await api.call({ path: '/health/ready', scope: 'none' })).json.checks.resources as string;
  await put({ id: 'other', color: 'red' });
  for (const [sql, readable] of [
    ['a name with NUL', true],
    [`UPDATE resource SET current = replace(current, 'red', 'rex') WHERE id = 'a'`, false],
    [`UPDATE resource SET version = ${huge} WHERE id = 'a'`, false],
    [`UPDATE resource SET key = char(0) WHERE id = 'a'`, false],
    [`UPDATE resource SET changed = ${huge}, current = '' WHERE id = 'a'`, false],
    [`UPDATE resource SET current = '', history = 'x', created_at = 'y' WHERE id = 'a'`, false],
  ] as const) {
    for (const heal of ['PUT', 'DELETE'] as const) {
      if (readable) {
        // As an import stored it that did not check names.
        const change = creation('p', document('a', 1, { 'a\0b': 1 }, 'ka'));
        assert.equal(await api.app.store.resources.commit(change), 'committed');
        assert.deepEqual(await listed(), ['other']);
      } else {
        await put({ id: 'a', key: 'ka', color: 'red' });
        assert.deepEqual(await listed(), ['a', 'other']);
        damage(sql);
        // A read in the turn of the event loop in which the list was read would share its snapshot, from before the damage.
        await new Promise((resolve) => setImmediate(resolve));
        // The first list that meets it goes on without it: pages are made of the documents.
        if (sql.includes('rex')) assert.deepEqual(await listed(), ['other'], sql);
      }
      const read = await api.call({ path: '/p/resource/a' });
      assert.equal(read.status, readable ? 200 : 500, sql);
      while ((await health()) === 'ok') await pause(2);
      assert.deepEqual(await listed(), ['other'], sql);
      assert.match(
        (await health()) ?? '',
        /^1 damaged, which lists and searches may leave out: p\/a: (its checksum does not match|A stored document is not JSON: .+)$/,
      );
      const patched = await api.call({ method: 'PATCH', path: '/p/resource', body: { id: 'a', size: 1 } });
      assert.equal(patched.json.errors[0].code, 'DataCorruption');
      if (heal === 'DELETE') {
        const deleted = await api.call({ method: 'DELETE', path: '/p/resource/a' });
        assert.equal(deleted.status, 200, deleted.text);
        assert.equal((await api.call({ path: '/p/resource/a' })).status, 404);
        assert.deepEqual(await listed(), ['other'], sql);
      } else {
        const healed = await put({ id: 'a', color: 'green' });
        assert.equal(healed.status, 201, healed.text);
        assert.equal(healed.json.key, sql.includes('key = ') ? undefined : 'ka');
        assert.equal((await api.call({ path: '/p/resource/a' })).text, healed.text);
        assert.deepEqual(await listed(), ['a', 'other'], sql);
        const history = await api.call({ path: '/p/resource/a/history' });
        assert.equal(history.status, 200, history.text);
        for (const [color, count] of [
          ['red', 1],
          ['green', 1],
        ]) {
          const where = encodeURIComponent(`color = "${color}"`);
          assert.equal(
            (await api.call({ path: `/p/resource/sorted-query-parameters?where=${where}` })).json.total,
            count,
          );
        }
      }
      assert.equal(await health(), 'ok');
      await api.call({ method: 'DELETE', path: '/p/resource/a' });
    }
  }
  const findings = await checkStore(file, false, () => {});
  assert.deepEqual(findings, []);
});

test('the record of a change that is damaged: events before it are read, then 410 names where to go on; an export says that it lacks a resource', async (t) => {
  const api = await startTestApi({ ...onEmbedded });
  t.after(api.close);
  for (const id of ['a', 'b', 'c']) await api.call({ method: 'PUT', path: '/p/resource', body: { id } });
  const db = `${api.dataDir}/grs.db`;
  withDatabase(db, (file) => file.exec('UPDATE change SET client = client || 1 WHERE sequence = 2'));
  const events = (query: string) => api.call({ path: `/p/events?${query}` });
  const first = await events('after=oldest');
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(
    first.json.results.map(({ resource }: { resource: { id: string } }) => resource.id),
    ['a'],
  );
  const gone = await events(`after=${first.json.next}`);
  assert.equal(gone.status, 410, gone.text);
  assert.match(gone.json.message, /the record of the next change is damaged/);
  const { latest } = gone.json.errors[0];
  assert.equal((await events(`after=${latest}`)).status, 200);
  await api.call({ method: 'PUT', path: '/p/resource', body: { id: 'd' } });
  assert.equal((await events(`after=${latest}`)).json.results[0].resource.id, 'd');

  withDatabase(db, (file) => file.exec("UPDATE resource SET checksum = checksum + 1 WHERE id = 'b'"));
  await assertExportLeavesOut(api, 'b', ['a', 'c', 'd']);
});

test('a damaged id that no path can have: the key still names the resource, and a DELETE by it works', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-ids-'));
  const api = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
  try {
    for (const id of ["''", "'../x'", "'a' || char(0)", "'b'"]) {
      const path = '/p/resource/key=k';
      await api.call({ method: 'PUT', path: '/p/resource', body: { key: 'k', n: 1 } });
      withDatabase(join(dataDir, 'grs.db'), (db) => db.exec(`UPDATE resource SET id = ${id}`));
      assert.equal((await api.call({ path })).json.errors[0].code, 'DataCorruption', id);
      const deleted = await api.call({ method: 'DELETE', path });
      assert.equal(deleted.status, 200, `${id}: ${deleted.text}`);
      assert.equal((await api.call({ path: '/p/resource' })).json.total, 0, id);
      assert.equal((await api.call({ path })).status, 404, id);
    }
  } finally {
    await api.app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a damaged count of a project: it and all others go on, health and writes included', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-counts-'));
  try {
    for (const [table, column] of [
      ['project_log', 'bytes'],
      ['project_log', 'pruned'],
      ['project', 'resources'],
      ['change', 'sequence'],
      ['project_change', 'sequence'],
    ]) {
      const before = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
      for (const project of ['counted', 'other'])
        await before.call({
          method: 'PUT',
          path: `/${project}/resource`,
          body: { key: 'a', n: 1, name: { en: 'shoe' } },
        });
      await before.app.close();
      const db = new DatabaseSync(join(dataDir, 'grs.db'));
      const ofLast = table!.endsWith('change')
        ? `AND sequence = (SELECT max(sequence) FROM ${table} WHERE project_key = 'counted')`
        : '';
      db.exec(`UPDATE ${table} SET ${column} = 9223372036854775807 WHERE project_key = 'counted' ${ofLast}`);
      db.close();
      const api = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
      for (const project of ['counted', 'other']) {
        const path = `/${project}/resource`;
        const requests = [
          { method: 'PUT', path, body: { key: 'b', n: 2 } },
          { path: `${path}/sorted-query-parameters?where=n%20%3E%200&sort=n` },
          { path: `${path}/searchApiPattern?text.en=shoe` },
          { path: `/${project}` },
          { path: `/${project}/events?after=0` },
          { path: `${path}/key=a/history` },
          { path: `${path}/export` },
          { method: 'DELETE', path: `${path}/key=b` },
        ];
        for (const request of requests) {
          const { status, text } = await api.call(request);
          assert.ok(status < 500, `${table}.${column}, ${request.method ?? 'GET'} ${request.path}: ${status} ${text}`);
        }
      }
      // The threads of queries start when a service listens, which this one does not.
      const { json } = await api.call({ path: '/health/ready', scope: 'none' });
      await api.app.close();
      assert.equal(json.checks.store, 'ok', `${table}.${column}: ${JSON.stringify(json)}`);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a damaged number of a row: others go on, new resources get numbers as before, an overwrite or a start gives it another', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-rows-'));
  const file = join(dataDir, 'grs.db');
  let api = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
  t.after(async () => {
    await api.app.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const put = (project: string, key: string, n = 1) =>
    api.call({ method: 'PUT', path: `/${project}/resource`, body: { key, n, name: { en: 'shoe' } } });
  const projects = ['other', 'left', 'overwritten', 'deleted'];
  const count = async (project: string, keys: number) => {
    for (const query of ['/searchApiPattern?text.en=shoe', '/sorted-query-parameters?where=n%20%3E%200&sort=n', '']) {
      const { json, text } = await api.call({ path: `/${project}/resource${query}` });
      assert.equal(json.count, keys, `${project} ${query}: ${text}`);
    }
  };
  for (const number of ['9223372036854775807', '-7', '0']) {
    for (const project of projects) assert.equal((await put(project, 'a')).status, 201);
    for (const project of ['left', 'overwritten', 'deleted']) {
      withDatabase(file, (db) => db.exec(`UPDATE resource SET row = ${number} WHERE project_key = '${project}'`));
      assert.equal((await put('other', project)).status, 201);
      if (project === 'overwritten') assert.equal((await put(project, 'a', 2)).status, 201);
      if (project === 'deleted') {
        assert.equal((await api.call({ method: 'DELETE', path: '/deleted/resource/key=a' })).status, 200);
      }
      await count('other', 1 + projects.indexOf(project));
      if (project === 'left') {
        withDatabase(file, (db) => db.exec("UPDATE resource SET row = 1000 WHERE project_key = 'left'"));
      }
    }
    withDatabase(file, (db) => db.exec(`UPDATE resource SET row = ${number} WHERE project_key = 'left'`));
    await api.app.close();
    api = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
    await count('other', 4);
    await count('left', 1);
    await count('overwritten', 1);
    await count('deleted', 0);
    for (const project of projects) {
      for (const key of ['a', ...projects]) {
        await api.call({ method: 'DELETE', path: `/${project}/resource/key=${key}` });
      }
    }
  }
  await api.app.close();
  assert.deepEqual(await checkStore(file, false, () => {}), []);
  api = await startTestApi({ ...onEmbedded, DATA_DIR: dataDir });
});
