import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listMigrations, migrate } from '../../../src/record/sqlite/open/migrate.ts';
import { creation, document } from '../records.ts';
import { ruleStoreSuite } from '../rule-store.suite.ts';
import { fileOf, openTestStore, temporaryFolder, withDatabase } from './open-test-store.ts';

const folder = temporaryFolder();
after(() => folder.remove());
ruleStoreSuite({
  ...{ name: 'SQLite', rounds: 1000 },
  // The other one writes as a command beside the service does.
  open: async () => [await openTestStore(folder.file), await openTestStore(folder.file, { access: 'shared' })],
});

test('a store of before there were marks gets their tables with its next start, and writes as it did', async (t) => {
  const file = fileOf(t);
  withDatabase(file, (db) => {
    db.exec('PRAGMA journal_mode = WAL');
    migrate(db, listMigrations().slice(0, 1));
    assert.throws(() => db.prepare('SELECT * FROM mark'), /no such table/);
  });
  const store = await openTestStore(file);
  assert.equal(await store.resources.commit(creation('p', document('a', 1))), 'committed');
  await store.rules.mark('p', [{ id: 'a', version: 1, marks: ['sku 1'] }], ['sku ']);
  assert.deepEqual(await store.rules.marked('p', 'sku 1', 10), ['a']);
  await store.close();
});

test('a damaged version of the types stops no write, and is made again by the next one that is set', async (t) => {
  const file = fileOf(t);
  const store = await openTestStore(file);
  t.after(() => store.close());
  await store.rules.setRules('p', 7);
  for (const [n, version] of ['9223372036854775807', '4503599627370497', '-9223372036854775808'].entries()) {
    withDatabase(file, (db) => db.exec(`UPDATE project_rules SET version = ${version}`));
    assert.equal(await store.rules.rulesVersion('p'), 0);
    assert.equal(await store.resources.commit(creation('p', document(`a${n}`, 1))), 'committed', version);
    await store.rules.setRules('p', 7);
    assert.equal(await store.rules.rulesVersion('p'), 7);
    assert.equal(await store.resources.commit(creation('p', document('b', 1))), 'rulesBroken');
  }
});
