const firstRows = 1024;

/** Rows in the order in which they are read. */
export class RowBuffer {
  #rows = new Uint32Array(firstRows);
  #length = 0;

  add(more: Uint32Array): void {
    this.#makeRoom(more.length);
    // Most words have a row or two: a call for so few takes longer than the copy.
    if (more.length > 4) this.#rows.set(more, this.#length);
    else for (let at = 0; at < more.length; at += 1) this.#rows[this.#length + at] = more[at]!;
    this.#length += more.length;
  }

  addOne(row: number): void {
    this.#makeRoom(1);
    this.#rows[this.#length] = row;
    this.#length += 1;
  }

  /** A copy. */
  all(): Uint32Array {
    return this.#rows.slice(0, this.#length);
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#rows.length) return;
    const larger = new Uint32Array(Math.max(2 * this.#rows.length, this.#length + more));
    larger.set(this.#rows.subarray(0, this.#length));
    this.#rows = larger;
  }
}
