import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { createServer } from 'node:net';
import { ensureAdminClient } from '../auth/admin.ts';
import type { Config } from '../config/settings.ts';
import { hostConfiguredStore, openConfiguredStore } from '../configured-store.ts';
import { createLog } from '../telemetry/log.ts';
import { startLoopDelay } from '../telemetry/loop-delay.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { registerProcessMetrics } from '../telemetry/process-metrics.ts';
import { createRecentCalls } from '../telemetry/recent-calls.ts';
import { version } from '../version.ts';
import type { Serving } from '../workers/messages.ts';
import { NotStarted, Workers } from '../workers/primary.ts';
import { connectPrimary, isWorker } from '../workers/worker.ts';
import { banner } from './banner.ts';
import { exitConfig, exitFailure, explain, failStart } from './command.ts';
import { noteServing } from './serving-file.ts';
import { type End, endDeadlineMs, endInOrder } from './shutdown.ts';
import { warnOfUnknownVariables } from './store.ts';

/** The workers do not start, or no longer. */
const exitNotStarted = 1;

/** Serves with several processes (decision 78): as the primary, or as a worker in a process that the primary started. */
export function serveByWorkers(config: Config): Promise<number> {
  if (!isWorker()) return serveAsPrimary(config);
  return serveAsWorker(config).catch((error: unknown) => {
    // The channel to the primary would keep the process alive.
    process.channel?.unref();
    throw error;
  });
}

async function serveAsPrimary(config: Config): Promise<number> {
  const log = createLog({ level: config.logLevel, stream: process.stdout, nowMs: Date.now });
  warnOfUnknownVariables(log);
  const metrics = createMetrics();
  registerProcessMetrics(metrics, startLoopDelay());
  let end: End | undefined;
  const onFatal = (message: string) => (end ? end(message, exitFailure) : failStart(message));
  const host = await hostConfiguredStore(config, { log, metrics, onFatal });
  const workers = new Workers({
    count: config.workers,
    log,
    serveStore: host.serve,
    renderMetrics: metrics.render,
    onGivenUp: (reason) => end?.(reason, exitNotStarted),
  });
  const close = async () => {
    const isInOrder = await workers.end();
    await host.close();
    if (!isInOrder) throw new Error('A worker did not end in order.');
  };
  end = endInOrder({ close }, log, endDeadlineMs(config.drainTimeoutMs));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end?.(signal, 0));
  try {
    // Before the workers read it, and because only its creator knows the secret.
    const admin = await ensureAdminClient({ ...config, nowMs: Date.now });
    await assertPortFree(config);
    const serving = await workers.start();
    process.once('exit', noteServing(config, serving));
    log.write('info', 'listening', { address: serving.address, version, node: process.version, pid: process.pid });
    process.stderr.write(banner(config, admin, serving.address, { isTerminal: process.stderr.isTTY }));
    return await new Promise(() => {});
  } catch (error) {
    const exitCode = explainStart(error);
    await close().catch(() => {});
    // Even if something is still open.
    process.exit(exitCode);
  }
}

/** Throws if the port is in use. The workers share it, and would also share it with another such service. */
async function assertPortFree({ port, host }: Config): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Explains why the service did not start. A worker has explained its own reason. */
function explainStart(error: unknown): number {
  if (!(error instanceof NotStarted)) return explain(error);
  console.error(error.message);
  return error.code === exitConfig ? exitConfig : exitNotStarted;
}

/** The settings of one worker. All use the port of the first one, which may have been chosen by the system. */
function shareOf(config: Config, serving: Serving | undefined): Config {
  const share = { ...config, maxConnections: Math.ceil(config.maxConnections / config.workers) };
  return serving ? { ...share, port: Number(new URL(serving.address).port), issuer: serving.issuer } : share;
}

async function serveAsWorker(whole: Config): Promise<number> {
  const metrics = createMetrics();
  let end: End | undefined;
  let isEnding = false;
  const endOnce = (reason: string) => {
    if (isEnding) return;
    isEnding = true;
    if (end) end(reason, 0);
    else process.exit(0);
  };
  // A signal to the process group arrives here too, beside the message of the primary: it must not count as a second one.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => endOnce(signal));
  const own = createRecentCalls();
  const primary = await connectPrimary({
    reports: { metrics: metrics.render, calls: () => JSON.stringify(own.list()) },
    onEnd: () => endOnce('the service ends'),
  });
  const { number, tidies, link } = primary;
  const renderMetrics = () => primary.gather('metrics');
  const calls = { own, all: () => primary.gather('calls') };
  const config = shareOf(whole, primary.serving);
  const fields = { worker: number };
  const log = createLog({ level: config.logLevel, stream: process.stdout, nowMs: Date.now, fields });
  const onFatal = (message: string) => (end ? end(message, exitFailure) : failStart(message));
  const store = openConfiguredStore(config, { log, metrics, onFatal, link }, 'exclusive');
  store.catch(() => {});
  const { createApp } = await import('../app.ts');
  const app = await createApp(config, { log, metrics, onFatal, store, renderMetrics, calls, tidies });
  // Earlier than the primary's deadline, so that this process reports what hangs.
  end = endInOrder(app, log, endDeadlineMs(config.drainTimeoutMs) - 500);
  const address = await app.server.listen().catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  primary.ready({ address, issuer: app.tokens.issuer });
  setImmediate(flushCompileCache);
  return new Promise(() => {});
}
