import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../telemetry/log.ts';
import { mergeExpositions } from '../telemetry/merge-metrics.ts';
import type { Report, Serving, StoreLink, ToPrimary, ToWorker } from './messages.ts';
import { createRequests, replyTimeoutMs } from './request-reply.ts';
import { decideRestart, type EarlyExits, noEarlyExits } from './restart-policy.ts';

interface WorkersDeps {
  readonly count: number;
  readonly log: Log;
  /** Serves the store to a worker. */
  readonly serveStore: (link: StoreLink) => void;
  /** Metrics of this process. */
  readonly renderMetrics: () => string;
  /** Called when a worker cannot be restarted: the service should end. */
  readonly onGivenUp: (reason: string) => void;
}

/** The processes that serve. */
export interface Workers {
  /** Starts them; resolves when all serve. Rejects with `NotStarted` if one of them ended before. */
  start(): Promise<Serving>;
  /** Shuts all down, after their requests in flight. Resolves to whether all of them ended in order. */
  end(): Promise<boolean>;
}

/** A worker ended before it served, and has explained why. */
export class NotStarted extends Error {
  /** Exit code of the worker; null if a signal ended it. */
  readonly code: number | null;
  constructor(code: number | null, signal: string | null) {
    super(`A worker ended before it served (${signal ?? `exit code ${code}`}); see above.`);
    this.name = 'NotStarted';
    this.code = code;
  }
}

/** One JSON array of the items of several. */
function joinArrays(texts: readonly string[]): string {
  const items = texts.map((text) => text.slice(1, -1)).filter((text) => text !== '');
  return `[${items.join(',')}]`;
}

/** A slot for a worker and those that replace it. */
interface Slot {
  readonly number: number;
  worker: Worker | undefined;
  readyMs: number | undefined;
  exits: EarlyExits;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Keeps `count` workers running (decision 78). On Linux each of them listens, and the kernel distributes the
 * connections; elsewhere this process accepts and distributes them.
 */
export function createWorkers(deps: WorkersDeps): Workers {
  const { count, log } = deps;
  const slots = Array.from({ length: count }, (_, index): Slot => {
    return { number: index + 1, worker: undefined, readyMs: undefined, exits: noEarlyExits, timer: undefined };
  });
  const requests = createRequests(replyTimeoutMs.primary);
  /** While the service starts: the pending starts. */
  const starting = new Map<Slot, PromiseWithResolvers<Serving>>();
  let serving: Serving | undefined;
  let onEnded: ((slot: Slot, isInOrder: boolean) => void) | undefined;

  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ serialization: 'advanced' });

  function send(worker: Worker, message: ToWorker): void {
    // A worker that is gone needs no message.
    if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => {});
  }

  async function gather(report: Report): Promise<string> {
    const ready = slots.filter(({ readyMs }) => readyMs !== undefined);
    const replies = ready.map(async ({ number, worker }) => {
      const text = await requests.request((id) => worker && send(worker, { kind: 'reportRequest', id, report }));
      return [String(number), text] as const;
    });
    const texts = (await Promise.all(replies)).flatMap(([worker, text]) =>
      text === undefined ? [] : [[worker, text] as const],
    );
    if (report === 'calls') return joinArrays(texts.map(([, text]) => text));
    return mergeExpositions(new Map([['primary', deps.renderMetrics()], ...texts]));
  }

  function fork(slot: Slot): void {
    const worker = cluster.fork();
    slot.worker = worker;
    let onStore: (body: unknown) => void = () => {};
    deps.serveStore({
      send: (body) => send(worker, { kind: 'store', body }),
      onMessage(listener) {
        onStore = listener;
      },
    });
    worker.on('message', (message: ToPrimary) => {
      switch (message.kind) {
        case 'store':
          return onStore(message.body);
        case 'ready':
          return isReady(slot, message.serving);
        case 'reportReply':
          return requests.reply(message.id, message.text);
        case 'allRequest':
          return void gather(message.report).then((text) => send(worker, { kind: 'allReply', id: message.id, text }));
      }
    });
    worker.on('error', (error) => log.write('error', 'worker-failed', { worker: slot.number, error }));
    worker.on('exit', (code, signal) => ended(slot, code, signal));
    // The first worker, and one that replaces another, which may have left work undone.
    send(worker, { kind: 'start', number: slot.number, tidies: slot.number === 1 || !starting.has(slot), serving });
  }

  function isReady(slot: Slot, own: Serving): void {
    serving ??= own;
    slot.readyMs = performance.now();
    log.write('info', 'worker-ready', { worker: slot.number, workerPid: slot.worker?.process.pid });
    starting.get(slot)?.resolve(own);
  }

  function ended(slot: Slot, code: number | null, signal: string | null): void {
    const servedMs = slot.readyMs === undefined ? undefined : performance.now() - slot.readyMs;
    slot.worker = undefined;
    slot.readyMs = undefined;
    const isInOrder = onEnded !== undefined && code === 0;
    log.write(isInOrder ? 'info' : 'error', 'worker-ended', { worker: slot.number, code, signal });
    const waiting = starting.get(slot);
    if (onEnded) onEnded(slot, isInOrder);
    else if (waiting) waiting.reject(new NotStarted(code, signal));
    else restart(slot, servedMs);
  }

  function restart(slot: Slot, servedMs: number | undefined): void {
    const { exits, delayMs } = decideRestart(slot.exits, servedMs);
    slot.exits = exits;
    if (delayMs === undefined) {
      deps.onGivenUp(`worker ${slot.number} does not start`);
      return;
    }
    log.write('warn', 'worker-restart', { worker: slot.number, delayMs });
    slot.timer = setTimeout(fork, delayMs, slot);
  }

  function started(slot: Slot): Promise<Serving> {
    const waiting = Promise.withResolvers<Serving>();
    starting.set(slot, waiting);
    fork(slot);
    return waiting.promise.finally(() => starting.delete(slot));
  }

  return {
    async start() {
      // The first one alone: it reports a failing start once, and finds a free port.
      const [first, ...others] = slots;
      const found = await started(first!);
      await Promise.all(others.map(started));
      return found;
    },
    end() {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const running = new Set(slots.filter(({ worker }) => worker));
      let allInOrder = true;
      onEnded = (slot, isInOrder) => {
        allInOrder &&= isInOrder;
        running.delete(slot);
        if (running.size === 0) resolve(allInOrder);
      };
      for (const { timer } of slots) clearTimeout(timer);
      for (const { worker } of running) if (worker) send(worker, { kind: 'end' });
      if (running.size === 0) resolve(true);
      return promise;
    },
  };
}
