import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../telemetry/log.ts';
import { mergeExpositions } from '../telemetry/merge-metrics.ts';
import type { Serving, StoreLink, ToPrimary, ToWorker } from './messages.ts';
import { createQuestions, patienceMs } from './request-reply.ts';
import { decideRestart, type Ends, noEnds } from './restart-policy.ts';

interface WorkersDeps {
  readonly count: number;
  readonly log: Log;
  /** Takes up the messages of a worker to the store. */
  readonly serveStore: (link: StoreLink) => void;
  /** Metrics of this process. */
  readonly renderMetrics: () => string;
  /** A worker could not be started again: the service should end. */
  readonly onGivenUp: (reason: string) => void;
}

/** The processes that serve. */
export interface Workers {
  /** Starts them; resolves when all serve. Rejects with `NotStarted` where one of them ended before. */
  start(): Promise<Serving>;
  /** Has all answer what is in flight and end. Resolves to whether all of them ended in order. */
  end(): Promise<boolean>;
}

/** A worker ended before it served. It has said why itself. */
export class NotStarted extends Error {
  /** Of the worker; null where a signal ended it. */
  readonly code: number | null;
  constructor(code: number | null, signal: string | null) {
    super(`A worker ended before it served (${signal ?? `exit code ${code}`}); see above.`);
    this.name = 'NotStarted';
    this.code = code;
  }
}

/** The place of a worker, in which one follows another. */
interface Place {
  readonly number: number;
  worker: Worker | undefined;
  readyMs: number | undefined;
  ends: Ends;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Keeps so many workers running (decision 78). On Linux each of them listens by itself, and the kernel spreads the
 * connections; elsewhere this process accepts them and hands them out.
 */
export function createWorkers(deps: WorkersDeps): Workers {
  const { count, log } = deps;
  const places = Array.from({ length: count }, (_, index): Place => {
    return { number: index + 1, worker: undefined, readyMs: undefined, ends: noEnds, timer: undefined };
  });
  const questions = createQuestions(patienceMs.primary);
  /** While the service starts: who waits for a worker, by its place. */
  const starting = new Map<Place, PromiseWithResolvers<Serving>>();
  let serving: Serving | undefined;
  let onEnded: ((place: Place, isInOrder: boolean) => void) | undefined;

  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ serialization: 'advanced' });

  function send(worker: Worker, message: ToWorker): void {
    // One that is gone needs no message.
    if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => {});
  }

  async function gatherMetrics(): Promise<string> {
    const ready = places.filter(({ readyMs }) => readyMs !== undefined);
    const asked = ready.map(async ({ number, worker }) => {
      const text = await questions.ask((ask) => worker && send(worker, { kind: 'askMetrics', ask }));
      return [String(number), text] as const;
    });
    const texts = (await Promise.all(asked)).flatMap(([worker, text]) =>
      text === undefined ? [] : [[worker, text] as const],
    );
    return mergeExpositions(new Map([['primary', deps.renderMetrics()], ...texts]));
  }

  function fork(place: Place): void {
    const worker = cluster.fork();
    place.worker = worker;
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
          return isReady(place, message.serving);
        case 'metrics':
          return questions.answered(message.ask, message.text);
        case 'askAllMetrics':
          return void gatherMetrics().then((text) => send(worker, { kind: 'allMetrics', ask: message.ask, text }));
      }
    });
    worker.on('error', (error) => log.write('error', 'worker-failed', { worker: place.number, error }));
    worker.on('exit', (code, signal) => ended(place, code, signal));
    // One for all; and one that replaces another, which may have left something.
    send(worker, { kind: 'start', number: place.number, tidies: place.number === 1 || !starting.has(place), serving });
  }

  function isReady(place: Place, own: Serving): void {
    serving ??= own;
    place.readyMs = performance.now();
    log.write('info', 'worker-ready', { worker: place.number, workerPid: place.worker?.process.pid });
    starting.get(place)?.resolve(own);
  }

  function ended(place: Place, code: number | null, signal: string | null): void {
    const servedMs = place.readyMs === undefined ? undefined : performance.now() - place.readyMs;
    place.worker = undefined;
    place.readyMs = undefined;
    const isInOrder = onEnded !== undefined && code === 0;
    log.write(isInOrder ? 'info' : 'error', 'worker-ended', { worker: place.number, code, signal });
    const waiting = starting.get(place);
    if (onEnded) onEnded(place, isInOrder);
    else if (waiting) waiting.reject(new NotStarted(code, signal));
    else restart(place, servedMs);
  }

  function restart(place: Place, servedMs: number | undefined): void {
    const { ends, delayMs } = decideRestart(place.ends, servedMs);
    place.ends = ends;
    if (delayMs === undefined) {
      deps.onGivenUp(`worker ${place.number} does not start`);
      return;
    }
    log.write('warn', 'worker-restart', { worker: place.number, delayMs });
    place.timer = setTimeout(fork, delayMs, place);
  }

  function started(place: Place): Promise<Serving> {
    const waiting = Promise.withResolvers<Serving>();
    starting.set(place, waiting);
    fork(place);
    return waiting.promise.finally(() => starting.delete(place));
  }

  return {
    async start() {
      // The first one alone: what is wrong with a start is said once, and a free port is found by one of them.
      const [first, ...others] = places;
      const found = await started(first!);
      await Promise.all(others.map(started));
      return found;
    },
    end() {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const running = new Set(places.filter(({ worker }) => worker));
      let allInOrder = true;
      onEnded = (place, isInOrder) => {
        allInOrder &&= isInOrder;
        running.delete(place);
        if (running.size === 0) resolve(allInOrder);
      };
      for (const { timer } of places) clearTimeout(timer);
      for (const { worker } of running) if (worker) send(worker, { kind: 'end' });
      if (running.size === 0) resolve(true);
      return promise;
    },
  };
}
