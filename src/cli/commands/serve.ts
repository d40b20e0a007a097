import { flushCompileCache } from 'node:module';
import { processEnvironment } from '../../config/environment.ts';
import { parseConfig } from '../../config/parse.ts';
import { openConfiguredStore } from '../../configured-store.ts';
import { createLog } from '../../telemetry/log.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { version } from '../../version.ts';
import { banner } from '../banner.ts';
import { noteServing } from '../serving-file.ts';
import { type End, endInOrder, endOnUncaught, exitFault } from '../shutdown.ts';

const serveHelp = `Serve the API until SIGTERM or SIGINT (Ctrl-C).

Usage:
  npm start
  grs serve

Settings come from environment variables; see “grs config --help”. On SIGTERM, requests in flight are answered, then
the process ends with exit code 0, within 10 seconds at the default settings; a second signal ends it at once.

Example: on port 9000 of all interfaces, with a line for each request
  PORT=9000 HOST=0.0.0.0 LOG_LEVEL=debug grs serve

Exit codes: 0 ended in order, 1 ended at once or the workers do not start, 70 the store or the disk is not usable, 78 a setting is not usable.`;

/** Runs `grs serve`. Resolves when the process is about to end. */
export async function serve(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.log(serveHelp);
    return args[0] === '--help' || args[0] === '-h' ? 0 : 2;
  }
  const config = parseConfig(processEnvironment());
  // Loaded only where they are used.
  if (config.workers > 1) return (await import('./serve-workers.ts')).serveByWorkers(config);
  const log = createLog({ level: config.logLevel, stream: process.stdout, nowMs: Date.now });
  const metrics = createMetrics();
  let end: End | undefined;
  const onFatal = (message: string) => (end ? end(message, exitFault) : process.exit(exitFault));
  // The store's thread starts and looks at its files while this one loads the rest of the service.
  const store = openConfiguredStore(config, { log, metrics, onFatal }, 'exclusive');
  store.catch(() => {});
  const { createApp } = await import('../../app.ts').catch(async (error: unknown) => {
    // A dependency is missing, say. The threads of the store would keep the process alive.
    await store.then((opened) => opened.close()).catch(() => {});
    throw error;
  });
  const app = await createApp(config, { log, metrics, onFatal, store });
  end = endInOrder(app, log, config.drainTimeoutMs + 1900);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end?.(signal, 0));
  endOnUncaught(end, log);
  const address = await app.server.listen().catch(async (error: unknown) => {
    // The threads of the store would keep the process alive.
    await app.close();
    throw error;
  });
  process.once('exit', noteServing(config, { address, issuer: app.tokens.issuer }));
  log.write('info', 'listening', { address, version, node: process.version, pid: process.pid });
  process.stderr.write(banner(config, app.admin, address));
  setImmediate(flushCompileCache);
  return new Promise(() => {});
}
