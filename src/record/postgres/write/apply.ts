import type { CommitOutcome } from '../../../domain/ports/resource-store.ts';
import { replacedByDeletion } from '../../row/change-record.ts';
import { holdsChecksum, type Row } from '../../row/checked-table.ts';
import { readIncarnation } from '../../row/stored-row.ts';
import { responses, selected } from '../checked-tables.ts';
import { type EventContent, logOf } from '../event-row.ts';
import { holdGeneration } from '../generations/generation.ts';
import { shortId } from '../index/short-id.ts';
import type { Connection } from '../open/connection.ts';
import { codeOf, sqlState } from '../open/errors.ts';
import { responseKey, responsePartition } from '../rows.ts';
import { appendEvents, type ProjectEvents } from './append-events.ts';
import { withdrawOvertaken } from './continued.ts';
import { addWords, runPairs } from './pairs.ts';
import type { PutWrite, Write } from './prepare-write.ts';
import type { LeaveToCommit } from './transaction.ts';
import {
  type ChunkResult,
  createdAtStatement,
  createStatement,
  type DeletedRow,
  deleteStatement,
  inChunks,
  responseStatement,
  storedResponse,
  updateStatement,
} from './write-statements.ts';

type Outcomes = Map<Write, CommitOutcome>;
/** The rows that writes deleted. */
type Deleted = Map<Write, DeletedRow>;

/**
 * Applies writes inside the open transaction, each on its own merits, and returns their outcomes. No two of them may
 * have a response under the same scope. The last statements are left to the commit; `append` gets the events of what was
 * applied, to be appended behind all else. Throws only if PostgreSQL does; then nothing may be committed.
 */
export async function applyWrites(
  connection: Connection,
  writes: readonly Write[],
  nowMs: number,
  leave: LeaveToCommit,
  append: (projects: readonly ProjectEvents[]) => void = (projects) => appendEvents(connection, projects, leave),
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  const deleted: Deleted = new Map();
  const withResponse = writes.filter(({ response }) => response !== undefined);
  await storeResponses(connection, withResponse, nowMs, outcomes);
  for (const write of withResponse) {
    if (write.kind === 'response' && !outcomes.has(write)) outcomes.set(write, 'committed');
  }
  const allowed = writes.filter((write) => !outcomes.has(write));
  const byProject = [...Map.groupBy(allowed, ({ projectKey }) => projectKey)].sort(([a], [b]) => (a < b ? -1 : 1));
  await Promise.all(
    byProject.map(([projectKey, ofProject]) => applyTo(connection, projectKey, ofProject, outcomes, deleted)),
  );
  // One after another and with nothing between, since what follows a savepoint may be rolled back to it.
  for (const write of allowed) if (write.kind === 'move') outcomes.set(write, await move(connection, write));
  for (const [projectKey, ofProject] of byProject) {
    leave(updateIndexes(connection, projectKey, ofProject, outcomes));
  }
  for (const write of withResponse) leave(deleteUnusedResponse(connection, write, outcomes));
  // Behind all else, which may wait for other transactions.
  const events = [...Map.groupBy(allowed, ({ projectKey }) => logOf(projectKey))].map(([projectKey, ofLog]) => ({
    projectKey,
    events: eventsOf(ofLog, outcomes, deleted),
  }));
  append(events.filter((each) => each.events.length > 0));
  return outcomes;
}

/** The events of the writes that were applied. */
function eventsOf(writes: readonly Write[], outcomes: Outcomes, deleted: Deleted): readonly EventContent[] {
  return writes.flatMap((write) => {
    if (outcomes.get(write) !== 'committed') return [];
    const row = deleted.get(write);
    if (!row) return write.events;
    const incarnation = readIncarnation(row.history) ?? null;
    if (write.isOfDamaged) return write.events;
    return write.events.map((event) => ({ ...event, key: row.key, incarnation, before: replacedByDeletion(row) }));
  });
}

