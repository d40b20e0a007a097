import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { checksumOf, holdsChecksum } from '../../row/checked-table.ts';
import { namedRow, type ResourceColumns, rowChecksum, rowColumns } from '../../row/stored-row.ts';
import { prepareRows, responses, selected } from '../checked-tables.ts';
import { createChangeLog } from './change-log.ts';
import { createTermMerger } from './merge-index.ts';
import type {
  ChangeOperation,
  CommitOutcome,
  CreateOperation,
  DeleteOperation,
  IndexColumns,
  ResponseColumns,
  UpdateOperation,
} from './messages.ts';
import { createVocabularyWriter } from './vocabulary-writer.ts';

/** What remains to be written for a row at the end of the transaction. */
export interface PendingRow {
  readonly projectKey: string;
  readonly row: number;
  readonly index: IndexColumns;
  readonly counts: 'appears' | 'stays' | 'goes';
}

function prepareAll(db: DatabaseSync) {
  const prepare = (sql: string) => db.prepare(sql);
  const termStatement = (sql: string) => {
    const statement = db.prepare(sql);
    // FTS5 leaves a last rowid that may not fit a number; reading it as one throws after the statement has run.
    statement.setReadBigInts(true);
    return statement;
  };
  return {
    create: prepare(`INSERT INTO resource (${rowColumns}) VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`),
    update: prepare(
      'UPDATE resource SET version = ?, modified_at = ?, current = ?, staged = ?, history = ?, checksum = ? WHERE project_key = ? AND id = ? AND version = ? RETURNING row, created_at AS createdAt',
    ),
    updateIdentity: prepare(
      'UPDATE OR IGNORE resource SET key = ?, created_at = ?, version = ?, modified_at = ?, current = ?, staged = ?, history = ?, checksum = ? WHERE project_key = ? AND id = ? AND version = ? RETURNING row, created_at AS createdAt',
    ),
    setCreatedAt: prepare('UPDATE resource SET created_at = ? WHERE row = ?'),
    delete: prepare('DELETE FROM resource WHERE project_key = ? AND id = ? AND version = ? RETURNING row'),
    versionOf: prepare('SELECT version FROM resource WHERE project_key = ? AND id = ?'),
    removeTerms: termStatement("INSERT INTO term (term, rowid, t) VALUES ('delete', ?, ?)"),
    addTerms: termStatement('INSERT INTO term (rowid, t) VALUES (?, ?)'),
    findResponse: prepareRows(db, `SELECT ${selected(responses)} FROM idempotent_answer WHERE scope = ?`),
    addResponse: prepare(
      `INSERT OR REPLACE INTO idempotent_answer (${selected(responses)}, body) VALUES (?,?,?,?,?,?,?,?)`,
    ),
    countCommit: prepare('UPDATE store SET commits = commits + 1 RETURNING commits'),
  };
}

function resourceChecksum(resource: ResourceColumns): number {
  return rowChecksum(namedRow([...resource, 0]));
}

export interface Applier {
  /**
   * Applies changes inside the open transaction, in order and independently of each other. Returns their outcomes, and
   * the number of this commit for the acknowledged file. Throws only where SQLite does; then roll back.
   */
  apply(
    operations: readonly ChangeOperation[],
    nowMs: number,
  ): { readonly outcomes: CommitOutcome[]; readonly commits: number };
  /** To be called after the transaction was rolled back. */
  forget(): void;
}

