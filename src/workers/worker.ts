import cluster from 'node:cluster';
import type { Report, Serving, StoreLink, ToPrimary, ToWorker } from './messages.ts';
import { createRequests, replyTimeoutMs } from './request-reply.ts';

/** The primary as a worker sees it. If it dies, Node ends the worker. */
export interface Primary {
  /** The number of this worker, from 1 on; a worker that replaces another has its number. */
  readonly number: number;
  /** True for the worker that does the background work of the service. */
  readonly tidies: boolean;
  /** Where the other workers serve; undefined for the first one. */
  readonly serving: Serving | undefined;
  /** The channel to the part of the store that the primary hosts. */
  readonly link: StoreLink;
  /** Reports that this worker serves. */
  ready(serving: Serving): void;
  /** The report of all processes. */
  gather(report: Report): Promise<string>;
}

interface WorkerDuties {
  /** Reports of this process. */
  readonly reports: Readonly<Record<Report, () => string>>;
  /** Called when the primary asks this worker to shut down. */
  readonly onEnd: () => void;
}

/** True in a process started by a primary. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Resolves when the primary has sent the number of this worker. */
export async function connectPrimary(duties: WorkerDuties): Promise<Primary> {
  const requests = createRequests(replyTimeoutMs.worker);
  const { promise: started, resolve: start } = Promise.withResolvers<Extract<ToWorker, { kind: 'start' }>>();
  let onStore: (body: unknown) => void = () => {};
  const send = (message: ToPrimary) => {
    // Without a channel the process is about to exit.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'start':
        return start(message);
      case 'store':
        return onStore(message.body);
      case 'reportRequest':
        return send({ kind: 'reportReply', id: message.id, text: duties.reports[message.report]() });
      case 'allReply':
        return requests.reply(message.id, message.text);
      case 'end':
        return duties.onEnd();
    }
  });
  const { number, tidies, serving } = await started;
  return {
    number,
    tidies,
    serving,
    link: {
      send: (body) => send({ kind: 'store', body }),
      onMessage(listener) {
        onStore = listener;
      },
    },
    ready: (own) => send({ kind: 'ready', serving: own }),
    gather: async (report) =>
      (await requests.request((id) => send({ kind: 'allRequest', id, report }))) ?? duties.reports[report](),
  };
}
