import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { noResource } from '../../../domain/ports/change-log.ts';
import { readOne } from '../../../sqlite/any-numbers.ts';
import { lastSequence, maxCounted } from '../../../sqlite/position.ts';
import { createStrayMover, isNumberedRow, nextRow } from '../../../sqlite/row-numbers.ts';
import { hasTypes } from '../../../sqlite/value-types.ts';
import { recordChecksum, replacedByDeletion } from '../../row/change-record.ts';
import { checksumOf, holdsChecksum, type Row } from '../../row/checked-table.ts';
import { ownerOf } from '../../row/logged-change.ts';
import {
  type DocumentTexts,
  namedRow,
  type ResourceColumns,
  type RowColumns,
  readHistory,
  rowChecksum,
  rowColumns,
} from '../../row/stored-row.ts';
import { responses, selected } from '../checked-tables.ts';
import { type Absence, createAbsence, isFreshId } from '../open/absence.ts';
import { createForgetter, type Forgetter } from './forget.ts';
import { createLogWriter, type LogWriter } from './log-writer.ts';
import type {
  Applied,
  ChangeOperation,
  CommitOutcome,
  CreateOperation,
  DeleteOperation,
  DocumentTuple,
  ForgetResult,
  ResponseColumns,
  UpdateOperation,
} from './messages.ts';
import { responseOf } from './messages.ts';
import { MirrorWriter } from './mirror-writer.ts';

/** A resource as a change finds it. */
interface Found {
  readonly row: number;
  readonly version: number;
  readonly history: string;
  /** The sequence of its last change. */
  readonly changed: number;
}

type Deleted = DocumentTexts & { readonly key: string | null };

