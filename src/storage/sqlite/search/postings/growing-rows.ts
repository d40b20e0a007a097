/** Rows in the order in which they are read: a list that grows. */
export interface GrowingRows {
  /** Adds rows, and returns how many there are. */
  add(more: Uint32Array): number;
  addOne(row: number): void;
  /** A copy. */
  all(): Uint32Array;
}

const firstRows = 1024;

/** No rows. */
export function createGrowingRows(): GrowingRows {
  let [rows, length] = [new Uint32Array(firstRows), 0];

  function makeRoom(more: number): void {
    if (length + more <= rows.length) return;
    const larger = new Uint32Array(Math.max(2 * rows.length, length + more));
    larger.set(rows.subarray(0, length));
    rows = larger;
  }

  return {
    add(more) {
      makeRoom(more.length);
      // Most words have a row or two: a call for so few takes longer than the copy.
      if (more.length > 4) rows.set(more, length);
      else for (let at = 0; at < more.length; at += 1) rows[length + at] = more[at]!;
      length += more.length;
      return length;
    },
    addOne(row) {
      makeRoom(1);
      rows[length] = row;
      length += 1;
    },
    all: () => rows.slice(0, length),
  };
}
