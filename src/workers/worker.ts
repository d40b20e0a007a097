import cluster from 'node:cluster';
import type { Serving, StoreLink, ToPrimary, ToWorker } from './messages.ts';
import { createQuestions, patienceMs } from './request-reply.ts';

/** The primary as a worker sees it. Where it dies, Node ends the worker. */
export interface Primary {
  /** Which worker this is, from 1 on; a worker that replaces another has its number. */
  readonly number: number;
  /** True: it looks after what others may have left undone. */
  readonly tidies: boolean;
  /** Where the others serve already; undefined for the first one. */
  readonly serving: Serving | undefined;
  /** The way to what the primary hosts of the store. */
  readonly link: StoreLink;
  /** Tells that this worker serves. */
  ready(serving: Serving): void;
  /** The metrics of all processes. */
  renderMetrics(): Promise<string>;
}

interface WorkerDuties {
  /** Metrics of this process. */
  readonly renderMetrics: () => string;
  /** The primary wants it to end in order. */
  readonly onEnd: () => void;
}

/** True in a process that a primary has started. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Resolves when the primary has said which worker this is. */
export async function connectPrimary(duties: WorkerDuties): Promise<Primary> {
  const questions = createQuestions(patienceMs.worker);
  const { promise: started, resolve: start } = Promise.withResolvers<Extract<ToWorker, { kind: 'start' }>>();
  let onStore: (body: unknown) => void = () => {};
  const send = (message: ToPrimary) => {
    // Without a channel the process is about to end.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'start':
        return start(message);
      case 'store':
        return onStore(message.body);
      case 'askMetrics':
        return send({ kind: 'metrics', ask: message.ask, text: duties.renderMetrics() });
      case 'allMetrics':
        return questions.answered(message.ask, message.text);
      case 'end':
        return duties.onEnd();
    }
  });
  const { number, tidies, serving } = await started;
  return {
    ...{ number, tidies, serving },
    link: {
      send: (body) => send({ kind: 'store', body }),
      onMessage(listener) {
        onStore = listener;
      },
    },
    ready: (own) => send({ kind: 'ready', serving: own }),
    renderMetrics: async () =>
      (await questions.ask((ask) => send({ kind: 'askAllMetrics', ask }))) ?? duties.renderMetrics(),
  };
}
