import { flushCompileCache } from 'node:module';
import type { App } from '../app.ts';
import { type Config, parseConfig, processEnvironment } from '../config.ts';
import { openConfiguredStore, storeUrl } from '../configured-store.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { version } from '../version.ts';
import { noteServing } from './serving.ts';

export const serveHelp = `Serve the API until SIGTERM or SIGINT (Ctrl-C).

Usage:
  npm start
  grs serve

Settings come from environment variables; see “grs config --help”. On SIGTERM, requests in flight are answered, then
the process ends with exit code 0, within 10 seconds at the default settings; a second signal ends it at once.

Example: on port 9000 of all interfaces, with a line for each request
  PORT=9000 HOST=0.0.0.0 LOG_LEVEL=debug grs serve

Exit codes: 0 ended in order, 70 the store or the disk is not usable, 78 a setting is not usable.`;

const exitFault = 70;

/** What a person sees on the terminal after the start; logs go to standard output, this to standard error. */
function banner(config: Config, app: App, address: string): string {
  const { admin } = app;
  const store = storeUrl(config).startsWith('sqlite:')
    ? `${config.dataDir} (embedded SQLite)`
    : 'the configured database';
  const credentials = admin.secret === undefined ? undefined : `${admin.clientId}:${admin.secret}`;
  const shown = credentials ?? `<client id>:<secret>`;
  const lines = [
    `Generic Resource Service ${version}`,
    '',
    `  Address       ${address}`,
    `  API docs      ${address}/docs`,
    `  Data          ${store}`,
    `  Admin client  ${admin.clientId}${admin.file === undefined ? ' (from the settings)' : `, kept in ${admin.file}`}`,
    ...(admin.secret === undefined ? [] : [`  Admin secret  ${admin.secret}   (shown this once)`]),
    '',
    'Get a token that may do everything in the project my-shop:',
    `  curl -u '${shown}' -d 'grant_type=client_credentials&scope=manage_project:my-shop' ${address}/oauth/token`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** Ends the process in order on a signal or a fault; the first reason decides the exit code. */
function endInOrder(app: App, log: Log, deadlineMs: number): (reason: string, exitCode: number) => void {
  let ending = false;
  return (reason, exitCode) => {
    if (ending) process.exit(exitCode === 0 ? 1 : exitCode);
    ending = true;
    log.write(exitCode === 0 ? 'info' : 'fatal', 'ending', { reason });
    // Whatever hangs, the process ends.
    setTimeout(() => process.exit(exitFault), deadlineMs).unref();
    app.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.write('fatal', 'ending-failed', { error });
        process.exit(exitFault);
      },
    );
  };
}

/** Runs `grs serve`. Resolves when the process is about to end. */
export async function serve(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.log(serveHelp);
    return args[0] === '--help' || args[0] === '-h' ? 0 : 2;
  }
  const config = parseConfig(processEnvironment());
  const log = createLog({ level: config.logLevel, stream: process.stdout, nowMs: Date.now });
  const metrics = createMetrics();
  let end: ((reason: string, exitCode: number) => void) | undefined;
  const onFatal = (message: string) => (end ? end(message, exitFault) : process.exit(exitFault));
  // The store's thread starts and looks at its files while this one loads the rest of the service.
  const store = openConfiguredStore(config, { log, metrics, onFatal }, 'exclusive');
  store.catch(() => {});
  const { createApp } = await import('../app.ts');
  const app = await createApp(config, { log, metrics, onFatal, store });
  end = endInOrder(app, log, config.drainTimeoutMs + 1900);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end?.(signal, 0));
  process.on('uncaughtException', (error) => {
    log.write('fatal', 'uncaught', { error });
    end?.('uncaught exception', exitFault);
  });
  const address = await app.server.listen().catch(async (error: unknown) => {
    // The threads of the store would keep the process alive.
    await app.close();
    throw error;
  });
  process.once('exit', noteServing(config, { address, issuer: app.tokens.issuer }));
  log.write('info', 'listening', { address, version, node: process.version, pid: process.pid });
  process.stderr.write(banner(config, app, address));
  setImmediate(flushCompileCache);
  return new Promise(() => {});
}
