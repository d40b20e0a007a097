import type { CommitOutcome } from '../../../domain/ports/resource-store.ts';
import type { Connection } from '../open/connection.ts';
import { codeOf, sqlState } from '../open/errors.ts';
import { answerKey, answerPartition } from '../open/partition.ts';
import type { DeleteWrite, PutWrite, Write } from './prepare-write.ts';
import {
  answerStatement,
  createStatement,
  deleteStatement,
  inChunks,
  moveStatement,
  updateStatement,
} from './write-statements.ts';

type Outcomes = Map<Write, CommitOutcome>;

/**
 * Applies writes inside the open transaction, each on its own merits, and says what became of each. No two of them may
 * have an answer under the same scope. Throws only where PostgreSQL does; then nothing may be committed.
 */
export async function applyWrites(connection: Connection, writes: readonly Write[], nowMs: number): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  const answered = writes.filter(({ answer }) => answer !== undefined);
  if (answered.length > 0) await takeScopes(connection, answered, nowMs, outcomes);
  const allowed = writes.filter((write) => !outcomes.has(write));
  const byProject = [...Map.groupBy(allowed, ({ projectKey }) => projectKey)].sort(([a], [b]) => (a < b ? -1 : 1));
  await Promise.all(byProject.map(([projectKey, ofProject]) => applyTo(connection, projectKey, ofProject, outcomes)));
  // One after another, with nothing between: what stands behind a savepoint may be rolled back to it.
  for (const write of allowed) {
    if (isPut(write) && write.identityMoved) outcomes.set(write, await move(connection, write));
  }
  await Promise.all([
    ...byProject.map(([projectKey, ofProject]) => follow(connection, projectKey, ofProject, outcomes)),
    ...answered.map((write) => giveBackScope(connection, write, outcomes)),
  ]);
  return outcomes;
}

/** Stores the answers before their writes: a scope that is taken keeps its write from being applied. */
async function takeScopes(
  connection: Connection,
  answered: readonly Write[],
  nowMs: number,
  outcomes: Outcomes,
): Promise<void> {
  const byProject = Map.groupBy(answered, ({ answer }) => answerPartition(answer!.scope));
  for (const [projectKey, writes] of byProject) {
    const ordered = writes.toSorted((a, b) => (a.answer!.scope < b.answer!.scope ? -1 : 1));
    const taken = await inChunks<Write, { scope_hash: string }>(connection, ordered, (chunk) =>
      answerStatement(
        projectKey,
        chunk.map(({ answer }) => answer!),
        nowMs,
      ),
    );
    for (const { chunk, rows } of taken) {
      const free = new Set(rows.map(({ scope_hash }) => scope_hash));
      for (const write of chunk) if (!free.has(answerKey(write.answer!.scope))) outcomes.set(write, 'responseExists');
    }
  }
}

async function giveBackScope(connection: Connection, write: Write, outcomes: Outcomes): Promise<void> {
  const word = outcomes.get(write);
  if (word === 'committed' || word === 'responseExists') return;
  const { scope } = write.answer!;
  await connection.run({
    name: 'answer-back',
    text: 'DELETE FROM idempotent_answer WHERE project_key = $1 AND scope_hash = $2',
    values: [answerPartition(scope), answerKey(scope)],
  });
}

const isPut = (write: Write): write is PutWrite => write.kind !== 'delete';

async function applyTo(
  connection: Connection,
  projectKey: string,
  writes: readonly Write[],
  outcomes: Outcomes,
): Promise<void> {
  // In the order of ids, so that two processes that lock the same rows seldom do so crosswise.
  const ordered = writes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const puts = ordered.filter(isPut);
  await Promise.all([
    create(
      connection,
      projectKey,
      puts.filter(({ kind }) => kind === 'create'),
      outcomes,
    ),
    update(
      connection,
      projectKey,
      puts.filter(({ kind, identityMoved }) => kind === 'update' && !identityMoved),
      outcomes,
    ),
    remove(
      connection,
      projectKey,
      ordered.filter((write) => !isPut(write)),
      outcomes,
    ),
  ]);
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
    // Of writes that are the same to the letter one was inserted.
    if (inserted.delete(nameOf(write.id, write.row.checksum))) outcomes.set(write, 'committed');
    else refused.push(write);
  }
  if (refused.length === 0) return;
  // Which of the two is taken: PostgreSQL tells the name of an index at best, and a distributed one not even that.
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