function prepareAll(db: DatabaseSync) {
  const prepare = (sql: string) => db.prepare(sql);
  const body = [...rowColumns.split(', ').slice(3), 'changed'].map((name) => `${name} = ?`).join(', ');
  return {
    create: prepare(
      `INSERT INTO resource (row, ${rowColumns}, changed) VALUES (${nextRow},?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
    ),
    find: prepare(
      // If the pointer to the last change is damaged, the history of the resource starts again.
      `SELECT iif(${isNumberedRow}, row, 0) AS row, iif(typeof(version) IN ('integer', 'real'), version, 0) AS version,
          history,
          iif(${hasTypes({ changed: 'integer' })} AND changed <= ${maxCounted}, changed, 0) AS changed
        FROM resource WHERE project_key = ? AND id = ?`,
    ),
    update: prepare(`UPDATE resource SET ${body} WHERE row = ?`),
    updateIdentity: prepare(`UPDATE OR IGNORE resource SET key = ?, ${body} WHERE row = ?`),
    ofSame: prepare('SELECT 1 FROM change WHERE sequence = ? AND project_key = ? AND id = ?'),
    delete: prepare('DELETE FROM resource WHERE row = ? RETURNING key, current, staged'),
    lastSequence: prepare(`SELECT ${lastSequence} AS last`),
    record: prepare('INSERT INTO change (sequence, project_key, row, checksum, before) VALUES (?, ?, ?, ?, ?)'),
    findResponse: prepare(`SELECT ${selected(responses)} FROM idempotent_answer WHERE scope = ?`),
    addResponse: prepare(
      `INSERT OR REPLACE INTO idempotent_answer (${selected(responses)}, body) VALUES (?,?,?,?,?,?,?,?)`,
    ),
  };
}

/** A resource as it is stored, with its checksum. */
function storedRow(resource: ResourceColumns): RowColumns {
  return [...resource, rowChecksum(namedRow([...resource, 0]))];
}

/** Collects rows whose previous content is unknown, for the indexes. */
export interface UnknownRows {
  add(row: number, reason: string): void;
}

/** The write path on a connection. */
export class Applier {
  readonly #sql: ReturnType<typeof prepareAll>;
  readonly #log: LogWriter;
  readonly #forgetter: Forgetter;
  readonly #unknown: UnknownRows;
  readonly #mirror: MirrorWriter;
  readonly #absence: Absence;
  readonly #moveStray: (projectKey: string, id: string) => void;
  #nowMs = 0;
  /** Of the last change. */
  #sequence = 0;

  constructor(db: DatabaseSync, unknown: UnknownRows) {
    this.#sql = prepareAll(db);
    this.#log = createLogWriter(db);
    this.#forgetter = createForgetter(db, this.#log);
    this.#unknown = unknown;
    this.#mirror = new MirrorWriter(db, (write) => {
      this.#sequence += 1;
      const { projectKey, row, before } = write(this.#sequence);
      this.#record(projectKey, row, before);
    });
    this.#absence = createAbsence(db);
    this.#moveStray = createStrayMover(db);
  }

  /**
   * Applies changes inside the open transaction, in order and independently of each other. Returns their outcomes.
   * Throws only where SQLite does, or where the log is damaged; then roll back.
   */
  apply(operations: readonly ChangeOperation[], nowMs: number): Applied {
    this.#nowMs = nowMs;
    // Read anew each time: a command beside the service may write, too.
    const { last } = this.#sql.lastSequence.get() as { last: number };
    this.#sequence = last;
    const outcomes = operations.map((operation) => this.#applyOne(operation));
    const isChanged = outcomes.some(
      (outcome) => outcome === 'committed' || outcome[0] === 'done' || outcome[0] === 'rest',
    );
    const copied = operations.length === 1 && operations[0]![0] === 'mirror' ? this.#mirror.copied : undefined;
    return { outcomes, isChanged, records: this.#sequence - last, copied };
  }

  /** Of a change that is not logged, whose sequence was taken. */
  #record(projectKey: string, row: number, before: string | null): void {
    this.#sql.record.run(
      this.#sequence,
      projectKey,
      row,
      recordChecksum({ sequence: this.#sequence, projectKey, row, before }),
      before,
    );
  }

  /** Adds the writes of documents that a change of a companion project stores to the log of its project. */
  #addDocuments(companion: string, documents: readonly DocumentTuple[]): void {
    const projectKey = ownerOf(companion);
    for (const [key, version, origin] of documents) {
      this.#sequence += 1;
      this.#log.add(
        this.#sequence,
        0,
        { projectKey, id: noResource, key, version, incarnation: null },
        0,
        origin,
        null,
      );
    }
  }

  #find(projectKey: string, id: string): Found | undefined {
    const found = readOne(this.#sql.find, [projectKey, id]) as unknown as Found | undefined;
    if (found?.row !== 0) return found;
    this.#moveStray(projectKey, id);
    const moved = readOne(this.#sql.find, [projectKey, id]) as unknown as Found;
    this.#unknown.add(moved.row, '');
    return moved;
  }

  /** The row of a resource, if it has the version and the incarnation expected. */
  #findExpected(projectKey: string, id: string, version: number, incarnation: string | null): Found | undefined {
    const found = this.#find(projectKey, id);
    if (found?.version !== version) return undefined;
    return (readHistory(found.history).incarnation ?? null) === incarnation ? found : undefined;
  }

  /** The row of a damaged resource, which may say anything else of itself. */
  #findDamaged(projectKey: string, id: string, version: number): Found | undefined {
    const found = this.#find(projectKey, id);
    if (!found || Number(found.version) !== version) return undefined;
    const change = this.#sql.ofSame.get(found.changed, projectKey, id);
    this.#unknown.add(found.row, '');
    return { ...found, changed: change ? found.changed : 0 };
  }

  #create([, resource, , origin, continues, documents]: CreateOperation): CommitOutcome {
    const [projectKey, id] = resource;
    if (continues !== null && this.#log.lastGone(projectKey, id) !== continues) return 'versionMoved';
    if (!isFreshId(id, this.#nowMs)) this.#absence.confirm('id', projectKey, id);
    if (resource[2] !== null) this.#absence.confirm('key', projectKey, resource[2]);
    const next = this.#sequence + 1;
    const { changes, lastInsertRowid } = this.#sql.create.run(...storedRow(resource), next);
    if (changes === 0) return this.#sql.find.get(projectKey, id) ? 'idTaken' : 'keyTaken';
    this.#sequence = next;
    const row = Number(lastInsertRowid);
    if (origin)
      this.#log.add(this.#sequence, row, identityOf(resource), this.#log.lastGone(projectKey, id), origin, null);
    else this.#record(projectKey, row, null);
    if (documents) this.#addDocuments(projectKey, documents);
    return 'committed';
  }

  #update(operation: UpdateOperation): CommitOutcome {
    const [, resource, , origin, expected, incarnation, identityMoved, before, documents] = operation;
    const [projectKey, id, key] = resource;
    const found =
      before === null
        ? this.#findDamaged(projectKey, id, expected)
        : this.#findExpected(projectKey, id, expected, incarnation);
    if (!found) return 'versionMoved';
    const { row } = found;
    const next = this.#sequence + 1;
    const [, , , ...body] = storedRow(resource);
    if (identityMoved && key !== null) this.#absence.confirm('key', projectKey, key);
    if (!identityMoved) this.#sql.update.run(...body, next, row);
    else if (this.#sql.updateIdentity.run(key, ...body, next, row).changes === 0) return 'keyTaken';
    this.#sequence = next;
    if (origin) this.#log.add(this.#sequence, row, identityOf(resource), found.changed, origin, before);
    else this.#record(projectKey, row, before);
    if (documents) this.#addDocuments(projectKey, documents);
    return 'committed';
  }

  #remove(operation: DeleteOperation): CommitOutcome {
    const [, projectKey, id, , origin, expected, incarnation, isOfDamaged = false] = operation;
    const found = isOfDamaged
      ? this.#findDamaged(projectKey, id, expected)
      : this.#findExpected(projectKey, id, expected, incarnation);
    if (!found) return 'versionMoved';
    this.#sequence += 1;
    const { row, changed } = found;
    const { key, ...texts } = this.#sql.delete.get(row) as unknown as Deleted;
    const before = isOfDamaged ? null : replacedByDeletion(texts);
    if (origin) {
      const version = Number.isSafeInteger(expected) ? expected : 0;
      const identity = { projectKey, id, key: isOfDamaged ? null : key, version, incarnation };
      this.#log.add(this.#sequence, row, identity, changed, origin, before);
    } else this.#record(projectKey, row, before);
    return 'committed';
  }

  /** True where a response is stored that has not expired, or that is damaged, so that it does not say when it expires. */
  #hasResponse(scope: string): boolean {
    const row = readOne(this.#sql.findResponse, [scope]) as Row | undefined;
    return row !== undefined && (!holdsChecksum(responses, row) || (row.expires_at as number) > this.#nowMs);
  }

  #addResponse([scope, request_hash, status, headers, body, expires_at]: ResponseColumns): void {
    const row = { scope, request_hash, status, headers, body_checksum: crc32(body), expires_at };
    this.#sql.addResponse.run(
      ...responses.columns.map((column) => row[column as keyof typeof row]),
      checksumOf(responses, row),
      body,
    );
  }

  #applyChange(operation: ChangeOperation): CommitOutcome | ForgetResult {
    switch (operation[0]) {
      case 'create':
        return this.#create(operation);
      case 'update':
        return this.#update(operation);
      case 'delete':
        return this.#remove(operation);
      case 'forget': {
        const result = this.#forgetter.forget(operation, this.#sequence + 1);
        if (result.isAppended) this.#sequence += 1;
        return result.result;
      }
      case 'mirror':
        return this.#mirror.apply(operation);
      case 'response':
        return 'committed';
    }
  }

  #applyOne(operation: ChangeOperation): CommitOutcome | ForgetResult {
    const response = responseOf(operation);
    if (response && this.#hasResponse(response[0])) return 'responseExists';
    const outcome = this.#applyChange(operation);
    if (response && outcome === 'committed') this.#addResponse(response);
    return outcome;
  }
}

function identityOf([projectKey, id, key, version, , , , , history]: ResourceColumns) {
  return { projectKey, id, key, version, incarnation: readHistory(history).incarnation ?? null };
}
