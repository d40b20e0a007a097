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

/** A call as a request notes it. `endedMs`: since the epoch. */
export interface CallNote extends Omit<RecentCall, 'at'> {
  readonly endedMs: number;
}

export type RecentCalls = ReturnType<typeof createRecentCalls>;

/** Calls that are kept of each client: one that calls all the time does not push out those of the others. */
export const callsPerClient = 100;
/** Clients whose calls are kept; a further one replaces the one that has not called for the longest. */
export const maxCallingClients = 200;

/** Longer ones are refused with the request. */
const maxUserChars = 256;

/** The last calls of the API clients of a process, in memory. */
export function createRecentCalls() {
  /** By client, oldest first. */
  const calls = new Map<string, CallNote[]>();

  return {
    add(note: CallNote): void {
      const { clientId, externalUserId: user, projectKey } = note;
      const own = calls.get(clientId) ?? [];
      own.push({
        ...note,
        externalUserId: user !== undefined && user.length > maxUserChars ? undefined : user,
        // A copy: a part of a text keeps the whole text in memory, here the URL.
        projectKey: projectKey && Buffer.from(projectKey).toString(),
      });
      if (own.length > callsPerClient) own.shift();
      if (own.length > 1) return;
      if (calls.size >= maxCallingClients) {
        const lastEndMs = (notes: CallNote[]) => notes.at(-1)!.endedMs;
        const [quietest] = [...calls].reduce((a, b) => (lastEndMs(b[1]) < lastEndMs(a[1]) ? b : a));
        calls.delete(quietest);
      }
      calls.set(clientId, own);
    },
    /** All that are kept: by client, and of each the last one first. */
    list: (): readonly RecentCall[] => [...calls.values()].flatMap((own) => own.map(shown).reverse()),
  };
}

/** JSON leaves out what is undefined. */
function shown({ endedMs, durationMs, ...call }: CallNote): RecentCall {
  return { at: new Date(endedMs).toISOString(), ...call, durationMs: Math.round(durationMs * 10) / 10 };
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