/** Prepares the statements of the write path on a connection. */
export function createApplier(db: DatabaseSync): Applier {
  const sql = prepareAll(db);
  const vocabulary = createVocabularyWriter(db);
  const changeLog = createChangeLog(db);
  const merger = createTermMerger(db);

  /**
   * Terms are written last and by ascending row: FTS5 starts a new segment whenever a row number is lower than the one
   * before. While the row lives each delete is paired with an insert, so that FTS5's own count of rows stays correct.
   */
  function writeTerms(pending: PendingRow[]): void {
    pending.sort((a, b) => a.row - b.row);
    let characters = 0;
    for (const { row, index, counts } of pending) {
      const [removed, added] = [joined(index[0], index[2]), joined(index[1], index[3])];
      if (counts === 'stays' && removed === '' && added === '') continue;
      if (counts !== 'appears') sql.removeTerms.run(row, removed);
      if (counts !== 'goes') sql.addTerms.run(row, added);
      characters += removed.length + added.length;
    }
    merger.wrote(characters);
  }

  /** Writes what follows from the rows: the terms, the vocabulary, the counts of projects and the change log. */
  function writeRest(pending: PendingRow[]): number {
    writeTerms(pending);
    const { commits } = sql.countCommit.get() as { commits: number };
    for (const { index } of pending) vocabulary.add(index[3], commits);
    vocabulary.remove(pending.map(({ index }) => index[2]));
    changeLog.write(pending, commits);
    return commits;
  }

  function create([, resource, index]: CreateOperation, pending: PendingRow[]): CommitOutcome {
    const { changes, lastInsertRowid } = sql.create.run(...resource, resourceChecksum(resource));
    if (changes === 0) return sql.versionOf.get(resource[0], resource[1]) ? 'idTaken' : 'keyTaken';
    pending.push({ projectKey: resource[0], row: Number(lastInsertRowid), index, counts: 'appears' });
    return 'committed';
  }

  function update(
    [, resource, index, , expected, identityMoved]: UpdateOperation,
    pending: PendingRow[],
  ): CommitOutcome {
    const [projectKey, id, key, version, createdAt, modifiedAt, current, staged, history] = resource;
    const body = [version, modifiedAt, current, staged, history, resourceChecksum(resource)] as const;
    const where = [projectKey, id, expected] as const;
    const found = (
      identityMoved ? sql.updateIdentity.get(key, createdAt, ...body, ...where) : sql.update.get(...body, ...where)
    ) as { row: number; createdAt: string } | undefined;
    if (!found) {
      const present = sql.versionOf.get(projectKey, id) as { version: number } | undefined;
      return present?.version === expected ? 'keyTaken' : 'versionMoved';
    }
    // Stored in another form than the checksum is over: by an import of an older version of the service.
    if (found.createdAt !== createdAt) sql.setCreatedAt.run(createdAt, found.row);
    pending.push({ projectKey, row: found.row, index, counts: 'stays' });
    return 'committed';
  }

  function remove([, projectKey, id, index, , expected]: DeleteOperation, pending: PendingRow[]): CommitOutcome {
    const found = sql.delete.get(projectKey, id, expected) as { row: number } | undefined;
    if (!found) return 'versionMoved';
    pending.push({ projectKey, row: found.row, index, counts: 'goes' });
    return 'committed';
  }

  /** True where a response is stored that has not expired, or that is damaged, so that it does not say when it expires. */
  function hasResponse(scope: string, nowMs: number): boolean {
    const row = sql.findResponse.get(scope);
    return row !== undefined && (!holdsChecksum(responses, row) || (row.expires_at as number) > nowMs);
  }

  function addResponse([scope, request_hash, status, headers, body, expires_at]: ResponseColumns): void {
    const row = { scope, request_hash, status, headers, body_checksum: crc32(body), expires_at };
    sql.addResponse.run(
      ...responses.columns.map((column) => row[column as keyof typeof row]),
      checksumOf(responses, row),
      body,
    );
  }

  function applyChange(operation: ChangeOperation, pending: PendingRow[]): CommitOutcome {
    switch (operation[0]) {
      case 'create':
        return create(operation, pending);
      case 'update':
        return update(operation, pending);
      case 'delete':
        return remove(operation, pending);
      case 'response':
        return 'committed';
    }
  }

  function applyOne(operation: ChangeOperation, pending: PendingRow[], nowMs: number): CommitOutcome {
    const response = responseOf(operation);
    if (response && hasResponse(response[0], nowMs)) return 'responseExists';
    const outcome = applyChange(operation, pending);
    if (response && outcome === 'committed') addResponse(response);
    return outcome;
  }

  return {
    apply(operations, nowMs) {
      const pending: PendingRow[] = [];
      const outcomes = operations.map((operation) => applyOne(operation, pending, nowMs));
      return { outcomes, commits: writeRest(pending) };
    },
    forget: vocabulary.clearCache,
  };
}

function responseOf(operation: ChangeOperation): ResponseColumns | null {
  if (operation[0] === 'response') return operation[1];
  return operation[0] === 'delete' ? operation[4] : operation[3];
}

function joined(values: string, text: string): string {
  return values === '' || text === '' ? values + text : `${values} ${text}`;
}