/** Stores the responses before their writes: if a scope has one already, its write is not applied. */
async function storeResponses(
  connection: Connection,
  writes: readonly Write[],
  nowMs: number,
  outcomes: Outcomes,
): Promise<void> {
  for (const [projectKey, some] of Map.groupBy(writes, ({ response }) => responsePartition(response!.scope))) {
    const byKey = new Map(some.map((write) => [responseKey(write.response!.scope), write]));
    const rows = [...byKey.values()].map(({ response }) => storedResponse(response!));
    rows.sort((a, b) => (a.scope_hash! < b.scope_hash! ? -1 : 1));
    const taken = await insertResponses(connection, projectKey, rows);
    if (taken.length === 0) continue;
    await deleteExpiredAmong(connection, projectKey, taken, nowMs);
    for (const { scope_hash } of await insertResponses(connection, projectKey, taken)) {
      outcomes.set(byKey.get(scope_hash as string)!, 'responseExists');
    }
  }
}

/** Returns those whose scope is taken. */
async function insertResponses(
  connection: Connection,
  projectKey: string,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const stored = await inChunks<Row, { scope_hash: string }>(connection, rows, (chunk) =>
    responseStatement(projectKey, chunk),
  );
  const free = new Set(stored.flatMap(({ rows }) => rows.map(({ scope_hash }) => scope_hash)));
  return rows.filter(({ scope_hash }) => !free.has(scope_hash as string));
}

/** A damaged row does not say when it expires: it stays, and its scope is taken. */
async function deleteExpiredAmong(
  connection: Connection,
  projectKey: string,
  taken: readonly Row[],
  nowMs: number,
): Promise<void> {
  const where = 'project_key = $1 AND scope_hash = ANY($2::text[]) AND expires_at <= $3';
  const found = await connection.query<Row>({
    name: 'expired-responses',
    text: `SELECT ${selected(responses)} FROM idempotent_answer WHERE ${where}`,
    values: [projectKey, taken.map(({ scope_hash }) => scope_hash), nowMs],
  });
  const expired = found.filter((row) => holdsChecksum(responses, row));
  if (expired.length === 0) return;
  await connection.run({
    name: 'delete-expired-responses',
    text: `DELETE FROM idempotent_answer WHERE ${where}`,
    values: [projectKey, expired.map(({ scope_hash }) => scope_hash), nowMs],
  });
}

async function deleteUnusedResponse(connection: Connection, write: Write, outcomes: Outcomes): Promise<void> {
  const outcome = outcomes.get(write);
  if (outcome === 'committed' || outcome === 'responseExists') return;
  const { scope } = write.response!;
  await connection.run({
    name: 'delete-response',
    text: 'DELETE FROM idempotent_answer WHERE project_key = $1 AND scope_hash = $2',
    values: [responsePartition(scope), responseKey(scope)],
  });
}

async function applyTo(
  connection: Connection,
  projectKey: string,
  writes: readonly Write[],
  outcomes: Outcomes,
  deletedRows: Deleted,
): Promise<void> {
  // In the order of ids, so that two processes that lock the same rows rarely deadlock.
  const ordered = writes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const puts = ordered.filter((write): write is PutWrite => 'row' in write);
  const creates = puts.filter(({ kind }) => kind === 'create');
  const updates = puts.filter(({ kind }) => kind === 'update');
  const deletes = ordered.filter(({ kind }) => kind === 'delete');
  // First, so that it is held before any row is written; the others need not wait for its outcome.
  const [, , updated, deleted] = await Promise.all([
    holdGeneration(
      connection,
      projectKey,
      writes.map(({ paths }) => paths),
    ),
    create(connection, projectKey, creates, outcomes),
    inChunks<PutWrite, { at: number; created_at: string }>(connection, updates, (chunk) =>
      updateStatement(projectKey, chunk),
    ),
    deletes.length === 0 ? [] : connection.query<DeletedRow>(deleteStatement(projectKey, deletes)),
  ]);
  settle([...updated, { chunk: deletes, rows: deleted }], outcomes);
  for (const row of deleted) deletedRows.set(deletes[row.at]!, row);
  for (const { chunk, rows } of updated) {
    // Stored in another form than the checksum is over: by an import of an older version of the service.
    const others = rows.filter(({ at, created_at }) => created_at !== chunk[at]!.row.created_at);
    for (const { at } of others) await connection.run(createdAtStatement(chunk[at]!));
  }
}

