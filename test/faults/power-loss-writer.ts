/**
 * Run by power-loss.test.ts in a process of its own: writes to a store and prints each change once it is acknowledged.
 * `FULL` is the store as it is served, with checkpoints that begin early (short-log.ts); `NORMAL` is made of the same parts at
 * another setting, as a control of the test.
 */
import { statSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Change, ResourceStore } from '../../src/domain/ports/resource-store.ts';
import type { ChangeOperation, CommitOutcome } from '../../src/record/sqlite/write/messages.ts';
import type { Writer } from '../../src/record/sqlite/write/writer.ts';
import { openWriteConnection } from '../../src/sqlite/connection.ts';
import { type ResourceStoreParts, SqliteResourceStore } from '../../src/store/sqlite/resource-store.ts';
import { openDatabase } from '../../src/store/sqlite/write/open-database.ts';
import { noStoreMetrics } from '../storage/no-store-metrics.ts';
import { creation, document, replacement } from '../storage/records.ts';
import { openTestStore } from '../storage/sqlite/open-test-store.ts';
import { applierOn } from '../storage/sqlite/parts-on.ts';

interface Opened {
  readonly resources: ResourceStore;
  close(): Promise<void>;
}

/** The parts of the store put together without its writer thread, the connection at synchronous=NORMAL. */
async function openAtNormal(file: string): Promise<Opened> {
  const { db, acknowledgedFile, close } = openDatabase({ file, declaredPaths: [], acceptLoss: false }, () => {});
  db.exec('PRAGMA synchronous = NORMAL');
  const applier = applierOn(db);
  const position = db.prepare('SELECT commits + (SELECT max(sequence) FROM change) AS commits FROM store');
  const submit: Writer['submit'] = async (operation) => {
    db.exec('BEGIN IMMEDIATE');
    const { outcomes } = applier.apply([operation as ChangeOperation], Date.now());
    const { commits } = position.get() as { commits: number };
    db.exec('COMMIT');
    acknowledgedFile.acknowledge(commits);
    return outcomes[0] as CommitOutcome;
  };
  // Commits use the writer alone; nothing is read here.
  const parts = {
    reads: {},
    writer: { submit },
    declaredPaths: [],
    metrics: noStoreMetrics,
    keepsHistory: true,
  };
  return { resources: new SqliteResourceStore(parts as unknown as ResourceStoreParts), close: async () => close() };
}

async function openAtFull(file: string): Promise<Opened> {
  const store = await openTestStore(file);
  return { resources: store.resources, close: () => store.close() };
}

const [file = '', setting] = process.argv.slice(2);
const { resources, close } = await (setting === 'NORMAL' ? openAtNormal(file) : openAtFull(file));

const fieldsOf = (id: string, version: number) => ({ text: `${id} in version ${version}`, filler: 'x'.repeat(600) });
const acknowledge = (id: string, version: number) => writeSync(1, `ack ${id} ${version}\n`);

async function commit(change: Change, id: string, version: number): Promise<void> {
  const outcome = await resources.commit(change);
  if (outcome !== 'committed') throw new Error(outcome);
  acknowledge(id, version);
}

async function createThenUpdate(id: string): Promise<void> {
  const first = document(id, 1, fieldsOf(id, 1), `key-${id}`);
  await commit(creation('p', first), id, 1);
  const second = document(id, 2, fieldsOf(id, 2), `key-${id}`);
  await commit(replacement('p', first, second), id, 2);
}

async function writeRound(round: number): Promise<void> {
  for (let n = 0; n < 9; n += 1) await createThenUpdate(`single-${round}-${n}`);
  await Promise.all(Array.from({ length: 6 }, (_, n) => createThenUpdate(`batch-${round}-${n}`)));
}

/** Resources that are created in one commit. */
async function createGroup(name: string): Promise<void> {
  const ids = Array.from({ length: 10 }, (_, n) => `${name}-${n}`);
  const changes = ids.map((id) => creation('p', document(id, 1, fieldsOf(id, 1))));
  const outcome = await resources.commitAll(changes);
  if (outcome !== 'committed') throw new Error(JSON.stringify(outcome));
  for (const id of ids) acknowledge(id, 1);
}

/** A resource whose terms are written in portions, while others are committed. */
async function createLarge(id: string): Promise<void> {
  const words = Array.from({ length: 14_000 }, (_, n) => `word${n.toString(36)}`).join(' ');
  await commit(creation('p', document(id, 1, { ...fieldsOf(id, 1), words })), id, 1);
}

/** Until the log was cut off, which a checkpoint does at rest. */
async function rest(): Promise<void> {
  while (statSync(`${file}-wal`).size > 0) await pause(20);
}

if (setting === 'NORMAL') {
  /** Of a command beside the service: some of the log goes into the database while the writer continues. */
  const checkpointer = openWriteConnection(file);
  for (let round = 0; round < 8; round += 1) {
    await writeRound(round);
    if (round % 3 === 1) checkpointer.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }
  checkpointer.close();
} else {
  for (let round = 0; round < 4; round += 1) await writeRound(round);
  await createGroup('group');
  await rest();
  await Promise.all([createLarge('large'), writeRound(4), createGroup('beside')]);
  for (let round = 5; round < 8; round += 1) await writeRound(round);
}
await close();
