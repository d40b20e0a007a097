import { firstRows } from '../../record/postgres/feed.ts';
import type { MirrorPosition } from '../../record/sqlite/write/messages.ts';
import { roomOf } from './pace.ts';

/** A project is followed for so long after the last query. */
const followedForMs = 300_000;
/** No writer waits for a mirror that has not caught up for so long. */
const leftBehindMs = 5000;

/** The mirror of a project: its position, and who waits for it. */
export class MirroredProject {
  position: MirrorPosition | undefined;
  /** The last change that this process, or one whose mirror it has, committed. */
  known = 0;
  askedMs = Number.NEGATIVE_INFINITY;
  followedMs = Number.NEGATIVE_INFINITY;
  /** When it last had all that was committed, or was asked for after it had not been followed. */
  caughtUpMs = Number.NEGATIVE_INFINITY;
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

  /** To be called when a query asks for the project. */
  asked(): void {
    const now = performance.now();
    if (!this.isFollowed) this.caughtUpMs = now;
    this.askedMs = now;
  }

  get isFollowed(): boolean {
    return performance.now() - this.askedMs < followedForMs;
  }

  /** It has a position, and the database may have more. */
  get isFollowing(): boolean {
    return this.isFollowed && !this.copied && this.position !== undefined;
  }

  /** It has been behind for longer than writers wait for it. */
  get isLeftBehind(): boolean {
    return this.isFollowing && performance.now() - this.caughtUpMs > leftBehindMs;
  }

  /** How many changes may be committed before it is too far behind. */
  room(msOfChange: number): number {
    const isWaitedFor = this.isFollowing && !this.isLeftBehind;
    return roomOf(isWaitedFor ? this.known - (this.position?.sequence ?? 0) : 0, msOfChange);
  }
}

type Projects = ReadonlyMap<string, MirroredProject>;

/** How far the projects are that writers wait for. */
export function positionsOf(projects: Projects): ReadonlyMap<string, number> {
  const followed = [...projects].filter(([, project]) => project.isFollowing && !project.isLeftBehind);
  return new Map(followed.map(([projectKey, { position }]) => [projectKey, position!.sequence]));
}

/** Which projects no writer waits for any more; undefined where there are none. */
export function lagOf(projects: Projects): string | undefined {
  const behind = [...projects].filter(([, project]) => project.isLeftBehind);
  const names = behind.map(([projectKey, { caughtUpMs }]) => {
    return `${projectKey} for ${Math.round((performance.now() - caughtUpMs) / 1000)} s`;
  });
  return behind.length === 0 ? undefined : `behind the database: ${names.slice(0, 10).join(', ')}`;
}
