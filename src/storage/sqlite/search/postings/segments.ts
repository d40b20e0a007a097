import type { DatabaseSync } from 'node:sqlite';

/** A segment of the term index: a B-tree of its own, of which merging takes the first pages away. */
export interface Segment {
  readonly id: number;
  readonly firstPage: number;
  readonly lastPage: number;
}

/** The only formats of FTS5's tables: others are of features that the index has not. */
const structureId = 10;
const cookieBytes = 4;
const secondFormat = 0xff;

/** Returns the segments of the open snapshot, the newest first: what it says of a row holds. */
export function segmentReader(db: DatabaseSync): () => readonly Segment[] {
  const structure = db.prepare('SELECT block FROM term_data WHERE id = ?');
  structure.setReturnArrays(true);
  return () => {
    const found = structure.get(structureId) as unknown as readonly [Uint8Array] | undefined;
    return found ? readStructure(found[0]) : [];
  };
}

/** Levels from the newest to the oldest, and in each the oldest segment first. */
function readStructure(bytes: Uint8Array): readonly Segment[] {
  if (bytes[cookieBytes] === secondFormat) throw new DamagedTermIndex();
  const read = numbersOf(bytes, cookieBytes);
  const levels = read();
  // The number of segments and that of the pages ever written.
  read();
  read();
  const segments: Segment[] = [];
  for (let level = 0; level < levels; level += 1) {
    // The number of segments that are being merged: they have what was not merged yet.
    read();
    const own: Segment[] = [];
    for (let left = read(); left > 0; left -= 1) own.push({ id: read(), firstPage: read(), lastPage: read() });
    // One that was merged as a whole has no pages any more.
    segments.push(...own.reverse().filter(({ lastPage }) => lastPage > 0));
  }
  return segments;
}

function numbersOf(bytes: Uint8Array, from: number): () => number {
  let at = from;
  return () => {
    for (let value = 0; ; ) {
      const byte = bytes[at];
      if (byte === undefined) throw new DamagedTermIndex();
      at += 1;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
}

/** Thrown where the tables of the term index are not as FTS5 writes them: what SQLite says of damaged pages. */
export class DamagedTermIndex extends Error {
  /** SQLITE_CORRUPT (sqlite.org/rescode.html). */
  readonly errcode = 11;

  constructor() {
    super('the term index is damaged, or of another format');
  }
}
