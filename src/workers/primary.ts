import cluster, { type Worker } from 'node:cluster';
import type { Link } from '../record/engine.ts';
import type { Log } from '../telemetry/log.ts';
import { mergeExpositions } from '../telemetry/merge-metrics.ts';
import type { Report, Serving, ToPrimary, ToWorker } from './messages.ts';
import { createRequests, replyTimeoutMs } from './request-reply.ts';
import { decideRestart, type EarlyExits, noEarlyExits } from './restart-policy.ts';

interface WorkersDeps {
  readonly count: number;
  readonly log: Log;
  /** Serves the store to a worker. */
  readonly serveStore: (link: Link) => void;
  /** Metrics of this process. */
  readonly renderMetrics: () => string;
  /** Called when a worker cannot be restarted: the service should end. */
  readonly onGivenUp: (reason: string) => void;
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
export class Workers {
  readonly #deps: WorkersDeps;
  readonly #slots: readonly Slot[];
  readonly #requests = createRequests(replyTimeoutMs.primary);
  /** Slots whose first worker does not serve yet. */
  readonly #starting = new Map<Slot, PromiseWithResolvers<Serving>>();
  #serving: Serving | undefined;
  /** Set once the service ends: workers are not replaced any more. */
  #onEnded: ((slot: Slot, isInOrder: boolean) => void) | undefined;

  constructor(deps: WorkersDeps) {
    this.#deps = deps;
    this.#slots = Array.from({ length: deps.count }, (_, index): Slot => {
      return { number: index + 1, worker: undefined, readyMs: undefined, exits: noEarlyExits, timer: undefined };
    });
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ serialization: 'advanced' });
  }

  /** Starts the workers; resolves when all serve. Rejects with `NotStarted` if one of them ended before. */
  async start(): Promise<Serving> {
    // The first one alone: it reports a failing start once, and finds a free port.
    const [first, ...others] = this.#slots;
    const found = await this.#start(first!);
    await Promise.all(others.map((slot) => this.#start(slot)));
    return found;
  }

  /** Shuts all workers down, after their requests in flight. Resolves to whether all of them ended in order. */
  end(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const running = new Set(this.#slots.filter(({ worker }) => worker));
    let allInOrder = true;
    this.#onEnded = (slot, isInOrder) => {
      allInOrder &&= isInOrder;
      running.delete(slot);
      if (running.size === 0) resolve(allInOrder);
    };
    for (const { timer } of this.#slots) clearTimeout(timer);
    for (const { worker } of running) if (worker) send(worker, { kind: 'end' });
    if (running.size === 0) resolve(true);
    return promise;
  }

  #start(slot: Slot): Promise<Serving> {
    const started = Promise.withResolvers<Serving>();
    this.#starting.set(slot, started);
    this.#fork(slot);
    return started.promise.finally(() => this.#starting.delete(slot));
  }

  #fork(slot: Slot): void {
    const { log, serveStore } = this.#deps;
    const worker = cluster.fork();
    slot.worker = worker;
    let onStore: (body: unknown) => void = () => {};
    serveStore({
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
          return this.#onReady(slot, message.serving);
        case 'reportReply':
          return this.#requests.reply(message.id, message.text);
        case 'allRequest':
          return void this.#gather(message.report).then((text) =>
            send(worker, { kind: 'allReply', id: message.id, text }),
          );
      }
    });
    worker.on('error', (error) => log.write('error', 'worker-failed', { worker: slot.number, error }));
    worker.on('exit', (code, signal) => this.#onExit(slot, code, signal));
    // The first worker tidies, and one that replaces another, which may have left work undone.
    const tidies = slot.number === 1 || !this.#starting.has(slot);
    send(worker, { kind: 'start', number: slot.number, tidies, serving: this.#serving });
  }

  #onReady(slot: Slot, serving: Serving): void {
    this.#serving ??= serving;
    slot.readyMs = performance.now();
    this.#deps.log.write('info', 'worker-ready', { worker: slot.number, workerPid: slot.worker?.process.pid });
    this.#starting.get(slot)?.resolve(serving);
  }

  #onExit(slot: Slot, code: number | null, signal: string | null): void {
    const servedMs = slot.readyMs === undefined ? undefined : performance.now() - slot.readyMs;
    slot.worker = undefined;
    slot.readyMs = undefined;
    const isInOrder = this.#onEnded !== undefined && code === 0;
    this.#deps.log.write(isInOrder ? 'info' : 'error', 'worker-ended', { worker: slot.number, code, signal });
    const starting = this.#starting.get(slot);
    if (this.#onEnded) this.#onEnded(slot, isInOrder);
    else if (starting) starting.reject(new NotStarted(code, signal));
    else this.#restart(slot, servedMs);
  }

  #restart(slot: Slot, servedMs: number | undefined): void {
    const { exits, delayMs } = decideRestart(slot.exits, servedMs);
    slot.exits = exits;
    if (delayMs === undefined) {
      this.#deps.onGivenUp(`worker ${slot.number} does not start`);
      return;
    }
    this.#deps.log.write('warn', 'worker-restart', { worker: slot.number, delayMs });
    slot.timer = setTimeout(() => this.#fork(slot), delayMs);
  }

  /** Gathers a report of all workers that serve. */
  async #gather(report: Report): Promise<string> {
    const ready = this.#slots.filter(({ readyMs }) => readyMs !== undefined);
    const replies = ready.map(async ({ number, worker }) => {
      const text = await this.#requests.request((id) => worker && send(worker, { kind: 'reportRequest', id, report }));
      return text === undefined ? [] : [[String(number), text] as const];
    });
    const texts = (await Promise.all(replies)).flat();
    if (report === 'calls') return joinArrays(texts.map(([, text]) => text));
    return mergeExpositions(new Map([['primary', this.#deps.renderMetrics()], ...texts]));
  }
}

function send(worker: Worker, message: ToWorker): void {
  // A worker that is gone needs no message.
  if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => {});
}
