import { firstRows } from '../../record/postgres/feed.ts';
import type { MirrorPosition } from '../../record/sqlite/write/messages.ts';
import type { MirrorFacts } from '../../telemetry/store-metrics.ts';
import { roomOf } from './pace.ts';

/** A project is followed for so long after the last query. */
const followedForMs = 300_000;
/** No writer waits for a mirror that has not caught up for so long. */
const leftBehindMs = 5000;
/** Projects that are named. */
const maxNamed = 10;

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
  /** The file may have resources of it. */
  hasRows: boolean;

  constructor(position: MirrorPosition | undefined) {
    this.position = position;
    this.hasRows = position !== undefined;
  }

  /** The file does not have it, or not wholly. */
  get needsCopy(): boolean {
    return !this.position || (!this.position.isComplete && this.position.sequence === 0);
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

  /** The file has it, and the database may have more. */
  get isFollowing(): boolean {
    return this.isFollowed && !this.needsCopy;
  }

  /** It has been behind for longer than writers wait for it. */
  get isLeftBehind(): boolean {
    return this.isFollowing && performance.now() - this.caughtUpMs > leftBehindMs;
  }

  /** How many changes it lacks, as far as is known. */
  get lag(): number {
    return this.isFollowing ? Math.max(0, this.known - this.position!.sequence) : 0;
  }

  /** How many changes may be committed before it is too far behind. */
  room(msOfChange: number): number {
    return roomOf(this.isLeftBehind ? 0 : this.lag, msOfChange);
  }
}

type Projects = ReadonlyMap<string, MirroredProject>;

/** How far the projects are that writers wait for. */
export function positionsOf(projects: Projects): ReadonlyMap<string, number> {
  const followed = [...projects].filter(([, project]) => project.isFollowing && !project.isLeftBehind);
  return new Map(followed.map(([projectKey, { position }]) => [projectKey, position!.sequence]));
}

/** Which projects are behind, and which are being copied; undefined where there are none. */
export function lagOf(projects: Projects): string | undefined {
  const behind: string[] = [];
  const copied: string[] = [];
  for (const [projectKey, { isLeftBehind, caughtUpMs, copied: copy }] of projects) {
    if (isLeftBehind) behind.push(`${projectKey} for ${Math.round((performance.now() - caughtUpMs) / 1000)} s`);
    if (copy) copied.push(`${projectKey}: ${copy[0]} of ${copy[1]} resources`);
  }
  const texts = [listed('behind the database: ', behind), listed('copying ', copied)].filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts.join('; ');
}

function listed(label: string, items: readonly string[]): string {
  const rest = items.length > maxNamed ? ` and ${items.length - maxNamed} more` : '';
  return items.length === 0 ? '' : `${label}${items.slice(0, maxNamed).join(', ')}${rest}`;
}

type Counted = 'pulls' | 'changes' | 'copied' | 'resyncs' | 'evictions' | 'bytes';

/** For the metrics: of all projects together, since their number has no bound. */
export function factsOf(projects: Projects, counts: () => Readonly<Record<Counted, number>>): MirrorFacts {
  const count = (is: (project: MirroredProject) => boolean) => [...projects.values()].filter(is).length;
  const worst = (of: (project: MirroredProject) => number) =>
    [...projects.values()].reduce((most, project) => Math.max(most, of(project)), 0);
  return {
    bytes: () => counts().bytes,
    projects: () => count(({ needsCopy }) => !needsCopy),
    lagChanges: () => worst(({ lag }) => lag),
    lagSeconds: () => worst((each) => (each.isFollowing ? (performance.now() - each.caughtUpMs) / 1000 : 0)),
    copies: () => count(({ copied }) => copied !== undefined),
    pulls: () => counts().pulls,
    changes: () => counts().changes,
    copied: () => counts().copied,
    resyncs: () => counts().resyncs,
    evictions: () => counts().evictions,
  };
}
