import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dataFolder, runCommand } from '../../faults/service-process.ts';
import { allRecords, createRecords, inOrder, projectRecords } from '../../transfer/project.ts';
import { openTestStore as openSqlite } from '../sqlite/open-test-store.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** A project on its way from one engine to the other and back, by the commands that an operator runs (decision 75). */
const first = dataFolder();
const last = dataFolder();
const records = inOrder(projectRecords('shop'));
const files = ['from-sqlite', 'from-postgres', 'from-sqlite-again'].map((name) => join(first.path, `${name}.ndjson`));
let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(async () => {
  await postgres.close();
  first.remove();
  last.remove();
});

async function command(name: string, file: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const at = name === 'move-out' ? '--out' : '--in';
  const { code, stdout, stderr } = await runCommand(['project', name, '--project', 'shop', at, file], environment);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** A file without what the moment of its export makes: the time in the header, and so the digest in the trailer. */
function comparable(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/"exportedAt":"[^"]+"/, '')
    .replace(/"sha256":"\w+"/, '');
}

test('a project from SQLite to PostgreSQL and back: records equal in every byte, and three equal files', async () => {
  const source = await openSqlite(join(first.path, 'grs.db'));
  await createRecords(source, records);
  await source.close();
  const [fromSqlite, fromPostgres, again] = files as [string, string, string];
  const all = `Imported: ${records.length} created, 0 replaced, 0 unchanged, 0 refused.\n`;
  await command('move-out', fromSqlite, { DATA_DIR: first.path });
  // Beside a service on the same folder.
  const service = await openTestStore(postgres, { mirrorFolder: join(last.path, 'mirror') });
  assert.equal(await command('move-in', fromSqlite, { DATABASE_URL: postgres.url, DATA_DIR: last.path }), all);
  await service.close();
  await command('move-out', fromPostgres, { DATABASE_URL: postgres.url, DATA_DIR: last.path });
  assert.equal(await command('move-in', fromPostgres, { DATA_DIR: last.path }), all);
  await command('move-out', again, { DATA_DIR: last.path });
  for (const file of [fromPostgres, again]) assert.equal(comparable(file), comparable(fromSqlite));
  const stores = [await openTestStore(postgres), await openSqlite(join(last.path, 'grs.db'))];
  for (const store of stores) {
    assert.deepEqual(await allRecords(store, 'shop'), records);
    await store.close();
  }
});

test('the moved project on either engine: grs check finds that all is well', async () => {
  for (const environment of [{ DATABASE_URL: postgres.url, DATA_DIR: last.path }, { DATA_DIR: last.path }]) {
    const { code, stdout, stderr } = await runCommand(['check'], environment);
    assert.deepEqual([code, stdout], [0, 'All is well.\n'], stderr);
  }
});
