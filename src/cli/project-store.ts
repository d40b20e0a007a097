import { processEnvironment } from '../config/environment.ts';
import { parseConfig } from '../config/parse.ts';
import type { Config } from '../config/settings.ts';
import { locateStore, openConfiguredStore } from '../configured-store.ts';
import { isProjectKey } from '../contract/scopes.ts';
import type { Store } from '../domain/ports/store.ts';
import { createLog } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { answerUsage, UsageError } from './usage.ts';

/** What `grs export` and `grs import` share: the project they are told, and the store of the settings. */

/** The project of `--project`. */
export function projectOf(project: string | undefined): string {
  if (project === undefined) throw new UsageError('--project is missing, for example --project my-shop');
  if (!isProjectKey(project)) {
    throw new UsageError(`--project: 1 to 64 letters, digits, - or _ expected, not “${project}”`);
  }
  return project;
}

/** The settings, for a command that reads what must be there. */
export function settingsOfStore(): Config {
  const config = parseConfig(processEnvironment());
  const { address, engine } = locateStore(config);
  if (engine.isMissing(address)) {
    throw new UsageError(`there is no store at ${engine.describe(address)}; set DATA_DIR or DATABASE_URL`);
  }
  return config;
}

/** Opens the store, does the work, and closes it, however the work ended. */
export async function withStore<T>(
  config: Config,
  access: 'exclusive' | 'shared',
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const log = createLog({ level: 'warn', stream: process.stderr, nowMs: Date.now });
  const onFatal = (message: string) => console.error(`The disk failed: ${message}`);
  const store = await openConfiguredStore(config, { log, metrics: createMetrics(), onFatal }, access);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Runs a command that answers an exit code of its own; 2 after wrong arguments. */
export async function answerExitCode(command: string, run: () => Promise<number>): Promise<number> {
  let code = 0;
  const printError = (line: string) => console.error(line);
  const usage = await answerUsage(command, printError, async () => {
    code = await run();
  });
  return usage === 0 ? code : usage;
}
