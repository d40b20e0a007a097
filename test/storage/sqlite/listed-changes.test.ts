import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ChangeFilter } from '../../../src/domain/ports/change-log.ts';
import { writeOf } from '../../../src/record/row/write.ts';
import { LogReader } from '../../../src/record/sqlite/log/read-log.ts';
import { migrate } from '../../../src/record/sqlite/open/migrate.ts';
import type { WriteOperation } from '../../../src/record/sqlite/write/messages.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { testSeed } from '../../seed.ts';
import { changesBy } from '../logged-changes.ts';
import { creation, document } from '../records.ts';
import { fileOf, openTestStore, withDatabase } from './open-test-store.ts';
import { applierOn, followerOn } from './parts-on.ts';

const check = (file: string, rebuild = false) => checkStore(file, rebuild, () => {});

function creationOf(projectKey: string, id: string, clientId: string): WriteOperation {
  const origin = { type: 'created', cause: 'draft', at: '2026-01-02T03:04:05.678Z', clientId } as const;
  return ['write', writeOf({ ...creation(projectKey, document(id, 1)), origin }, true, 'always')];
}

/** Changes in turn of three projects, one of them a companion that has no log. */
const ofProject = (n: number) => ['p', 'q', 'p~images', 'p'][n % 4]!;
const ofClient = (n: number) => `client-${n % 3}`;

test('wherever the indexes are, a project has its changes in their order, from any position, of any filter', () => {
  const count = 40;
  fc.assert(
    fc.property(
      fc.record({
        indexed: fc.nat(count),
        after: fc.nat(count + 2),
        limit: fc.integer({ min: 1, max: 12 }),
        client: fc.option(fc.nat(3), { nil: undefined }),
      }),
      ({ indexed, after, limit, client }) => {
        const db = new DatabaseSync(':memory:');
        migrate(db);
        db.exec(`INSERT INTO store (singleton, instance_id, commits, settings) VALUES (1, 'test', 0, '{}')`);
        const applier = applierOn(db);
        const add = (from: number, to: number) => {
          const numbers = Array.from({ length: to - from }, (_, n) => from + n + 1);
          applier.apply(
            numbers.map((n) => creationOf(ofProject(n), `r${n}`, ofClient(n))),
            0,
          );
        };
        add(0, indexed);
        followerOn(db, []).follow();
        add(indexed, count);
        const reader = new LogReader(db);
        const filter: ChangeFilter = client === undefined ? {} : { clientId: `client-${client}` };
        const wanted = Array.from({ length: count }, (_, n) => n + 1).filter(
          (n) => n > after && ofProject(n) === 'p' && (client === undefined || client === n % 3),
        );
        const found: number[] = [];
        for (let position = after; ; ) {
          const { changes, next } = reader.read({ read: 'after', projectKey: 'p', after: position, limit, filter });
          assert.ok(changes.length <= limit);
          found.push(...changes.map(({ sequence }) => sequence));
          if (next === undefined || next <= position) break;
          position = next;
        }
        db.close();
        assert.deepEqual(found, wanted);
      },
    ),
    { seed: testSeed, numRuns: 80 },
  );
});

test('check finds changes that are not listed, or listed wrongly; a rebuild lists them again', async (t) => {
  const file = fileOf(t);
  const store = await openTestStore(file, { keepsHistory: true });
  for (const id of ['a', 'b']) await changesBy(store, 'p').create(id, {});
  await store.close();
  assert.deepEqual(await check(file), []);
  const damages = [
    ['DELETE FROM project_change WHERE sequence = 1', /^log of project p: 1 changes are not listed, 0 are/],
    ["INSERT INTO project_change VALUES ('q', 2)", /^log of project q: 0 changes are not listed, 1 are/],
    ["INSERT INTO project_change VALUES ('p', 77)", /^log of project p: 0 changes are not listed, 1 are/],
  ] as const;
  for (const [damage, finding] of damages) {
    withDatabase(file, (db) => db.exec(damage));
    assert.match((await check(file)).join(), finding);
    assert.deepEqual(await check(file, true), []);
  }
});

test('an entry of the list whose change is missing, or is of another project, is told to who reads it', async (t) => {
  const file = fileOf(t);
  const store = await openTestStore(file, { keepsHistory: true });
  for (const id of ['a', 'b']) await changesBy(store, 'p').create(id, {});
  await store.close();
  const damages = ["UPDATE change SET project_key = 'q' WHERE sequence = 1", 'DELETE FROM change WHERE sequence = 1'];
  for (const damage of damages) {
    withDatabase(file, (db) => {
      db.exec(damage);
      const reader = new LogReader(db);
      assert.throws(() => reader.read({ read: 'after', projectKey: 'p', after: 0, limit: 10, filter: {} }), {
        code: 'DataCorruption',
      });
    });
  }
});
