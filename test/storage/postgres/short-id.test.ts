import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { shortId } from '../../../src/record/postgres/index/short-id.ts';
import { runPairs } from '../../../src/record/postgres/write/pairs.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
  await (await openTestStore(postgres)).close();
});
after(() => postgres.close());

test('grs_id reads every short id: of UUIDs, of what looks like them, and of any text', async () => {
  const uuid = randomUUID();
  const ids = [
    ...[uuid, uuid.toUpperCase(), uuid.replaceAll('-', ''), `${uuid}0`, uuid.slice(1)],
    // As long as a UUID once a byte or two are in front of them.
    ...['a'.repeat(13), 'b'.repeat(14), 'c'.repeat(15), 'd'.repeat(16), 'e'.repeat(17)],
    ...['ÿ'.repeat(7), 'ÿ'.repeat(8), '\u{1f600}', '\\xff', '-', 'x'.repeat(256)],
    ...fc.sample(fc.string({ unit: 'grapheme', minLength: 1 }), 500).map((text) => text.replaceAll('\0', '')),
    ...fc.sample(fc.uuid(), 100),
  ].filter((id) => id !== '');
  const rows = await postgres.run<{ id: string; bytes: number }>(
    `SELECT grs_id(decode(n.short, 'hex')) AS id, length(decode(n.short, 'hex')) AS bytes
      FROM unnest($1::text[]) WITH ORDINALITY AS n (short, position) ORDER BY n.position`,
    [ids.map(shortId)],
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    ids,
  );
  assert.equal(rows[0]!.bytes, 16);
  assert.equal(new Set(ids.map(shortId)).size, new Set(ids).size, 'no two ids have the same');
});

test('entries are added once each, however they are sent: nothing in the table keeps them from being there twice', async () => {
  const connection = await connectToStore(postgres);
  const pairs = Array.from({ length: 45 }, (_, n) => [`c|price|v0${'0'.repeat(14)}${n + 10}`, `id-${n}`] as const);
  for (const projectsApart of [false, true]) {
    await runPairs({ ...connection, projectsApart }, 'p', 'gain-entries', pairs);
    const count = `SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids FROM ordered_value WHERE project_key = 'p'`;
    assert.deepEqual(await postgres.run(count), [{ rows: 45, ids: 45 }]);
    await runPairs({ ...connection, projectsApart }, 'p', 'lose-entries', pairs);
    assert.deepEqual(await postgres.run(count), [{ rows: 0, ids: 0 }]);
  }
  await connection.close();
});
