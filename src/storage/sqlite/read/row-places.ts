/**
 * Where the resources that were read lately are: a read by id that knows the row needs no look-up in the index, which is
 * a third of its time. A place is a guess: the row may have gone, or be of another resource by now, so whoever reads it
 * compares its project and id. In 2 MB for whatever number of resources.
 */
export interface RowPlaces {
  /** The row where a resource of this id was read; undefined if none is known. */
  rowOf(id: string): number | undefined;
  note(id: string, row: number): void;
}

const slots = 262_144;
const largestRow = 0xffff_ffff;

/** FNV-1a of the end of an id, where ids differ most. Never 0, which is an empty slot. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = Math.max(0, id.length - 12); at < id.length; at += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  }
  return hash | 1;
}

const slotOf = (hash: number) => (hash >>> 1) & (slots - 1);

/** Creates the places, none of which is known. */
export function createRowPlaces(): RowPlaces {
  const hashes = new Int32Array(slots);
  const rows = new Uint32Array(slots);
  return {
    rowOf(id) {
      const hash = hashOf(id);
      const slot = slotOf(hash);
      return hashes[slot] === hash ? rows[slot] : undefined;
    },
    note(id, row) {
      if (row > largestRow) return;
      const hash = hashOf(id);
      const slot = slotOf(hash);
      hashes[slot] = hash;
      rows[slot] = row;
    },
  };
}