async function update(
  connection: Connection,
  projectKey: string,
  writes: readonly PutWrite[],
  outcomes: Outcomes,
): Promise<void> {
  if (writes.length === 0) return;
  for (const write of writes) outcomes.set(write, 'versionMoved');
  const updated = await inChunks<PutWrite, { at: number }>(connection, writes, (chunk) =>
    updateStatement(projectKey, chunk),
  );
  for (const { chunk, rows } of updated) for (const { at } of rows) outcomes.set(chunk[at]!, 'committed');
}

async function remove(
  connection: Connection,
  projectKey: string,
  writes: readonly (PutWrite | DeleteWrite)[],
  outcomes: Outcomes,
): Promise<void> {
  if (writes.length === 0) return;
  for (const write of writes) outcomes.set(write, 'versionMoved');
  const rows = await connection.query<{ at: number }>(deleteStatement(projectKey, writes));
  for (const { at } of rows) outcomes.set(writes[at - 1]!, 'committed');
}

/** The only unique field that an update can collide in is the key. */
async function move(connection: Connection, write: PutWrite): Promise<CommitOutcome> {
  await connection.run({ text: 'SAVEPOINT move' });
  try {
    const moved = await connection.run(moveStatement(write));
    await connection.run({ text: 'RELEASE SAVEPOINT move' });
    return moved === 1 ? 'committed' : 'versionMoved';
  } catch (error) {
    if (codeOf(error) !== sqlState.uniqueViolation) throw error;
    await connection.run({ text: 'ROLLBACK TO SAVEPOINT move' });
    return 'keyTaken';
  }
}

/** What else the writes that were applied change: ordered values, and the vocabulary. */
async function follow(
  connection: Connection,
  projectKey: string,
  writes: readonly Write[],
  outcomes: Outcomes,
): Promise<void> {
  const applied = writes.filter((write) => outcomes.get(write) === 'committed');
  const lost = applied.flatMap(({ id, lostEntries }) => lostEntries.map((entry) => [entry, id] as const));
  const gained = applied.flatMap(({ id, gainedEntries }) => gainedEntries.map((entry) => [entry, id] as const));
  const words = new Map(applied.flatMap((write) => write.words.map((word) => [word.join('|'), word] as const)));
  await Promise.all([
    changeEntries(connection, projectKey, lost, 'lost'),
    changeEntries(connection, projectKey, gained, 'gained'),
    addWords(connection, projectKey, [...words.values()]),
  ]);
}

const entryStatements = {
  lost: `DELETE FROM ordered_value o USING unnest($2::text[], $3::text[]) AS n (entry, id)
    WHERE o.project_key = $1 AND o.entry = n.entry AND o.id = n.id`,
  gained: `INSERT INTO ordered_value (project_key, entry, id)
    SELECT $1::text, n.entry, n.id FROM unnest($2::text[], $3::text[]) AS n (entry, id) ON CONFLICT DO NOTHING`,
} as const;

async function changeEntries(
  connection: Connection,
  projectKey: string,
  entries: readonly (readonly [entry: string, id: string])[],
  kind: keyof typeof entryStatements,
): Promise<void> {
  if (entries.length === 0) return;
  const values = [projectKey, entries.map(([entry]) => entry), entries.map(([, id]) => id)];
  await connection.run({ name: `entries-${kind}`, text: entryStatements[kind], values });
}

/** In one order everywhere: two processes that add the same words wait for each other, and never crosswise. */
async function addWords(
  connection: Connection,
  projectKey: string,
  words: readonly (readonly [locale: string, word: string])[],
): Promise<void> {
  if (words.length === 0) return;
  const ordered = words.toSorted(([aLocale, a], [bLocale, b]) => (aLocale + a < bLocale + b ? -1 : 1));
  await connection.run({
    name: 'words',
    text: `INSERT INTO word (project_key, locale, word)
      SELECT $1::text, n.locale, n.word FROM unnest($2::text[], $3::text[]) AS n (locale, word) ON CONFLICT DO NOTHING`,
    values: [projectKey, ordered.map(([locale]) => locale), ordered.map(([, word]) => word)],
  });
}
