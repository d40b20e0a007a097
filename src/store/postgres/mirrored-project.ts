import { firstRows } from '../../record/postgres/feed.ts';
import type { MirrorPosition } from '../../record/sqlite/write/messages.ts';

/** The mirror of a project: its position, and who waits for it. */
export class MirroredProject {
  position: MirrorPosition | undefined;
  /** The last change that this process committed. */
  known = 0;
  askedMs = Number.NEGATIVE_INFINITY;
  followedMs = Number.NEGATIVE_INFINITY;
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

  /** A pull may be joined only by those who came before it was sent: others share the next one. */
  follow(begin: () => Promise<void>): Promise<void> {
    if (this.running && this.isJoinable) return this.running;
    if (!this.running) {
      this.running = begin().finally(() => {
        this.running = undefined;
      });
      return this.running;
    }
    this.next ??= this.running
      .catch(() => {})
      .then(() => {
        this.next = undefined;
        return this.follow(begin);
      });
    return this.next;
  }

  get behind(): number {
    return this.known - (this.position?.sequence ?? 0);
  }
}
