import type { DatabaseSync } from 'node:sqlite';
import type { IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import { readOne } from '../../../sqlite/any-numbers.ts';
import { lastSequence, maxCounted } from '../../../sqlite/position.ts';
import { createStrayMover, isNumberedRow, nextRow } from '../../../sqlite/row-numbers.ts';
import { hasTypes } from '../../../sqlite/value-types.ts';
import { recordChecksum, replacedByDeletion } from '../../row/change-record.ts';
import { checksumOf, holdsChecksum, type Row } from '../../row/checked-table.ts';
import { ownerOf } from '../../row/logged-change.ts';
import { responseRow } from '../../row/response-row.ts';
import { type DocumentTexts, rowColumns, valuesOf } from '../../row/stored-row.ts';
import type { Write } from '../../row/write.ts';
import { responses, selected } from '../checked-tables.ts';
import { createAbsenceCheck, isFreshId } from '../open/absence.ts';
import { createForgetter, type Forgetter } from './forget.ts';
import { createLogWriter, type LogWriter } from './log-writer.ts';
import { Marks } from './marks.ts';
import type { Applied, ChangeOperation, CommitOutcome, ForgetResult } from './messages.ts';
import { MirrorWriter } from './mirror-writer.ts';

/** A resource as a change finds it. */
interface Found {
  readonly row: number;
  readonly key: string | null;
  readonly version: number;
  readonly incarnation: string | null;
  /** The sequence of its last change. */
  readonly changed: number;
}

function prepareAll(db: DatabaseSync) {
  const prepare = (sql: string) => db.prepare(sql);
  const body = [...rowColumns.split(', ').slice(3), 'changed'].map((name) => `${name} = ?`).join(', ');
  return {
    create: prepare(
      `INSERT INTO resource (row, ${rowColumns}, changed) VALUES (${nextRow},?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
    ),
    find: prepare(
      // If the pointer to the last change is damaged, the history of the resource starts again.
      `SELECT iif(${isNumberedRow}, row, 0) AS row, key, iif(typeof(version) IN ('integer', 'real'), version, 0) AS version,
          incarnation,
          iif(${hasTypes({ changed: 'integer' })} AND changed <= ${maxCounted}, changed, 0) AS changed
        FROM resource WHERE project_key = ? AND id = ?`,
    ),
    update: prepare(`UPDATE resource SET ${body} WHERE row = ?`),
    updateKey: prepare(`UPDATE OR IGNORE resource SET key = ?, ${body} WHERE row = ?`),
    ofSame: prepare('SELECT 1 FROM change WHERE sequence = ? AND project_key = ? AND id = ?'),
    delete: prepare('DELETE FROM resource WHERE row = ? RETURNING current, staged'),
    lastSequence: prepare(`SELECT ${lastSequence} AS last`),
    record: prepare('INSERT INTO change (sequence, project_key, row, checksum, before) VALUES (?, ?, ?, ?, ?)'),
    findResponse: prepare(`SELECT ${selected(responses)} FROM idempotent_answer WHERE scope = ?`),
    addResponse: prepare(
      `INSERT OR REPLACE INTO idempotent_answer (${selected(responses)}, body) VALUES (?,?,?,?,?,?,?,?)`,
    ),
  };
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
  readonly #marks: Marks;
  readonly #assertAbsent: ReturnType<typeof createAbsenceCheck>;
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
    this.#marks = new Marks(db);
    this.#assertAbsent = createAbsenceCheck(db);
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
    this.#marks.begin();
    const outcomes = operations.map((operation) => this.#applyOne(operation));
    const isChanged = outcomes.some(
      (outcome) => outcome === 'committed' || outcome[0] === 'done' || outcome[0] === 'rest',
    );
    const copied = operations.length === 1 && operations[0]![0] === 'mirror' ? this.#mirror.copied : undefined;
    return { outcomes, isChanged, records: this.#sequence - last, copied };
  }

  /** Of a change that is not logged, whose sequence was taken. */
  #record(projectKey: string, row: number, before: string | null): void {
    const sequence = this.#sequence;
    this.#sql.record.run(sequence, projectKey, row, recordChecksum({ sequence, projectKey, row, before }), before);
  }

  /**
   * Records a change that was made, with the next sequence, and in the log of its owner the documents that a change of a companion project
   * stores. `previous`: the change before of the same id; 0 for none.
   */
  #changed({ projectKey, event, isLogged, documents }: Write, row: number, previous: number, before = event!.before) {
    this.#sequence += 1;
    if (isLogged) this.#log.add(this.#sequence, projectKey, row, previous, { ...event!, before });
    else this.#record(projectKey, row, before);
    for (const document of documents) {
      this.#sequence += 1;
      this.#log.add(this.#sequence, ownerOf(projectKey), 0, 0, document);
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

  /** The resource of a change, if it has the version and the incarnation expected. */
  #findExpected(write: Write): Found | undefined {
    if (write.isOfDamaged) return this.#findDamaged(write);
    const { projectKey, id, expectedVersion: version, expectedIncarnation } = write;
    const found = this.#find(projectKey, id);
    if (found?.version !== version) return undefined;
    return found.incarnation === expectedIncarnation ? found : undefined;
  }

  /** A damaged resource, which may say anything else of itself. */
  #findDamaged({ projectKey, id, expectedVersion }: Write): Found | undefined {
    const found = this.#find(projectKey, id);
    if (!found || Number(found.version) !== expectedVersion) return undefined;
    const change = this.#sql.ofSame.get(found.changed, projectKey, id);
    this.#unknown.add(found.row, '');
    return { ...found, changed: change ? found.changed : 0 };
  }

  #create(write: Write): CommitOutcome {
    const { projectKey, id, row, continues, isLogged } = write;
    const lastGone = isLogged || continues !== undefined ? this.#log.lastGone(projectKey, id) : 0;
    if (continues !== undefined && lastGone !== continues) return 'versionMoved';
    if (!isFreshId(id, this.#nowMs)) this.#assertAbsent('id', projectKey, id);
    if (row!.key !== null) this.#assertAbsent('key', projectKey, row!.key);
    const { changes, lastInsertRowid } = this.#sql.create.run(...valuesOf(row!), this.#sequence + 1);
    if (changes === 0) return this.#sql.find.get(projectKey, id) ? 'idTaken' : 'keyTaken';
    this.#changed(write, Number(lastInsertRowid), lastGone);
    return 'committed';
  }

  #update(write: Write): CommitOutcome {
    const found = this.#findExpected(write);
    if (!found) return 'versionMoved';
    const { projectKey, row } = write;
    const { key } = row!;
    const [, , , ...body] = valuesOf(row!);
    const next = this.#sequence + 1;
    // The index of keys is left alone otherwise.
    const isKeyMoved = write.isOfDamaged || found.key !== key;
    if (isKeyMoved && key !== null) this.#assertAbsent('key', projectKey, key);
    if (!isKeyMoved) this.#sql.update.run(...body, next, found.row);
    else if (this.#sql.updateKey.run(key, ...body, next, found.row).changes === 0) return 'keyTaken';
    this.#changed(write, found.row, found.changed);
    return 'committed';
  }

  #remove(write: Write): CommitOutcome {
    const found = this.#findExpected(write);
    if (!found) return 'versionMoved';
    const texts = this.#sql.delete.get(found.row) as unknown as DocumentTexts;
    this.#changed(write, found.row, found.changed, write.isOfDamaged ? null : replacedByDeletion(texts));
    return 'committed';
  }

  /** True where a response is stored that has not expired, or that is damaged, so that it does not say when it expires. */
  #hasResponse(scope: string): boolean {
    const row = readOne(this.#sql.findResponse, [scope]) as Row | undefined;
    return row !== undefined && (!holdsChecksum(responses, row) || (row.expires_at as number) > this.#nowMs);
  }

  #addResponse(response: IdempotentResponse): void {
    const row: Row = { scope: response.scope, ...responseRow(response) };
    const values = responses.columns.map((column) => row[column]!);
    this.#sql.addResponse.run(...values, checksumOf(responses, row), response.body);
  }

  #write(write: Write): CommitOutcome {
    switch (write.kind) {
      case 'create':
        return this.#create(write);
      case 'update':
        return this.#update(write);
      case 'delete':
        return this.#remove(write);
      case 'response':
        return 'committed';
    }
  }

  #applyOne(operation: ChangeOperation): CommitOutcome | ForgetResult {
    if (operation[0] === 'mirror') return this.#mirror.apply(operation);
    if (operation[0] === 'forget') {
      const { result, isAppended } = this.#forgetter.forget(operation, this.#sequence + 1);
      if (isAppended) this.#sequence += 1;
      return result;
    }
    const [, write] = operation;
    const { response } = write;
    if (response && this.#hasResponse(response.scope)) return 'responseExists';
    if (this.#marks.areBroken(write)) return 'rulesBroken';
    const outcome = this.#write(write);
    if (outcome !== 'committed') return outcome;
    this.#marks.replace(write);
    if (response) this.#addResponse(response);
    return outcome;
  }
}
