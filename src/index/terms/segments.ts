import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { DamagedTermIndex } from './block.ts';

/**
 * The term index: for each term, the rows whose documents have it. It is a log-structured merge tree: the table `posting` has the
 * blocks of its segments, and one row in `term_index` lists these.
 *
 * 1. Each run of the follower writes one segment of level 0: its terms in order, in blocks (block.ts), each with the rows that gained the
 *    term and those that lost it. A segment is never changed, only merged.
 * 2. What the newest segment says of a term and a row holds.
 * 3. Segments have stamps, one more for each that is written. When a level has `fanOut` segments they are merged into one of the next
 *    level, in steps: before a term the new segment has what the merged ones had, and from it on these still have it (merge-segments.ts).
 * 4. A merged segment has the stamps from the first to the last of those that it was made of. Where nothing older is left, rows that lost a
 *    term are left out, and the first stamp is 0.
 * 5. Rows that were read when the last stamp was n are brought up to date by the segments with a last stamp beyond n, from the oldest to the
 *    newest; unless one of these has the first stamp 0, since it does not say which rows are gone.
 */
export interface Segment {
  readonly id: number;
  readonly level: number;
  readonly firstStamp: number;
  readonly lastStamp: number;
  /** Of its blocks. */
  readonly bytes: number;
  /** The segment that it is being merged into; 0 where it is not. */
  readonly mergedInto: number;
  /** The terms before this one are in that segment, whatever this one's blocks still have. */
  readonly mergedTo: string;
}

/** Of the tables: an index of another version is built again. */
export const termIndexVersion = 3;

/** Segments of a level that are merged into one. */
export const fanOut = 10;

/** The segments of the index, and the number that was given to a segment or a stamp last. */
interface Stored {
  readonly last: number;
  readonly segments: readonly Segment[];
}

/** Reads the list of segments, and writes it in the open transaction. */
export class SegmentList {
  readonly #read;
  readonly #write;
  readonly #delete;
  readonly #insert;
  /** What was read last: every query reads the list, and few find another one. */
  #last: { readonly text: string; readonly stored: Stored } | undefined;

  constructor(db: DatabaseSync) {
    this.#read = db.prepare('SELECT segments, checksum FROM term_index');
    this.#insert = db.prepare("INSERT INTO term_index VALUES (1, '', 0)");
    this.#delete = db.prepare('DELETE FROM term_index');
    this.#write = db.prepare('UPDATE term_index SET segments = ?, checksum = ?');
  }

  /** The newest first. Throws where the list is not as it was written. */
  read(): readonly Segment[] {
    return this.#stored().segments;
  }

  /** Adds a segment: without a head one of level 0 with the next stamp. Returns its id. */
  add(head?: Pick<Segment, 'level' | 'firstStamp' | 'lastStamp'>): number {
    const { last, segments } = this.#stored();
    const id = last + 1;
    const { level, firstStamp, lastStamp } = head ?? { level: 0, firstStamp: id, lastStamp: id };
    this.#store({
      last: id,
      segments: [...segments, { id, level, firstStamp, lastStamp, bytes: 0, mergedInto: 0, mergedTo: '' }],
    });
    return id;
  }

  /** Changes the segments for which `change` returns another one, and removes those for which it returns nothing. */
  update(change: (segment: Segment) => Segment | undefined): void {
    const { last, segments } = this.#stored();
    this.#store({ last, segments: segments.map(change).filter((segment) => segment !== undefined) });
  }

  /** Removes all; numbers go on, since readers may have cached what stamps had. */
  clear(): void {
    let last = 0;
    try {
      last = this.#stored().last;
    } catch {
      // A start rebuilds a damaged index before anybody reads.
    }
    this.#delete.run();
    this.#insert.run();
    this.#store({ last, segments: [] });
  }

  #stored(): Stored {
    const row = this.#read.get() as { segments: string; checksum: number } | undefined;
    if (row !== undefined && row.segments === this.#last?.text) return this.#last.stored;
    if (row?.segments === undefined || crc32(row.segments) !== row.checksum) throw new DamagedTermIndex();
    this.#last = { text: row.segments, stored: JSON.parse(row.segments) as Stored };
    return this.#last.stored;
  }

  #store({ last, segments }: Stored): void {
    const sorted = segments.toSorted((a, b) => b.lastStamp - a.lastStamp || a.id - b.id);
    const text = JSON.stringify({ last, segments: sorted } satisfies Stored);
    this.#write.run(text, crc32(text));
  }
}
