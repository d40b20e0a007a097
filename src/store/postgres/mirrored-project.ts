import { firstRows } from '../../record/postgres/feed.ts';
import type { MirrorPosition } from '../../record/sqlite/write/messages.ts';

/** The mirror of a project: its position, and who waits for it. */
export class MirroredProject {
  position: MirrorPosition | undefined;
  /** The last change that this process committed. */
  known = 0;
  askedMs = Number.NEGATIVE_INFINITY;
  /** Events to ask for next: documents of a project are about as long as those before. */
  rowsOfPage = firstRows;
  /** What has been begun, and what those wait for who came meanwhile. */
  running: Promise<void> | undefined;
  /** The database has not been asked yet: who comes now joins what has been begun. */
  isJoinable = false;
  next: Promise<void> | undefined;
  /** Resources of a copy that were applied, and all. */
  copied: readonly [done: number, total: number] | undefined;

  constructor(position: MirrorPosition | undefined) {
    this.position = position;
  }

  get behind(): number {
    return this.known - (this.position?.sequence ?? 0);
  }
}
