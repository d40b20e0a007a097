import cluster from 'node:cluster';
import type { Link } from '../record/engine.ts';
import type { Report, Serving, ToPrimary, ToWorker } from './messages.ts';
import { createRequests, replyTimeoutMs } from './request-reply.ts';

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

/** The primary as a worker sees it, when it has sent the number of this worker. If it dies, Node ends the worker. */
export async function connectPrimary(duties: WorkerDuties) {
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
  /** The channel to the part of the store that the primary hosts. */
  const link: Link = {
    send: (body) => send({ kind: 'store', body }),
    onMessage(listener) {
      onStore = listener;
    },
  };
  return {
    /** From 1 on; a worker that replaces another has its number. */
    number,
    /** True for the worker that does the background work of the service. */
    tidies,
    /** Where the other workers serve; undefined for the first one. */
    serving,
    link,
    /** Reports that this worker serves. */
    ready: (own: Serving) => send({ kind: 'ready', serving: own }),
    /** The report of all processes. */
    gather: async (report: Report) =>
      (await requests.request((id) => send({ kind: 'allRequest', id, report }))) ?? duties.reports[report](),
  };
}
