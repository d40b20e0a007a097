import { after, before } from 'node:test';
import { Client, types } from 'pg';
import { checkPostgres } from '../../../src/storage/postgres/maintenance/maintain.ts';
import { damagedRowsSuite } from '../damaged-rows.suite.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
let beside: Client;
before(async () => {
  postgres = await startTestPostgres();
  // 64 bits, which would come as texts.
  const getTypeParser = (oid: number) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid));
  beside = new Client({ connectionString: postgres.url, types: { getTypeParser } });
  await beside.connect();
  await beside.query('SET synchronous_commit = off');
});
after(async () => {
  await beside.end();
  await postgres.close();
});

damagedRowsSuite({
  name: 'PostgreSQL',
  open: (onDamaged) => openTestStore(postgres, { onDamaged }),
  async run(sql, ...params) {
    let at = 0;
    const text = sql.replace(/\?/g, () => {
      at += 1;
      return `$${at}`;
    });
    return (await beside.query<Record<string, unknown>>(text, [...params])).rows;
  },
  async columnsOf(table) {
    const text = `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1`;
    const names = (await beside.query<{ name: string }>(text, [table])).rows.map(({ name }) => name);
    // A cluster refuses to change the project of a row, and finds no row by one that another shard has.
    return postgres.isCluster ? names.filter((name) => name !== 'project_key') : names;
  },
  check: () => checkPostgres(postgres.url, false, () => {}),
});
