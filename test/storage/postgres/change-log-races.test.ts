import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { LoggedChange } from '../../../src/domain/ports/change-log.ts';
import type { CommitOutcome } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { connectOnce } from '../../../src/record/postgres/open/connection.ts';
import { commitWrites } from '../../../src/record/postgres/write/commit-statement.ts';
import { type PreparedWrite, prepareWrite } from '../../../src/record/postgres/write/prepare-write.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Stores on one database know as little of each other as processes do: three that write, and one that reads. */
let postgres: TestPostgres;
let writers: readonly Store[];
let reading: Store;
before(async () => {
  postgres = await startTestPostgres();
  writers = await Promise.all([1, 2, 3].map(() => openTestStore(postgres)));
  reading = await openTestStore(postgres);
});
after(async () => {
  for (const store of [...writers, reading]) await store.close();
  await postgres.close();
});

const projects = ['a', 'b', 'c'];
const ids = ['r0', 'r1', 'r2', 'r3'];
let progress = 0;

/** Does it until it is not refused: a connection is ended now and then. */
async function insist<T>(work: () => Promise<T>): Promise<T | 'unknown'> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.status === 503, String(error));
      if (error.code === 'OutcomeUnknown') return 'unknown';
      await pause(5);
    }
  }
}

/** Creates, updates and deletes resources that all clients write to. */
async function client(n: number, steps: number): Promise<void> {
  const { resources } = writers[n % writers.length]!;
  for (let step = 0; step < steps; step += 1) {
    const project = projects[(n + step) % projects.length]!;
    const id = ids[(n * 7 + step * 3) % ids.length]!;
    const found = await insist(async () => resources.get(project, id));
    if (found === 'unknown') continue;
    const current = found && (JSON.parse(found.current) as ReturnType<typeof document>);
    const change = !current
      ? creation(project, document(id, 1, { n }))
      : step % 9 === 8
        ? deletion(project, current)
        : replacement(project, current, document(id, Number(current.version) + 1, { n, step }));
    const outcome: CommitOutcome | 'unknown' = await insist(() => resources.commit(change));
    if (outcome === 'committed') progress += 1;
  }
}

/** Reads a log every few milliseconds until it is told that nothing more comes, and has read all of it. */
async function follow(project: string, isOver: () => boolean): Promise<readonly LoggedChange[]> {
  const met: LoggedChange[] = [];
  for (let after = 0; ; ) {
    const wasOver = isOver();
    const page = await insist(() => reading.changes.changesAfter(project, after, 20));
    assert.ok(page !== 'unknown');
    met.push(...page.changes);
    if (wasOver && page.upTo === after) return met;
    after = page.upTo;
    await pause(5);
  }
}

/** Each version of a resource follows the one before, from its creation to its deletion. */
function assertConsecutive(changes: readonly LoggedChange[]): void {
  let version = 0;
  for (const { version: next, origin } of changes) {
    if (origin.type === 'deleted') {
      assert.equal(next, version);
      version = 0;
    } else {
      assert.equal(origin.type, version === 0 ? 'created' : 'updated');
      assert.equal(next, version + 1);
      version = next;
    }
  }
}

test('three processes that write to the same resources, connections that end, and a reader: every change once, in order', async () => {
  let isOver = false;
  const readers = Promise.all(projects.map((project) => follow(project, () => isOver)));
  const all = Promise.all(Array.from({ length: 24 }, (_, n) => client(n, 60))).finally(() => {
    isOver = true;
  });
  // Not those of others, on a server that is not ours.
  for (let time = 1; time <= 5 && !isOver && postgres.server; time += 1) {
    while (progress < time * 30 && !isOver) await pause(5);
    await postgres.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND datname = current_database()`,
    );
  }
  await all;
  const met = await readers;
  for (const [at, project] of projects.entries()) {
    const changes = met[at]!;
    assert.deepEqual(
      changes.map(({ sequence }) => sequence),
      changes.map((_, index) => index + 1),
    );
    const { last } = await reading.changes.bounds(project);
    assert.equal(changes.length, last);
    for (const [id, ofOne] of Map.groupBy(changes, (each) => each.id)) {
      assertConsecutive(ofOne);
      const stored = await reading.resources.get(project, id);
      const newest = ofOne.at(-1)!;
      assert.equal(stored?.version, newest.origin.type === 'deleted' ? undefined : newest.version);
    }
  }
  assert.ok(met.flat().length >= progress);
});

test('a change of another process is followed within a look', async () => {
  let calls = 0;
  const stop = reading.changes.follow('followed', () => {
    calls += 1;
  });
  const spread = await openTestStore(postgres, {
    locate: async (keys) => new Map(keys.map((key) => [key, key < 'm' ? 'one' : 'two'])),
  });
  let apart = 0;
  const stopApart = spread.changes.follow('followed', () => {
    apart += 1;
  });
  for (let n = 0; n < 5; n += 1) {
    const [before, beforeApart] = [calls, apart];
    assert.equal(await writers[n % 3]!.resources.commit(creation('followed', document(`f${n}`, 1))), 'committed');
    while (calls === before || apart === beforeApart) await pause(5);
  }
  stop();
  stopApart();
  await spread.close();
});

test('several processes write the first changes of many projects: each log begins once, without a gap', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `first-${n}`);
  await Promise.all(
    names.flatMap((name, at) =>
      writers.map((store, n) => store.resources.commit(creation(name, document(`r${(n + at) % 3}`, 1)))),
    ),
  );
  for (const name of names) {
    const { changes } = await reading.changes.changesAfter(name, 0, 10);
    assert.deepEqual(
      changes.map(({ sequence }) => sequence),
      [1, 2, 3],
    );
  }
});

test('a commit whose answer was lost is not taken for the same commit of another: each is found by itself', async () => {
  const connection = await connectOnce(postgres.url);
  try {
    const options = { epoch: 'lost' };
    const commit = async (write: PreparedWrite, repeated = false) => {
      const { outcomes } = await commitWrites(connection, [write], { ...options, repeated });
      return outcomes[0];
    };
    const first = document('a', 1);
    assert.equal(await commit(prepareWrite(creation('lost', first), true)), 'committed');
    const second = document('a', 2);
    for (const change of [replacement('lost', first, second), deletion('lost', second)]) {
      const [mine, other] = [prepareWrite(change, true), prepareWrite(change, true)];
      assert.equal(await commit(other), 'committed');
      assert.equal(await commit(mine, true), 'versionMoved');
      assert.equal(await commit(other, true), 'committed');
    }
  } finally {
    await connection.close();
  }
});
