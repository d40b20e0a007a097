import { crc32 } from 'node:zlib';
import type { DamagedRow } from '../../domain/ports/store.ts';

/** The values of a row by column. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A table whose rows have a checksum, beside `resource` (decision 87). */
export interface CheckedTable {
  readonly name: 'api_client' | 'signing_key' | 'revocation' | 'idempotent_answer';
  /** What the checksum is over: all columns, except that `body_checksum` stands for `body`. */
  readonly columns: readonly string[];
  /** The columns that name a row. */
  readonly key: readonly string[];
}

/** CRC-32 over a row. The encoding is different for any two rows, also of different tables. */
export function checksumOf({ name, columns }: CheckedTable, row: Row): number {
  return crc32(JSON.stringify([name, ...columns.map((column) => row[column] ?? null)]));
}

/** True if a row is what was written. */
export function holdsChecksum(table: CheckedTable, row: Row): boolean {
  return row.checksum === checksumOf(table, row);
}

const consequences: Readonly<Record<CheckedTable['name'], string>> = {
  api_client: 'it gets no token; delete it with “npx grs client delete” and create a new one',
  signing_key: 'it is not used; the service deletes it, and the tokens that it signed end',
  revocation: 'the service replaces all signing keys, so that every token issued so far ends, and deletes it',
  idempotent_answer: 'the response is not repeated: the same request gets 500 DataCorruption',
};

/** Describes a damaged row. */
export function damagedRow({ name, key }: CheckedTable, row: Row): DamagedRow {
  const texts = key.map((column) => row[column]).filter((text) => text !== '' && text !== '~');
  return { table: name, key: texts.join('/').replaceAll('\n', ' '), consequence: consequences[name] };
}

/** The finding of a check. */
export function findingOf(table: CheckedTable, row: Row): string {
  const { key, consequence } = damagedRow(table, row);
  return `${table.name} ${key}: its checksum does not match; ${consequence}`;
}

/** More rows than this are neither reported nor counted. */
const maxFound = 10_000;

/** The damaged rows found since the store was opened. */
export class DamageLog {
  readonly #onDamaged: (row: DamagedRow) => void;
  readonly #found = new Set<string>();

  /** `onDamaged` is called once for each row. */
  constructor(onDamaged: (row: DamagedRow) => void = () => {}) {
    this.#onDamaged = onDamaged;
  }

  /** Reports a row the first time it is found. */
  add(table: CheckedTable, row: Row): void {
    const damaged = damagedRow(table, row);
    const name = JSON.stringify([damaged.table, damaged.key]);
    if (this.#found.has(name) || this.#found.size >= maxFound) return;
    this.#found.add(name);
    this.#onDamaged(damaged);
  }

  /** Rows found so far. */
  get count(): number {
    return this.#found.size;
  }
}
