import type { ProcessAnswer } from '../service-process.ts';
import type { Fields, Json, Write } from './write.ts';

/** A moment, in nanoseconds of this machine. */
export const now = () => Number(process.hrtime.bigint());

/** One request of a client, and what it knows of it. */
export interface Attempt {
  readonly project: string;
  readonly start: number;
  readonly end: number;
  /** `unknown`: it may have been carried out; `refused`: it never reached the service. */
  readonly answer: ProcessAnswer | 'unknown' | 'refused';
}

/** An attempt at a write. Attempts of one name are repeats under one `Idempotency-Key`. */
export interface WriteAttempt extends Attempt {
  /** Unique; its correlation id begins with it. */
  readonly name: string;
  readonly write: Write;
}

/** A read and what it asked for. */
export interface ReadAttempt extends Attempt {
  readonly read:
    | { readonly kind: 'one'; readonly id: string }
    | { readonly kind: 'key'; readonly key: string }
    | { readonly kind: 'version'; readonly id: string; readonly version: number; readonly staged: boolean }
    /** A list, a search, an export or, without bodies, an existence check: all with one condition. */
    | { readonly kind: 'many'; readonly by: ManyBy; readonly group: string | undefined }
    | { readonly kind: 'document'; readonly name: 'document' | 'value' }
    /** The staged projection of the variant of a sku. */
    | { readonly kind: 'variant'; readonly sku: string };
}

export type ManyBy = 'list' | 'search' | 'export' | 'exists';

/** An event as its project tells it. */
export interface LoggedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly resource: {
    readonly typeId: string;
    readonly id: string;
    readonly key?: string;
    readonly version: number;
  };
  readonly correlationId?: string;
  readonly data?: { readonly current: Fields; readonly staged?: Fields };
}

/** What a follower got of the events of a project, in its order. */
export interface Followed {
  readonly project: string;
  readonly by: 'sse' | 'ndjson' | 'pages';
  readonly events: readonly LoggedEvent[];
}

/** Everything that is known of a run when it is over. */
export interface Recorded {
  readonly engine: 'sqlite' | 'postgres';
  readonly writes: readonly WriteAttempt[];
  readonly reads: readonly ReadAttempt[];
  readonly followed: readonly Followed[];
  /** The log of each project, read when nobody wrote any more. */
  readonly logs: ReadonlyMap<string, readonly LoggedEvent[]>;
}

/** A rule: what contradicts it, each beginning with its kind. */
export type Rule = (recorded: Recorded) => readonly string[];

/** The answer of an attempt, or undefined. */
export function answerOf({ answer }: Attempt): ProcessAnswer | undefined {
  return typeof answer === 'string' ? undefined : answer;
}

/** True of an attempt that was told to have succeeded. */
export function isAcknowledged(attempt: Attempt): boolean {
  const { status = 0 } = answerOf(attempt) ?? {};
  return status >= 200 && status < 300;
}

/** The name of the write that an event came of. */
export function nameOf(event: LoggedEvent): string | undefined {
  return event.correlationId?.split('.')[0];
}

/** A value as a text that does not depend on the order of names. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: Json) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The entity tag of an answer. */
export const tagOf = ({ headers }: ProcessAnswer) => headers.etag as string | undefined;