/** Only the writes whose indexes were returned found the version that they expected. */
function settle(results: readonly ChunkResult<Write, { readonly at: number }>[], outcomes: Outcomes): void {
  for (const { chunk, rows } of results) {
    for (const write of chunk) outcomes.set(write, 'versionMoved');
    for (const { at } of rows) outcomes.set(chunk[at]!, 'committed');
  }
}

async function create(
  connection: Connection,
  projectKey: string,
  writes: readonly PutWrite[],
  outcomes: Outcomes,
): Promise<void> {
  if (writes.length === 0) return;
  const nameOf = (id: string, checksum: number) => `${checksum} ${id}`;
  const created = await inChunks<PutWrite, { id: string; checksum: number }>(connection, writes, (chunk) =>
    createStatement(projectKey, chunk),
  );
  const inserted = new Set(created.flatMap(({ rows }) => rows.map(({ id, checksum }) => nameOf(id, checksum))));
  const refused: PutWrite[] = [];
  for (const write of writes) {
    // Of writes that are equal in every byte one was inserted.
    if (inserted.delete(nameOf(write.id, write.row.checksum))) outcomes.set(write, 'committed');
    else refused.push(write);
  }
  const continued = writes.filter((write) => write.continues !== undefined && outcomes.get(write) === 'committed');
  for (const write of await withdrawOvertaken(connection, projectKey, continued)) outcomes.set(write, 'versionMoved');
  if (refused.length === 0) return;
  // Id or key: PostgreSQL names the index at best, and of a distributed table not even that.
  const rows = await connection.query<{ id: string }>({
    name: 'taken-ids',
    text: 'SELECT id FROM resource WHERE project_key = $1 AND id = ANY($2::text[])',
    values: [projectKey, refused.map(({ id }) => id)],
  });
  const taken = new Set(rows.map(({ id }) => id));
  for (const write of refused) {
    outcomes.set(write, taken.has(write.id) || write.row.key === null ? 'idTaken' : 'keyTaken');
  }
}

/** The only unique column that an update can collide in is the key. */
async function move(connection: Connection, write: PutWrite): Promise<CommitOutcome> {
  await connection.run({ text: 'SAVEPOINT move' });
  try {
    const moved = await connection.run(updateStatement(write.projectKey, [write], 'move'));
    await connection.run({ text: 'RELEASE SAVEPOINT move' });
    return moved === 1 ? 'committed' : 'versionMoved';
  } catch (error) {
    if (codeOf(error) !== sqlState.uniqueViolation) throw error;
    await connection.run({ text: 'ROLLBACK TO SAVEPOINT move' });
    return 'keyTaken';
  }
}

/** Removes all ordered values of a resource. */
function loseAllStatement(projectKey: string, id: string) {
  const text = `DELETE FROM ordered_value WHERE project_key = $1 AND id = $2::bytea`;
  return { text, values: [projectKey, `\\x${shortId(id)}`] };
}

/** The ordered values and the vocabulary, for the writes that were applied. */
async function updateIndexes(
  connection: Connection,
  projectKey: string,
  writes: readonly Write[],
  outcomes: Outcomes,
): Promise<void> {
  const applied = writes.filter((write) => outcomes.get(write) === 'committed');
  const lost = applied.flatMap(({ id, lostEntries }) => lostEntries.map((entry) => [entry, id] as const));
  for (const { id, isOfDamaged } of applied) if (isOfDamaged) await connection.run(loseAllStatement(projectKey, id));
  const gained = applied.flatMap(({ id, gainedEntries }) => gainedEntries.map((entry) => [entry, id] as const));
  await Promise.all([
    runPairs(connection, projectKey, 'lose-entries', lost),
    runPairs(connection, projectKey, 'gain-entries', gained),
    addWords(
      connection,
      projectKey,
      applied.flatMap(({ words }) => words),
    ),
  ]);
}
