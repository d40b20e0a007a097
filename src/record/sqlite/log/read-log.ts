import type { DatabaseSync } from 'node:sqlite';
import type { ChangeFilter, LoggedChange } from '../../../domain/ports/change-log.ts';
import { iterateRows, readOne } from '../../../sqlite/any-numbers.ts';
import { maxCounted } from '../../../sqlite/position.ts';
import type { LogPortion, LogQuery } from '../../row/log-query.ts';
import { damagedChange, type LogRow, loggedChange } from '../../row/logged-change.ts';
import {
  isIntactChange,
  isUnlisted,
  lastGone,
  lastOfProject,
  prunedSequence,
  type StoredChange,
  storedColumns as stored,
} from '../open/log-schema.ts';

/** A portion ends after this time, or with this many characters of content, so that other queries run in between. */
const portionMs = 5;
const portionChars = 1_048_576;

/** Changes that a filter looks at together. */
const chunk = 1000;

/** The columns of a `StoredChange`, of the table with this alias. */
const columnsOf = (alias: string) =>
  stored
    .split(', ')
    .map((name) => `${alias}.${name}`)
    .join(', ');

/** Of a project: its last change; and how far the changes of all projects are listed. */
interface Bounds {
  readonly last: number | null;
  readonly indexed: number;
}

type LinkRow = Pick<LogRow, 'project_key' | 'id' | 'previous'>;
type OfQuery = Extract<LogQuery, { read: 'of' }>;

/** Where a portion ends. */
class Portion {
  readonly changes: LoggedChange[] = [];
  readonly #limit: number;
  readonly #endsAt = performance.now() + portionMs;
  #chars = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.changes.length >= this.#limit || this.#chars >= portionChars;
  }

  get isLate(): boolean {
    return performance.now() >= this.#endsAt;
  }

  get left(): number {
    return this.#limit - this.changes.length;
  }

  add(change: StoredChange): void {
    if (!isIntactChange(change)) throw damagedChange(change.sequence);
    this.changes.push(loggedChange(change));
    this.#chars += change.before?.length ?? 0;
  }
}

/** Prepares finding out whether the record of a change is what was written. */
export function createIntactCheck(db: DatabaseSync): (sequence: number) => boolean {
  const one = db.prepare(`SELECT ${stored} FROM change WHERE sequence = ?`);
  return (sequence) => {
    const change = readOne(one, [sequence]);
    return change !== undefined && isIntactChange(change as unknown as StoredChange);
  };
}

function prepareAll(db: DatabaseSync) {
  const isWanted = `(? IS NULL OR id = ?) AND (? IS NULL OR client = ?)
    AND (? IS NULL OR type IN (SELECT value FROM json_each(?)))`;
  return {
    prunedOf: db.prepare(`SELECT ${prunedSequence} AS pruned FROM store`),
    bounds: db.prepare(`SELECT ${lastOfProject} AS last, indexed FROM store`),
    chunkEnd: db.prepare(
      `SELECT sequence FROM project_change WHERE project_key = ? AND sequence > ? ORDER BY sequence LIMIT 1 OFFSET ${chunk - 1}`,
    ),
    listed: db.prepare(
      `SELECT p.sequence AS place, ${columnsOf('c')} FROM project_change p LEFT JOIN change c ON c.sequence = p.sequence
      WHERE p.project_key = ? AND p.sequence > ? AND p.sequence <= ? AND ${isWanted} ORDER BY p.sequence LIMIT ?`,
    ),
    unlisted: db.prepare(
      `SELECT sequence AS place, ${stored} FROM change WHERE project_key = ? AND ${isUnlisted} AND sequence > ? AND sequence <= ?
      AND ${isWanted} ORDER BY sequence LIMIT ?`,
    ),
    newestOf: db.prepare(
      `SELECT coalesce((SELECT changed FROM resource WHERE project_key = ? AND id = ? AND changed <= ${maxCounted}), ${lastGone}, 0) AS sequence`,
    ),
    link: db.prepare('SELECT project_key, id, previous FROM change WHERE sequence = ?'),
    one: db.prepare(`SELECT ${stored} FROM change WHERE sequence = ?`),
    deletions: db.prepare(
      `SELECT sequence, NOT EXISTS (SELECT 1 FROM resource r WHERE r.project_key = c.project_key AND r.id = c.id)
        AND sequence = (SELECT max(g.sequence) FROM change g INDEXED BY change_gone
          WHERE g.project_key = c.project_key AND g.id = c.id AND g.type IN ('deleted', 'forgotten')) AS isLast
      FROM change c INDEXED BY change_deleted
      WHERE project_key = ? AND type = 'deleted' AND sequence > ? AND sequence < ? ORDER BY sequence DESC`,
    ),
    byKey: db.prepare(
      `SELECT ${stored} FROM change INDEXED BY change_deleted_key
      WHERE project_key = ? AND key = ? AND type = 'deleted' AND key IS NOT NULL ORDER BY sequence DESC LIMIT 1`,
    ),
  };
}

