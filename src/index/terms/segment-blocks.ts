import type { BlockRow, Statements } from './segment-scan.ts';
import type { Segment } from './segments.ts';

/** Segments of more bytes are read block by block. */
const mostBytes = 65_536;

/**
 * The blocks of segments. Small ones, of which an index has more than a dozen while it is written, are read once and cached: the connection
 * must be one that does not write, since a segment that was rolled back may have the number of another one.
 */
export class SegmentBlocks {
  readonly #statements: Statements;
  /** By number. A segment that is being written grows. */
  readonly #small = new Map<number, { readonly bytes: number; readonly blocks: readonly BlockRow[] }>();
  #segments: readonly Segment[] = [];

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** To be called with the segments of each snapshot. */
  follow(segments: readonly Segment[]): void {
    if (segments === this.#segments) return;
    this.#segments = segments;
    const ids = new Set(segments.map(({ id }) => id));
    for (const id of this.#small.keys()) if (!ids.has(id)) this.#small.delete(id);
  }

  /** All blocks of a small segment in their order; undefined of another one. */
  all({ id, bytes }: Segment): readonly BlockRow[] | undefined {
    if (bytes > mostBytes) return undefined;
    const cached = this.#small.get(id);
    if (cached?.bytes === bytes) return cached.blocks;
    const blocks = this.#statements.all.all(id) as unknown as readonly BlockRow[];
    this.#small.set(id, { bytes, blocks });
    return blocks;
  }
}

/** The place of the first block that may have a term, or what is behind it. */
export function startIn(blocks: readonly BlockRow[], term: Uint8Array): number {
  let [from, to] = [0, blocks.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (Buffer.compare(blocks[middle]![0], term) <= 0) from = middle + 1;
    else to = middle;
  }
  let at = Math.max(0, from - 1);
  // A term may be in several blocks, which all begin with it.
  while (at > 0 && Buffer.compare(blocks[at - 1]![0], term) === 0) at -= 1;
  return at;
}
