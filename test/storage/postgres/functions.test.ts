import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import type { JsonValue } from '../../../src/contract/json.ts';
import { nearestDistance } from '../../../src/domain/predicate/circle.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** The functions of the schema as a worker of a cluster calls them: in a session that does not look for names in it. */

let postgres: TestPostgres;
let schema: string;
let worker: Client;
before(async () => {
  postgres = await startTestPostgres();
  await (await openTestStore(postgres)).close();
  const url = new URL(postgres.url);
  schema = /search_path=(\w+)/.exec(url.searchParams.get('options')!)![1]!;
  url.searchParams.delete('options');
  worker = new Client({ connectionString: url.href });
  await worker.connect();
  await worker.query('SET search_path = pg_catalog');
});
after(async () => {
  await worker.end();
  await postgres.close();
});

/** Arguments of each function with which it goes all of its ways. */
const calls: Readonly<Record<string, readonly string[]>> = {
  grs_instant: [`'2026-02-03T04:05:06.70+01:00'`, `'no'`],
  grs_fold: [`'Straße'`],
  grs_metres: [`'[1, 2]', 3, 4`, `'[[1, 2]]', 3, 4`, `'"x"', 3, 4`],
  grs_id: [`'\\x00112233445566778899aabbccddeeff'`, `'\\xff61'`],
};

test('every function of the schema works where the search path lacks the schema', async () => {
  const { rows } = await worker.query<{ name: string }>(
    'SELECT proname AS name FROM pg_proc WHERE pronamespace = $1::regnamespace',
    [schema],
  );
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(calls).sort());
  for (const [name, all] of Object.entries(calls)) {
    for (const call of all) await worker.query(`SELECT ${schema}.${name}(${call})`);
  }
});

const places: readonly JsonValue[] = [
  [8.5, 47.25],
  [8.5, 47.25, 400],
  ['8.5', 47.25],
  [],
  [[], [7, 50], [8, 49], 'x', [1, 2, 3]],
  [
    [7, 50],
    [8, 49],
  ],
  { type: 'Point', coordinates: [8.5, 47.25] },
  { type: 'Point', coordinates: [8.5] },
  { type: 'Point', coordinates: [[8.5, 47.25]] },
  { type: 'Line', coordinates: [8.5, 47.25] },
  { type: 'Point' },
  [{ type: 'Point', coordinates: [-170, -80] }, { type: 'Line' }, [179.5, 3]],
  [[[8.5, 47.25]]],
  'text',
  7,
  true,
  null,
];

test('a distance is the one that the domain computes, for points, lists of points and anything else', async () => {
  for (const place of places) {
    const { rows } = await worker.query<{ metres: number | null }>(
      `SELECT ${schema}.grs_metres($1::jsonb, $2, $3) AS metres`,
      [JSON.stringify(place), 8, 49],
    );
    const [found, expected] = [rows[0]!.metres, nearestDistance(place, 8, 49)];
    if (expected === undefined) assert.equal(found, null, JSON.stringify(place));
    else assert.ok(found !== null && Math.abs(found - expected) < 0.001, `${JSON.stringify(place)}: ${found}`);
  }
});
