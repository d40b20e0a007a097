import { flushCompileCache } from 'node:module';
import { beginOpening } from '../../configured-store.ts';
import { createLog } from '../../telemetry/log.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { version } from '../../version.ts';
import { banner } from '../banner.ts';
import { exitFailure, failStart, UsageError } from '../command.ts';
import { makeDataFolder } from '../data-folder.ts';
import { noteServing } from '../serving-file.ts';
import { type End, endDeadlineMs, endInOrder } from '../shutdown.ts';
import { readConfig, warnOfUnknownVariables } from '../store.ts';

export const help = `Serve the API until SIGTERM or SIGINT (Ctrl-C).

Usage:
  npm start
  npx grs serve

Settings are environment variables; see “npx grs config --help”. On SIGTERM the service completes the requests in flight
and exits with code 0, by default within 10 seconds. A second signal ends it at once.

Example: on port 9000 of all interfaces, with a log line for each request
  PORT=9000 HOST=0.0.0.0 LOG_LEVEL=debug npx grs serve

Exit codes: 0 ended in order, 1 ended at once or the workers do not start, 70 the store, the disk or the port cannot be
used, 78 the configuration is invalid.`;

/** Runs `grs serve`. Resolves when the process is about to end. */
export async function run(args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError();
  const config = readConfig();
  makeDataFolder(config);
  // Loaded only if needed.
  if (config.workers > 1) return (await import('../serve-workers.ts')).serveByWorkers(config);
  const log = createLog({ level: config.logLevel, stream: process.stdout, nowMs: Date.now });
  warnOfUnknownVariables(log);
  const metrics = createMetrics();
  let end: End | undefined;
  const onFatal = (message: string) => (end ? end(message, exitFailure) : failStart(message));
  const { store } = await beginOpening(config, { log, metrics, onFatal });
  const { createApp } = await import('../../app.ts').catch(async (error: unknown) => {
    // A dependency may be missing, for example. The threads of the store would keep the process alive.
    await store.then((opened) => opened.close()).catch(() => {});
    throw error;
  });
  const app = await createApp(config, { log, metrics, onFatal, store });
  end = endInOrder(app, log, endDeadlineMs(config.drainTimeoutMs));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end?.(signal, 0));
  const address = await app.server.listen().catch(async (error: unknown) => {
    // The threads of the store would keep the process alive.
    await app.close();
    throw error;
  });
  process.once('exit', noteServing(config, { address, issuer: app.tokens.issuer }));
  log.write('info', 'listening', { address, version, node: process.version, pid: process.pid });
  const isTerminal = process.stderr.isTTY;
  const code = isTerminal ? app.consoleSessions?.createCode() : undefined;
  process.stderr.write(banner(config, app.admin, address, { isTerminal, code }));
  setImmediate(flushCompileCache);
  return new Promise(() => {});
}
