import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { damagedRowsSuite } from '../damaged-rows.suite.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const folder = temporaryFolder();
after(folder.remove);
let db: DatabaseSync | undefined;
const beside = () => {
  if (db) return db;
  db = new DatabaseSync(folder.file, { timeout: 60_000 });
  db.exec('PRAGMA synchronous = OFF');
  return db;
};
after(() => db?.close());

damagedRowsSuite({
  name: 'SQLite',
  open: (onDamaged) => openTestStore(folder.file, { onDamaged }),
  run: async (sql, ...params) => {
    const statement = beside().prepare(sql);
    return statement.all(...params) as Record<string, unknown>[];
  },
  columnsOf: async (table) =>
    beside()
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => name as string),
  check: async () => checkStore(folder.file, false, () => {}),
});
