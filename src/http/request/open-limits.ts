import type { ServerResponse } from 'node:http';
import type { Config } from '../../config/settings.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/scopes.ts';

/** Calls that stay open: how many a client may have at a time. */
const limitTable = {
  streams: { limit: 'maxStreamsPerClient', name: 'streams of events' },
  polls: { limit: 'maxPollsPerClient', name: 'requests that wait for events' },
  imports: { limit: 'maxImportsPerClient', name: 'imports' },
  exports: { limit: 'maxExportsPerClient', name: 'exports' },
} as const;

export type OpenKind = keyof typeof limitTable;

const retrySeconds = 5;

/** Counts a call of the client until its response has ended; throws 429 where the client has too many open. */
export type Occupy = (caller: Caller | undefined, response: ServerResponse, kind: OpenKind) => void;

/** Bounds what each client may have open in this process, so that one of them cannot slow down all others. */
export function createOpenLimits(config: Config): Occupy {
  const counts = new Map<string, number>();
  return (caller, response, kind) => {
    if (caller === undefined) return;
    const { limit, name } = limitTable[kind];
    const key = `${kind} ${caller.clientId}`;
    const open = counts.get(key) ?? 0;
    if (open >= config[limit]) {
      const message = `This client has ${open} ${name} open, the most that it may have. End one of them, or try again later.`;
      throw new ServiceError('TooManyRequests', message, {}, { 'retry-after': String(retrySeconds) });
    }
    counts.set(key, open + 1);
    response.once('close', () => {
      const left = counts.get(key)! - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    });
  };
}