/** Reads the log on a connection, in the open snapshot. */
export class LogReader {
  readonly #sql: ReturnType<typeof prepareAll>;

  constructor(db: DatabaseSync) {
    this.#sql = prepareAll(db);
  }

  /** Throws `DataCorruption`. */
  read(query: LogQuery): LogPortion {
    const { projectKey, limit } = query;
    const { pruned } = this.#sql.prunedOf.get(projectKey) as { pruned: number | null };
    if (pruned === null) return { changes: [], next: undefined };
    switch (query.read) {
      case 'after':
        return this.#readAfter(projectKey, Math.max(query.after, pruned), limit, query.filter);
      case 'of':
        return this.#readOf(query, pruned);
      case 'deletions':
        return this.#readDeletions(projectKey, query.below ?? Number.MAX_SAFE_INTEGER, limit, pruned);
      case 'deletionByKey': {
        const portion = new Portion(1);
        const found = readOne(this.#sql.byKey, [projectKey, query.key]) as StoredChange | undefined;
        if (found && found.sequence > pruned) portion.add(found);
        return { changes: portion.changes, next: undefined };
      }
    }
  }

  #readAfter(projectKey: string, position: number, limit: number, filter: ChangeFilter): LogPortion {
    const { id = null, clientId = null } = filter;
    const types = filter.types ? JSON.stringify(filter.types) : null;
    const isFiltered = id !== null || clientId !== null || types !== null;
    const portion = new Portion(limit);
    const { last, indexed } = this.#sql.bounds.get(projectKey, projectKey) as unknown as Bounds;
    const end = last ?? 0;
    let next = position;
    while (next < end) {
      const isListed = next < indexed;
      const chunked =
        isListed && isFiltered
          ? (this.#sql.chunkEnd.get(projectKey, next) as { sequence: number } | undefined)
          : undefined;
      const until = chunked?.sequence ?? (isListed ? Math.min(indexed, end) : end);
      const rows = iterateRows(
        isListed ? this.#sql.listed : this.#sql.unlisted,
        ...[projectKey, next, until, id, id, clientId, clientId, types, types, portion.left],
      ) as Iterable<unknown> as Iterable<StoredChange & { readonly place: number }>;
      let isCut = false;
      for (const row of rows) {
        // What comes before a damaged record is read without it.
        if (!isIntactChange(row)) {
          if (portion.changes.length > 0) return { changes: portion.changes, next };
          throw damagedChange(row.place);
        }
        portion.add(row);
        next = row.sequence;
        isCut = portion.isFull || portion.isLate;
        if (isCut) break;
      }
      if (!isCut) next = until;
      if (isCut || portion.isLate) break;
    }
    return { changes: portion.changes, next };
  }

  /** False at a record that is there for the indexes alone: the log of the resource begins after it. */
  #isOf(found: Pick<LogRow, 'project_key' | 'id'> | undefined, { projectKey, id }: OfQuery, sequence: number) {
    if (found?.project_key === projectKey && found.id === null) return false;
    if (found?.project_key !== projectKey || found.id !== id) throw damagedChange(sequence);
    return true;
  }

  /** The change with which a page begins, or one after it; 0 without one. */
  #beginningOf({ projectKey, id, from, below }: OfQuery): number {
    if (from !== undefined) return from;
    // Mostly it is the last change of the page before.
    const found = below === undefined ? undefined : (this.#sql.link.get(below) as LinkRow | undefined);
    if (found?.project_key === projectKey && found.id === id) return found.previous ?? 0;
    return (this.#sql.newestOf.get(projectKey, id, projectKey, id) as { sequence: number }).sequence;
  }

  #readOf(query: OfQuery, pruned: number): LogPortion {
    const { below = Number.MAX_SAFE_INTEGER } = query;
    const portion = new Portion(query.limit);
    let sequence = this.#beginningOf(query);
    while (sequence > pruned) {
      const isWanted = sequence < below;
      const found = readOne(isWanted ? this.#sql.one : this.#sql.link, [sequence]) as StoredChange | undefined;
      if (!this.#isOf(found, query, sequence)) return { changes: portion.changes, next: undefined };
      if (isWanted) portion.add(found!);
      sequence = found!.previous ?? 0;
      if (portion.isFull || portion.isLate) break;
    }
    return { changes: portion.changes, next: sequence > pruned ? sequence : undefined };
  }

  #readDeletions(projectKey: string, below: number, limit: number, pruned: number): LogPortion {
    const portion = new Portion(limit);
    const rows = iterateRows(this.#sql.deletions, projectKey, pruned, below);
    for (const { sequence, isLast } of rows as Iterable<unknown> as Iterable<{ sequence: number; isLast: number }>) {
      const change = isLast === 1 ? (readOne(this.#sql.one, [sequence]) as unknown as StoredChange) : undefined;
      // A damaged deletion hides no other one. What names its resource says that it is damaged.
      if (change && isIntactChange(change)) portion.add(change);
      if (portion.isFull || portion.isLate) return { changes: portion.changes, next: sequence };
    }
    return { changes: portion.changes, next: undefined };
  }
}
