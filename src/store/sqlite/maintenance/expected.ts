import { crc32 } from 'node:zlib';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { reasonOf } from '../../../index/follow/damaged-rows.ts';
import { orderEntriesOf } from '../../../index/follow/followed-orders.ts';
import { termDifference } from '../../../index/terms/index-entries.ts';
import { checkedDocuments, type NumberedRow, type ResourceRow } from '../../../record/row/stored-row.ts';

/**
 * A checksum of a set of entries that does not depend on their order: indexes with the same entries have the same sum. One
 * flipped bit of a text always gives another sum; any other difference is missed with a probability of one in 2³².
 */
export interface EntrySum {
  count: number;
  sum: number;
}

/** The sum of no entries. */
export const noEntries = (): EntrySum => ({ count: 0, sum: 0 });

const modulus = 2 ** 48;

/** Adds an entry of a row, by the CRC-32 of its text. */
export function addEntry(entries: EntrySum, hash: number, row: number): void {
  const high = scattered(hash ^ Math.imul(row, 0x9e37_79b1));
  const low = scattered(hash + Math.imul(~row, 0x85eb_ca77)) & 0xffff;
  entries.sum = (entries.sum + high * 65_536 + low) % modulus;
  entries.count += 1;
}

/** Each bit of the result depends on all bits, and no two numbers of 32 bits have the same result. */
function scattered(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x21f0_aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Adds what is in another sum. */
export function addSum(entries: EntrySum, { count, sum }: EntrySum): void {
  entries.sum = (entries.sum + sum) % modulus;
  entries.count += count;
}

/** The content that the indexes should have. */
export interface Expected {
  readonly terms: EntrySum;
  readonly orders: EntrySum;
  readonly resources: Map<string, number>;
}

/** Adds what a resource should have in the indexes. */
export function addExpected(
  { terms, orders, resources }: Expected,
  projectKey: string,
  row: number,
  documents: Documents,
  declaredPaths: readonly string[],
  ordered: ResourceRow | Documents = documents,
): void {
  // First what may throw.
  const found = termDifference(projectKey, undefined, documents, declaredPaths);
  const orderEntries = orderEntriesOf(projectKey, ordered);
  resources.set(projectKey, (resources.get(projectKey) ?? 0) + 1);
  for (const entry of orderEntries) addEntry(orders, crc32(entry), row);
  for (const { prefix, added } of found) for (const rest of added) addEntry(terms, crc32(prefix + rest), row);
}

export interface DamagedFinding extends Pick<ResourceRow, 'project_key' | 'id'> {
  readonly row: number;
  readonly reason: string;
}

/** What a check says of a resource that cannot be read or indexed. */
export function damagedFinding({ row, project_key, id }: NumberedRow, error: unknown): DamagedFinding {
  return { row, project_key, id, reason: reasonOf(error) };
}

/** What the indexes should have of some resources, as plain data. */
export interface ExpectedPage {
  readonly terms: EntrySum;
  readonly orders: EntrySum;
  readonly resources: readonly (readonly [projectKey: string, count: number])[];
  /** Resources that cannot be read or indexed, which are left out. */
  readonly damaged: readonly DamagedFinding[];
}

/** Computes from resources what the indexes should have of them. */
export function expectedPage(rows: readonly NumberedRow[], declaredPaths: readonly string[]): ExpectedPage {
  const expected = { terms: noEntries(), orders: noEntries(), resources: new Map<string, number>() };
  const damaged: ExpectedPage['damaged'][number][] = [];
  for (const row of rows) {
    try {
      addExpected(expected, row.project_key, row.row, checkedDocuments(row), declaredPaths, row);
    } catch (error) {
      damaged.push(damagedFinding(row, error));
    }
  }
  const { terms, orders, resources } = expected;
  return { terms, orders, resources: [...resources], damaged };
}

/** Adds what was computed of some resources. */
export function addPage(expected: Expected, page: ExpectedPage): void {
  addSum(expected.terms, page.terms);
  addSum(expected.orders, page.orders);
  for (const [projectKey, count] of page.resources) {
    expected.resources.set(projectKey, (expected.resources.get(projectKey) ?? 0) + count);
  }
}
