/**
 * Run by power-loss.test.ts in a process of its own: writes to a store and prints each change once it is acknowledged.
 * `FULL` is the store as it is served; `NORMAL` differs in nothing but the setting, as a control of the test.
 */
import { writeSync } from 'node:fs';
import type { Change, ResourceStore } from '../../src/domain/ports/resource-store.ts';
import { createIndexer } from '../../src/storage/sqlite/indexing/indexer.ts';
import { openWriteConnection } from '../../src/storage/sqlite/open/connection.ts';
import { createResourceStore, type ResourceStoreParts } from '../../src/storage/sqlite/resource-store.ts';
import { createApplier } from '../../src/storage/sqlite/write/apply.ts';
import type { ChangeOperation, CommitOutcome } from '../../src/storage/sqlite/write/messages.ts';
import { openDatabase } from '../../src/storage/sqlite/write/open-database.ts';
import type { Writer } from '../../src/storage/sqlite/write/writer.ts';
import { noStoreMetrics } from '../../src/telemetry/store-metrics.ts';
import { creation, document, replacement } from '../storage/records.ts';
import { openTestStore } from '../storage/sqlite/open-test-store.ts';

interface Opened {
  readonly resources: ResourceStore;
  close(): Promise<void>;
}

/** The parts of the store put together without its writer thread, the connection at synchronous=NORMAL. */
async function openAtNormal(file: string): Promise<Opened> {
  const { db, acknowledgedFile, close } = openDatabase({ file, declaredPaths: [], acceptLoss: false }, () => {});
  db.exec('PRAGMA synchronous = NORMAL');
  const applier = createApplier(db, { terms() {}, written() {} });
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
  const indexer = createIndexer([]);
  const parts = {
    reads: {},
    writer: { submit },
    indexer,
    declaredPaths: [],
    metrics: noStoreMetrics,
    cacheBytes: 0,
    keepsHistory: true,
  };
  return { resources: createResourceStore(parts as unknown as ResourceStoreParts), close: async () => close() };
}

async function openAtFull(file: string): Promise<Opened> {
  const store = await openTestStore(file);
  return { resources: store.resources, close: () => store.close() };
}

const [file = '', setting] = process.argv.slice(2);
const { resources, close } = await (setting === 'NORMAL' ? openAtNormal(file) : openAtFull(file));

/** What a checkpoint thread does: some of the log goes into the database while the writer goes on. */
const checkpointer = openWriteConnection(file);
const fieldsOf = (id: string, version: number) => ({ text: `${id} in version ${version}`, filler: 'x'.repeat(600) });

async function commit(change: Change, id: string, version: number): Promise<void> {
  const outcome = await resources.commit(change);
  if (outcome !== 'committed') throw new Error(outcome);
  writeSync(1, `ack ${id} ${version}\n`);
}

async function createThenUpdate(id: string): Promise<void> {
  const first = document(id, 1, fieldsOf(id, 1), `key-${id}`);
  await commit(creation('p', first), id, 1);
  const second = document(id, 2, fieldsOf(id, 2), `key-${id}`);
  await commit(replacement('p', first, second), id, 2);
}

for (let round = 0; round < 8; round += 1) {
  for (let n = 0; n < 9; n += 1) await createThenUpdate(`single-${round}-${n}`);
  await Promise.all(Array.from({ length: 6 }, (_, n) => createThenUpdate(`batch-${round}-${n}`)));
  if (round % 3 === 1) checkpointer.exec('PRAGMA wal_checkpoint(PASSIVE)');
}
checkpointer.close();
await close();
