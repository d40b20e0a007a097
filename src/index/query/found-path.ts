import type { DatabaseSync } from 'node:sqlite';
import { type Sql, sql } from '../plan/sql.ts';
import type { AccessPath } from './access-paths.ts';
import { isAmong } from './functions.ts';
import { fewRowsOfLookup, rowsOfLookup } from './lookup.ts';
import { countOf, rowsOfQuery } from './statements.ts';

/** An access path in the open snapshot: its rows are read when they are needed, once. */
export class FoundPath {
  readonly kind: AccessPath['kind'];
  readonly covers: readonly number[];
  readonly costly: boolean;
  readonly #db: DatabaseSync;
  readonly #path: AccessPath;
  #rows: Uint32Array | undefined;

  constructor(db: DatabaseSync, path: AccessPath, covers = path.covers) {
    this.#db = db;
    this.#path = path;
    this.kind = path.kind;
    this.covers = covers;
    this.costly = path.costly === true;
    this.#rows = path.known;
  }

  /** All rows, ascending. Not to be changed. */
  get rows(): Uint32Array {
    const { lookup, select } = this.#path;
    this.#rows ??= lookup ? rowsOfLookup(this.#db, lookup) : rowsOfQuery(this.#db, select!);
    return this.#rows;
  }

  /** Its number of rows, capped at `most`. */
  count(most: number): number {
    const { lookup, select } = this.#path;
    if (this.#rows || !Number.isFinite(most)) return Math.min(this.rows.length, most);
    if (!lookup) return countOf(this.#db, select!, most);
    this.#rows = fewRowsOfLookup(this.#db, lookup, most);
    return this.#rows ? Math.min(this.#rows.length, most) : most;
  }

  /** A SELECT of the rows as `row`. */
  get select(): Sql {
    const { select } = this.#path;
    return select ?? sql`SELECT value AS row FROM json_each(${`[${this.rows.join(',')}]`})`;
  }

  /** True for `resource r` in one of the rows. */
  get condition(): Sql {
    const { select } = this.#path;
    return select && !this.#rows ? sql`+r.row IN (${select})` : isAmong(this.#db, this.rows);
  }
}
