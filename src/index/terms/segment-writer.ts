import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { BlockWriter, blockBytes, encodePostings, type PostingBytes, type TermBytes } from './block.ts';
import { SegmentList } from './segments.ts';

/** Bytes of a block, and postings of a frequent term in a block of its own, about. */
export interface BlockSizes {
  readonly bytes: number;
  readonly postings: number;
}

/** Each is a page of the database. */
const defaultSizes: BlockSizes = { bytes: blockBytes, postings: 2000 };

/** A segment that is being written, in the open transaction. */
export interface OpenSegment {
  /** Adds a term, which comes behind those before, with its postings: see block.ts. */
  add(term: TermBytes, postings: ArrayLike<number>): void;
  /** Adds postings as they are in a block. */
  addEncoded(term: TermBytes, postings: PostingBytes): void;
  /** The bytes of its blocks since it was opened. */
  readonly bytes: number;
  /** Writes the last block. Returns the bytes. */
  end(): number;
}

export interface SegmentWriter {
  /** Begins a segment: without a head one of level 0 with the next stamp. */
  begin(head?: Parameters<SegmentList['add']>[0]): { readonly id: number; readonly segment: OpenSegment };
  /** Goes on with a segment behind all of its terms. */
  continued(id: number): OpenSegment;
}

/** Prepares writing segments on a connection that writes. */
export function createSegmentWriter(db: DatabaseSync, sizes = defaultSizes): SegmentWriter {
  const list = new SegmentList(db);
  const addBlock = db.prepare('INSERT INTO posting (segment, term, part, checksum, block) VALUES (?, ?, ?, ?, ?)');
  const blocks = new BlockWriter();

  function open(id: number): OpenSegment {
    let bytes = 0;

    function endBlock(part = 0): void {
      if (blocks.length === 0) return;
      const { first, block } = blocks.take();
      addBlock.run(id, first, part, crc32(block), block);
      bytes += block.length;
    }

    function addEncoded(term: TermBytes, postings: PostingBytes): void {
      const more = term.length + postings.to - postings.from;
      if (blocks.length > 0 && blocks.length + more > sizes.bytes) endBlock();
      blocks.add(term, postings);
    }

    return {
      addEncoded,
      add(term, postings) {
        if (postings.length <= sizes.postings) {
          addEncoded(term, encodePostings(postings));
          return;
        }
        endBlock();
        const all = Uint32Array.from(postings);
        for (let from = 0, part = 0; from < all.length; from += sizes.postings, part += 1) {
          blocks.add(term, encodePostings(all.subarray(from, from + sizes.postings)));
          endBlock(part);
        }
      },
      get bytes() {
        return bytes + blocks.length;
      },
      end() {
        endBlock();
        list.update((each) => (each.id === id ? { ...each, bytes: each.bytes + bytes } : each));
        return bytes;
      },
    };
  }

  return {
    begin(head) {
      const id = list.add(head);
      return { id, segment: open(id) };
    },
    continued: open,
  };
}
