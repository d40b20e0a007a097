import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChangeSource, Position, Unindexed, UnindexedChange } from '../../../index/follow/change-source.ts';
import { readAll } from '../../../sqlite/any-numbers.ts';
import { countingUp, lastSequence, maxCounted } from '../../../sqlite/position.ts';
import { hasTypes } from '../../../sqlite/value-types.ts';
import { recordChecksum } from '../../row/change-record.ts';
import { isLogged, isUnlisted, loggedBytes } from '../open/log-schema.ts';

type StoredRecord = UnindexedChange & { readonly checksum: number };

/** Prepares reading the changes that are not indexed yet. `isIntact` is false where a record is missing, too. */
function createUnindexedReader(db: DatabaseSync, positionNow: () => Position): (after: number) => Unindexed {
  const statement = db.prepare(
    `SELECT sequence, project_key AS projectKey, row, before, checksum, iif(${isLogged}, ${loggedBytes}, 0) AS bytes
      FROM change WHERE sequence > ? AND sequence <= ${maxCounted} ORDER BY sequence`,
  );
  return (after) => {
    const changes = readAll(statement, [after]) as unknown as StoredRecord[];
    // Each change has the number after that of the one before.
    const isWhole = changes.length === Math.max(0, positionNow().last - after);
    return { changes, isIntact: isWhole && changes.every((record) => recordChecksum(record) === record.checksum) };
  };
}

/** Prepares noting that the indexes have changes: the log lists them by project, and counts their bytes. */
function createIndexedNotes(db: DatabaseSync, sweep: Sweep): ChangeSource['indexed'] {
  const countBytes = db.prepare(countingUp('project_log'));
  const list = db.prepare(
    `INSERT INTO project_change (project_key, sequence) SELECT project_key, sequence FROM change
      WHERE ${isUnlisted} ON CONFLICT DO NOTHING`,
  );
  const setIndexed = db.prepare('UPDATE store SET indexed = ?');
  return (last, changes) => {
    for (const [projectKey, ofProject] of Map.groupBy(changes, (each) => each.projectKey)) {
      const bytes = ofProject.reduce((sum, record) => sum + record.bytes, 0);
      if (bytes > 0) countBytes.run(projectKey, bytes);
    }
    list.run();
    setIndexed.run(last);
    sweep.some(last);
  };
}

/** True if a change of the log can be listed with those of its project, in SQL. */
const isListed = `${isLogged} AND ${hasTypes({ project_key: 'text' })}`;

/** Lists the changes by project anew, and counts their bytes. */
function relist(db: DatabaseSync): void {
  db.exec(`DELETE FROM project_change;
    INSERT INTO project_change (project_key, sequence)
      SELECT project_key, sequence FROM change WHERE ${isListed} ORDER BY project_key, sequence;
    UPDATE project_log SET bytes = 0, pruned = coalesce(CAST(pruned AS INTEGER), 0);
    INSERT INTO project_log (project_key, bytes)
      SELECT project_key, coalesce(sum(${loggedBytes}), 0) FROM change WHERE ${isListed} GROUP BY project_key
      ON CONFLICT DO UPDATE SET bytes = excluded.bytes;
    UPDATE store SET indexed = ${lastSequence}`);
}

/** The changes of a store as its indexes follow them, on a connection that writes. */
export function createChangeSource(db: DatabaseSync): ChangeSource {
  const position = db.prepare(`SELECT indexed, ${lastSequence} AS last FROM store`);
  const positionNow = () => position.get() as unknown as Position;
  const sweep = new Sweep(db);
  return {
    position: positionNow,
    unindexed: createUnindexedReader(db, positionNow),
    indexed: createIndexedNotes(db, sweep),
    purge: () => sweep.all(positionNow().last),
    noteRows: createCacheNotes(db),
    relist: () => relist(db),
  };
}

/** The projects that have rows, or whose indexes have them: a damaged row may name another. In SQL, with the rows as JSON. */
const projectsOfRows = `SELECT project_key AS projectKey, row FROM by_created WHERE row IN (SELECT value FROM json_each(?1))
  UNION SELECT CAST(project_key AS TEXT), row FROM resource WHERE row IN (SELECT value FROM json_each(?1))`;

/** Prepares `noteRows`: records of their own, which the indexes have at once. */
function createCacheNotes(db: DatabaseSync): ChangeSource['noteRows'] {
  const projects = db.prepare(projectsOfRows);
  const last = db.prepare(`SELECT ${lastSequence} AS last`);
  const add = db.prepare('INSERT INTO change (sequence, project_key, row, checksum, before) VALUES (?, ?, ?, ?, NULL)');
  const setIndexed = db.prepare('UPDATE store SET indexed = ?');
  return (rows) => {
    const noted = projects.all(JSON.stringify(rows)) as unknown as { projectKey: string; row: number }[];
    return () => {
      let { last: sequence } = last.get() as { last: number };
      for (const { projectKey, row } of noted) {
        sequence += 1;
        add.run(sequence, projectKey, row, recordChecksum({ sequence, projectKey, row, before: null }));
      }
      setIndexed.run(sequence);
    };
  };
}

/** Changes whose records are kept for the caches of searches; caches that are older are built again. */
export const keptRecords = 8192;

/** Older records that are no changes of the log are deleted once in about this many changes. */
const sweepInterval = 1024;

/** Deletes the older records that are there for the indexes alone. */
class Sweep {
  readonly #statements: readonly StatementSync[];
  readonly #lastContent: StatementSync;
  readonly #blank: StatementSync;
  #swept = 0;

  constructor(db: DatabaseSync) {
    this.#statements = [
      'DELETE FROM change WHERE sequence >= (SELECT swept FROM store) AND sequence < ?1 AND id IS NULL',
      // Never back: what a purge deleted is missing, however many changes follow. A number that is too large is damage.
      `UPDATE store SET swept = iif(swept BETWEEN ?1 AND ${lastSequence}, swept, ?1)`,
    ].map((sql) => db.prepare(sql));
    this.#lastContent = db.prepare(
      'SELECT project_key AS projectKey, row FROM change WHERE sequence = ? AND id IS NULL',
    );
    this.#blank = db.prepare('UPDATE change SET before = NULL, checksum = ? WHERE sequence = ?');
  }

  /** To be called with the number of the last change: does something from time to time. */
  some(last: number): void {
    if (last - this.#swept >= sweepInterval) this.#until(last, Math.max(0, last - keptRecords));
  }

  /** The last record stays, without its content: the next one has its number from it. */
  all(last: number): void {
    this.#until(last, last);
    const record = this.#lastContent.get(last) as { projectKey: string; row: number } | undefined;
    if (record) this.#blank.run(recordChecksum({ sequence: last, ...record, before: null }), last);
  }

  #until(last: number, until: number): void {
    this.#swept = last;
    for (const statement of this.#statements) statement.run(until);
  }
}
