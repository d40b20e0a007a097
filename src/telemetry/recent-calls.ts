/** A call of an API client that has ended. Nothing of its path, query or body but the project is in it. */
export interface RecentCall {
  /** ISO 8601: when it ended. */
  readonly at: string;
  readonly clientId: string;
  /** The `X-External-User-ID` of the call. */
  readonly externalUserId?: string | undefined;
  /** Absent for calls that concern no project. */
  readonly projectKey?: string | undefined;
  /** The `operationId` of its route. */
  readonly operation: string;
  /** Of the response; 499 where the client was gone before. */
  readonly status: number;
  readonly durationMs: number;
}

/** A call as a request notes it, in ms since the epoch and ms. */
export interface CallNote {
  readonly endedMs: number;
  readonly clientId: string;
  readonly externalUserId: string | undefined;
  readonly projectKey: string | undefined;
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
}

/**
 * The last calls of the API clients of a process, in memory. A request only adds its note to `incoming`, so that it costs
 * next to nothing; once there are `maxIncoming`, whoever added the last one calls `take`.
 */
export interface RecentCalls {
  readonly incoming: CallNote[];
  /** Sorts what has come in to its clients. */
  take(): void;
  /** All that are kept: by client, and of each the last one first. */
  list(): readonly RecentCall[];
}

/** Notes that wait to be sorted to their clients. */
export const maxIncoming = 200;

/** Calls that are kept of each client: one that calls all the time does not push out those of the others. */
export const callsPerClient = 100;
/** Clients whose calls are kept; a further one replaces the one that has not called for the longest. In all 1 MB. */
export const maxCallingClients = 200;

/** Longer ones are refused with the request. */
const maxUserChars = 256;

/** The calls of one client: columns of equal length, of which the oldest entry is overwritten. */
interface Ring {
  /** Calls ever noted: the next one goes to `count % callsPerClient`. */
  count: number;
  readonly endedMs: Float64Array;
  readonly durationsMs: Float64Array;
  readonly statuses: Uint16Array;
  readonly operations: string[];
  readonly projects: (string | undefined)[];
  readonly users: (string | undefined)[];
  /** The project of the last call. */
  lastProject: string | undefined;
}

const newRing = (): Ring => ({
  count: 0,
  endedMs: new Float64Array(callsPerClient),
  durationsMs: new Float64Array(callsPerClient),
  statuses: new Uint16Array(callsPerClient),
  operations: [],
  projects: [],
  users: [],
  lastProject: undefined,
});

const lastEndOf = ({ count, endedMs }: Ring) => endedMs[(count - 1) % callsPerClient]!;

/** Remembers calls. */
export function createRecentCalls(): RecentCalls {
  const rings = new Map<string, Ring>();

  function addRing(clientId: string): Ring {
    if (rings.size >= maxCallingClients) {
      let quietest: [string, Ring] | undefined;
      for (const entry of rings) if (!quietest || lastEndOf(entry[1]) < lastEndOf(quietest[1])) quietest = entry;
      rings.delete(quietest![0]);
    }
    const ring = newRing();
    rings.set(clientId, ring);
    return ring;
  }

  function keep(note: CallNote): void {
    const { clientId, externalUserId, projectKey } = note;
    const ring = rings.get(clientId) ?? addRing(clientId);
    const at = ring.count % callsPerClient;
    ring.count += 1;
    ring.endedMs[at] = note.endedMs;
    ring.durationsMs[at] = note.durationMs;
    ring.statuses[at] = note.status;
    ring.operations[at] = note.operation;
    // A part of a text keeps the whole text in memory, here the URL: a project is copied, and then shared.
    if (projectKey !== ring.lastProject) ring.lastProject = projectKey && Buffer.from(projectKey).toString();
    ring.projects[at] = ring.lastProject;
    ring.users[at] = externalUserId !== undefined && externalUserId.length > maxUserChars ? undefined : externalUserId;
  }

  const incoming: CallNote[] = [];
  function take(): void {
    for (const note of incoming) keep(note);
    incoming.length = 0;
  }

  return {
    incoming,
    take,
    list() {
      take();
      const calls: RecentCall[] = [];
      for (const [clientId, ring] of rings) {
        // The last one first, as it stays where others ended in the same millisecond.
        for (let back = 1; back <= Math.min(ring.count, callsPerClient); back += 1) {
          const at = (ring.count - back) % callsPerClient;
          const [externalUserId, projectKey] = [ring.users[at], ring.projects[at]];
          calls.push({
            ...{ at: new Date(ring.endedMs[at]!).toISOString(), clientId },
            ...(externalUserId !== undefined && { externalUserId }),
            ...(projectKey !== undefined && { projectKey }),
            ...{ operation: ring.operations[at]!, status: ring.statuses[at]! },
            durationMs: Math.round(ring.durationsMs[at]! * 10) / 10,
          });
        }
      }
      return calls;
    },
  };
}

/** Filter for recorded calls; undefined fields match anything. */
export interface CallFilter {
  readonly projectKey: string | undefined;
  readonly clientId: string | undefined;
  readonly externalUserId: string | undefined;
  readonly operation: string | undefined;
  /** `404`, or all of a class: `4xx`. */
  readonly status: string | undefined;
}

/** The calls that a filter names, the last one first, at most `limit` of them. */
export function chooseCalls(calls: readonly RecentCall[], filter: CallFilter, limit: number): readonly RecentCall[] {
  const { status, ...equal } = filter;
  const wanted = Object.entries(equal).filter(([, value]) => value !== undefined);
  const isWanted = (call: RecentCall) =>
    wanted.every(([name, value]) => call[name as keyof typeof equal] === value) &&
    (status === undefined ||
      (status.endsWith('xx') ? status[0] === String(call.status)[0] : status === String(call.status)));
  return calls
    .filter(isWanted)
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, limit);
}
