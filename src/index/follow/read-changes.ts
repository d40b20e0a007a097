import type { UnindexedChange } from './change-source.ts';
import type { Place, PlaceChange } from './followed-orders.ts';

/** What was read of changes and is not written to the indexes yet. Their terms are in the term writer. */
export class ReadChanges {
  /** The last change that the indexes have. */
  readonly from: number;
  /** The last one that was read. */
  to: number;
  readonly changes: UnindexedChange[] = [];
  /** By row. */
  readonly places = new Map<number, PlaceChange>();
  /** How many more resources each project has. */
  readonly resources = new Map<string, number>();
  /** Rows of which it is not known what the indexes have. */
  readonly unknown = new Set<number>();
  isIntact = true;

  constructor(from: number) {
    this.from = from;
    this.to = from;
  }

  /** The row is at another place: the last one where it was read before. */
  move(row: number, before: Place | undefined, after: Place | undefined): void {
    const known = this.places.get(row);
    this.places.set(row, { row, before: known ? known.before : before, after });
  }

  get areAllKnown(): boolean {
    return this.isIntact && this.unknown.size === 0;
  }
}
