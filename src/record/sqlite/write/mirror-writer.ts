import type { DatabaseSync } from 'node:sqlite';
import type { CopiedRows } from '../../../index/follow/change-source.ts';
import { readOne } from '../../../sqlite/any-numbers.ts';
import { nextRow } from '../../../sqlite/row-numbers.ts';
import { replacedByDeletion, replacedWhole } from '../../row/change-record.ts';
import { rowColumns, type StoredRow, valuesOf } from '../../row/stored-row.ts';
import type { MirrorOperation, MirrorPosition } from './messages.ts';

/** What the indexes have to follow of a row: `before` is what was there, whole. */
interface Followed {
  readonly projectKey: string;
  readonly row: number;
  readonly before: string | null;
}

/** Records a change, whose sequence it gives to what writes the row. */
export type RecordChange = (write: (sequence: number) => Followed) => void;

function prepareAll(db: DatabaseSync) {
  const prepare = (sql: string) => db.prepare(sql);
  const columns = [...rowColumns.split(', '), 'changed', 'born'];
  return {
    find: prepare(`SELECT row, ${compared.join(', ')} FROM resource WHERE project_key = ? AND id = ?`),
    // Whoever has the key has lost it by a change that comes later.
    freeKey: prepare('UPDATE resource SET key = NULL WHERE project_key = ? AND key = ? AND id <> ?'),
    insert: prepare(
      `INSERT INTO resource (row, ${columns.join(', ')}) VALUES (${nextRow}, ${columns.map(() => '?').join(', ')})`,
    ),
    update: prepare(`UPDATE resource SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE row = ?`),
    remove: prepare('DELETE FROM resource WHERE row = ?'),
    purge: prepare('UPDATE store SET purging = 1'),
    setPosition: prepare('INSERT OR REPLACE INTO mirrored VALUES (?, ?, ?, ?, ?)'),
    removePosition: prepare('DELETE FROM mirrored WHERE project_key = ?'),
  };
}

const compared = ['key', 'version', 'history', 'current', 'staged', 'checksum'] as const;

type Found = Pick<StoredRow, (typeof compared)[number]> & { readonly row: number };

/** Applies what a log says to its mirror, inside the open transaction. */
export class MirrorWriter {
  readonly #sql: ReturnType<typeof prepareAll>;
  readonly #record: RecordChange;

  constructor(db: DatabaseSync, record: RecordChange) {
    this.#sql = prepareAll(db);
    this.#record = record;
  }

  /** The rows that the last operation copied, where all that it did has been prepared. */
  copied: CopiedRows | undefined;
  /** Rows that it added. */
  #added: number[] = [];

  apply([, projectKey, items, position, prepared]: MirrorOperation): 'committed' {
    this.#added = [];
    for (const item of items) {
      if (item[0] === 'put') this.#put(item[1], item[2]);
      else if (item[0] === 'remove') this.#remove(projectKey, item[1]);
      else this.#sql.purge.run();
    }
    this.#setPosition(projectKey, position);
    const isCopied = prepared !== undefined && this.#added.length === items.length;
    this.copied = isCopied ? { ...prepared, projectKey, firstRow: this.#added[0]! } : undefined;
    return 'committed';
  }

  #setPosition(projectKey: string, position: MirrorPosition | null): void {
    if (!position) this.#sql.removePosition.run(projectKey);
    else {
      const { sequence, epoch, checksum, isComplete } = position;
      this.#sql.setPosition.run(projectKey, sequence, epoch, checksum, isComplete ? 1 : 0);
    }
  }

  #find(projectKey: string, id: string): Found | undefined {
    return readOne(this.#sql.find, [projectKey, id]) as unknown as Found | undefined;
  }

  #put(row: StoredRow, born: number): void {
    const { project_key: projectKey, id, key } = row;
    const found = this.#find(projectKey, id);
    if (found && isSame(found, row)) return;
    if (key !== null && found?.key !== key) this.#sql.freeKey.run(projectKey, key, id);
    this.#record((sequence) => {
      const values = [...valuesOf(row), sequence, born];
      if (!found) {
        const { lastInsertRowid } = this.#sql.insert.run(...values);
        this.#added.push(Number(lastInsertRowid));
        return { projectKey, row: Number(lastInsertRowid), before: null };
      }
      this.#sql.update.run(...values, found.row);
      return { projectKey, row: found.row, before: replacedWhole(found) };
    });
  }

  #remove(projectKey: string, id: string): void {
    const found = this.#find(projectKey, id);
    if (!found) return;
    this.#record(() => {
      this.#sql.remove.run(found.row);
      return { projectKey, row: found.row, before: replacedByDeletion(found) };
    });
  }
}

/** True if a row says all that a resource does: it is put again where a pull is repeated. */
function isSame(found: Found, row: StoredRow): boolean {
  return compared.every((name) => found[name] === row[name]);
}
