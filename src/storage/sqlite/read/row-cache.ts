import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { Cache, type CacheStatistics, offerSlots } from '../../../cache/cache.ts';
import { checksumAfter, damagedPage } from '../../row/stored-row.ts';
import { readAll } from '../open/any-numbers.ts';
import { headOfRow } from '../query/rows.ts';

/** The texts of rows as bytes, for pages: as they are sent, checked once. */
export interface RowCache {
  /**
   * The current texts of the rows in the open snapshot, which has the changes up to `position`, in their order; undefined
   * where one is too large for a cache. Throws `ServiceError` DataCorruption if one is not what was written to this project.
   */
  textsOf(projectKey: string, rows: readonly number[], position: number): readonly Uint8Array[] | undefined;
  readonly statistics: CacheStatistics;
}

/** Of a row whose texts and history are longer nothing is read: neither here, nor what lies behind them. */
const maxRowBytes = 16_384;

/** About the memory of an entry beside its text. */
const entryBytes = 250;

/** More changes than this are not followed: the numbers of the last changes of rows are read again instead. */
const maxFollowed = 1000;

/** A whole row; `head` is what its checksum covers before the documents. */
type WholeRow = readonly [checksum: number, head: string, current: string, staged: string | null];

interface CachedRow {
  readonly projectKey: string;
  /** The number of the last change of the row, which no other content of it ever has. */
  readonly changed: number;
  readonly text: Uint8Array;
  /** It is current as long as the changes have been followed since then; otherwise its number tells. */
  era: number;
}

/**
 * Texts as parts of one buffer that has nothing else: a page is cached with its texts, and would keep all of the buffers
 * that Node makes small ones from.
 */
function encodeTogether(texts: readonly string[]): readonly Uint8Array[] {
  const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let end = 0;
  return texts.map((text) => {
    const begin = end;
    end += bytes.write(text, begin);
    return bytes.subarray(begin, end);
  });
}

/** Caches rows of a connection in at most `maxBytes`. */
export function createRowCache(db: DatabaseSync, maxBytes: number): RowCache {
  const cache = new Cache<number, CachedRow>({
    maxBytes: Math.max(1, maxBytes),
    bytesOf: ({ text }) => entryBytes + text.length,
  });
  /** A row is cached when it is read for the second time: rows that are met once would only evict others. */
  const slots = offerSlots(maxBytes);
  /** The row that was last read in each slot. */
  const met = new Float64Array(slots);
  // json_each returns its numbers in their order, and one statement does for a page of any length.
  const from = 'FROM (SELECT value FROM json_each(?)) n CROSS JOIN resource r ON r.row = n.value';
  const isSmall = `octet_length(current) + coalesce(octet_length(staged), 0) + octet_length(history) < ${maxRowBytes}`;
  const changes = db.prepare(`SELECT row, CASE WHEN ${isSmall} THEN changed END ${from}`);
  const whole = db.prepare(`SELECT checksum, ${headOfRow}, current, staged ${from}`);
  const since = db.prepare('SELECT row FROM change WHERE sequence > ? AND sequence <= ?');
  for (const statement of [changes, whole, since]) statement.setReturnArrays(true);
  /** The cache has no row that changed after it was cached and up to this change, but for those of other eras. */
  let followed = Number.NEGATIVE_INFINITY;
  let era = 0;

  function follow(position: number): void {
    if (position === followed) return;
    if (position < followed || position - followed > maxFollowed) era += 1;
    else {
      const changed = since.all(followed, position) as unknown as readonly (readonly [number])[];
      for (const [row] of changed) cache.delete(row);
    }
    followed = position;
  }

  /** Reads rows as a whole, and checks each of them. */
  function readWhole(projectKey: string, rows: readonly number[]): readonly Uint8Array[] {
    const found = readAll(whole, [`[${rows.join(',')}]`]) as unknown as readonly WholeRow[];
    if (found.length < rows.length) throw damagedPage(rows);
    const ofProject = `${projectKey}\n`;
    const texts = found.map(([checksum, head, current, staged]) => {
      // The types hold unless the file is damaged.
      if (typeof head !== 'string' || !head.startsWith(ofProject)) throw damagedPage(rows);
      if (checksumAfter(crc32(head), { current, staged }) !== checksum) throw damagedPage(rows);
      return current;
    });
    return encodeTogether(texts);
  }

  function offer(row: number, cached: CachedRow): void {
    const slot = row % slots;
    // A copy: the text is a part of a buffer that a page shares, all of which it would keep in memory.
    if (met[slot] === row) cache.set(row, { ...cached, text: new Uint8Array(cached.text) });
    met[slot] = row;
  }

  /** Completes `texts` at the places in `unsure`; false where one of them is too large for a cache. */
  function readUnsure(
    projectKey: string,
    rows: readonly number[],
    unsure: readonly number[],
    texts: Uint8Array[],
  ): boolean {
    const asked = unsure.map((at) => rows[at]!);
    const found = readAll(changes, [`[${asked.join(',')}]`]) as unknown as readonly (readonly [
      number,
      number | null,
    ])[];
    // An entry of an index that leads to no row is as damaged as a row with a wrong checksum.
    if (found.length < asked.length) throw damagedPage(rows);
    const missing: number[] = [];
    for (const [index, [row, changed]] of found.entries()) {
      if (changed === null) return false;
      const cached = cache.peek(row);
      if (cached !== undefined && cached.changed === changed && cached.projectKey === projectKey) {
        cached.era = era;
        texts[unsure[index]!] = cached.text;
      } else missing.push(index);
    }
    const read =
      missing.length === 0
        ? []
        : readWhole(
            projectKey,
            missing.map((index) => asked[index]!),
          );
    for (const [nth, index] of missing.entries()) {
      const text = read[nth]!;
      texts[unsure[index]!] = text;
      offer(asked[index]!, { projectKey, changed: found[index]![1]!, text, era });
    }
    return true;
  }

  return {
    textsOf(projectKey, rows, position) {
      if (rows.length === 0) return [];
      follow(position);
      const texts = new Array<Uint8Array>(rows.length);
      const unsure: number[] = [];
      for (let at = 0; at < rows.length; at += 1) {
        const cached = cache.get(rows[at]!);
        if (cached !== undefined && cached.era === era && cached.projectKey === projectKey) texts[at] = cached.text;
        else unsure.push(at);
      }
      return unsure.length === 0 || readUnsure(projectKey, rows, unsure, texts) ? texts : undefined;
    },
    statistics: cache,
  };
}
