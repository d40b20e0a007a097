import type { JsonObject } from '../../contract/json.ts';
import type { ClientStore } from '../../domain/ports/client-store.ts';
import type { Change, ResourceStore } from '../../domain/ports/resource-store.ts';
import { decideRecord, readCompanionRecord, serviceContext } from '../../domain/resource/write/companion-record.ts';
import { decideDelete } from '../../domain/resource/write/decision.ts';
import { startBackgroundTask } from '../../telemetry/background-task.ts';
import type { Log } from '../../telemetry/log.ts';

export type LastUse = ReturnType<typeof createLastUse>;

export interface LastUseDeps {
  readonly store: Pick<ResourceStore, 'get' | 'commit'>;
  readonly clients: Pick<ClientStore, 'getClient'>;
  readonly nowMs: () => number;
  readonly log: Log;
}

const minuteMs = 60_000;
/** More clients than these are not noted until the next write: about 1 MB of memory. */
const maxNoted = 10_000;
/** Records that are written at the same time. */
const maxWrites = 100;

const failedEvent = 'last-use-failed';

/** A companion project with one record for each client, so that every engine keeps it alike (as decision 123). */
const useOf = (projectKey: string) => `${projectKey}~client-use`;

/** The project of a client by its id, which begins with it; '' for other ids. */
const projectOf = (clientId: string) => clientId.slice(0, Math.max(0, clientId.indexOf('.')));

const contextAt = (ms: number) => serviceContext('service', new Date(ms).toISOString());

/** 0 for a damaged record. */
const minuteOf = ({ lastUsedAtMs = 0 }: JsonObject) => Number(lastUsedAtMs);

/**
 * When each API client was last used: when it got a token, or one of its tokens was verified, which happens once a minute
 * at most. Noted in memory and written once a minute, so that a request costs nothing more; what was noted since is lost
 * with a process that is killed (decision 145).
 */
export function createLastUse({ store, clients, nowMs, log }: LastUseDeps) {
  let noted = new Map<string, number>();
  let stop: (() => void) | undefined;

  /** The change that writes a use; undefined where a later one is written, or the client is gone. */
  async function changeOf(clientId: string, atMs: number): Promise<Change | undefined> {
    const projectKey = projectOf(clientId);
    const known = await clients.getClient(clientId);
    if (known?.projectKey !== projectKey) return undefined;
    const companion = useOf(projectKey);
    const context = contextAt(atMs);
    const before = await readCompanionRecord(store, companion, clientId, context);
    if (before && minuteOf(before.resource.current) >= atMs) return undefined;
    return decideRecord(companion, clientId, before, { lastUsedAtMs: atMs }, context).change;
  }

  /** The next use of a client is noted anyway: what could not be written is not kept. */
  async function write(): Promise<void> {
    const writing = [...noted];
    noted = new Map();
    for (let at = 0; at < writing.length; at += maxWrites) {
      const writes = writing.slice(at, at + maxWrites).map(async ([id, atMs]) => {
        const change = await changeOf(id, atMs);
        if (change) await store.commit(change);
      });
      const failure = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected');
      if (failure) log.write('warn', failedEvent, { error: failure.reason });
    }
  }

  return {
    /** Notes a use. Clients of no project, and those of an outside issuer, are left out. */
    note(clientId: string): void {
      if (noted.size >= maxNoted || projectOf(clientId) === '') return;
      noted.set(clientId, Math.floor(nowMs() / minuteMs) * minuteMs);
    },
    /** The whole minute of the last use of each of these clients, in ms since the epoch; clients that were never used are left out. */
    async of(projectKey: string, clientIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const records = await Promise.all(
        clientIds.map((id) => readCompanionRecord(store, useOf(projectKey), id, contextAt(nowMs()))),
      );
      const uses = clientIds.map((id, i) => {
        const record = records[i];
        const written = record ? minuteOf(record.resource.current) : 0;
        return [id, Math.max(written, noted.get(id) ?? 0)] as const;
      });
      return new Map(uses.filter(([, atMs]) => atMs > 0));
    },
    /** Forgets a deleted client. */
    async forget(projectKey: string, clientId: string): Promise<void> {
      noted.delete(clientId);
      const context = contextAt(nowMs());
      const found = await readCompanionRecord(store, useOf(projectKey), clientId, context);
      if (found) await store.commit(decideDelete(found, context).change!);
    },
    /** Begins to write what is noted, once a minute. */
    start(): void {
      stop = startBackgroundTask({ everyMs: minuteMs, run: write, log, failedEvent });
    },
    /** Writes what is noted, and ends. */
    async close(): Promise<void> {
      stop?.();
      if (stop) await write();
    },
  };
}
