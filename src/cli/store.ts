import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { World } from '../app.ts';
import { adminClientFile, ensureAdminClient, withAdminClient } from '../auth/admin.ts';
import type { TokenService } from '../auth/tokens.ts';
import { processEnvironment } from '../config/environment.ts';
import { parseConfig } from '../config/parse.ts';
import type { Config } from '../config/settings.ts';
import { locateStore, openConfiguredStore } from '../configured-store.ts';
import { isProjectKey } from '../contract/scopes.ts';
import type { ClientStore } from '../domain/ports/client-store.ts';
import type { Store } from '../domain/ports/store.ts';
import type { StoreOptions } from '../record/engine.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { UsageError } from './command.ts';
import { readServing } from './serving-file.ts';
import { unknownVariables } from './unknown-variables.ts';

/** The project key of `--project`. */
export function projectOf(project: string | undefined): string {
  if (project === undefined) throw new UsageError('--project is missing, for example --project my-shop');
  if (!isProjectKey(project)) {
    throw new UsageError(`--project: expected 1 to 64 letters, digits, - or _, not “${project}”`);
  }
  return project;
}

/** The settings of this process. */
export function readConfig(): Config {
  return parseConfig(processEnvironment());
}

/** Says which variables of this process are probably misspelled settings. */
export function warnOfUnknownVariables(to: Log): void {
  for (const { variable, meant } of unknownVariables(processEnvironment())) {
    to.write('warn', 'unknown-variable', { variable, note: `Unknown setting ${variable}. Did you mean ${meant}?` });
  }
}

/** The settings, for a command that needs an existing store. */
export function readConfigOfStore(): Config {
  const config = readConfig();
  const { address, engine } = locateStore(config);
  if (engine.isMissing(address)) {
    throw new UsageError(
      `there is no store at ${engine.describe(address)}; set DATA_DIR to the folder of the service, or DATABASE_URL, or start the service first, which makes the store`,
    );
  }
  return config;
}

const log = createLog({ level: 'warn', stream: process.stderr, nowMs: Date.now });

/** Opens the store, runs the work, and closes it, whether the work succeeds or not. */
export async function withStore<T>(
  config: Config,
  access: StoreOptions['access'],
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const onFatal = (message: string) => console.error(`The disk failed: ${message}`);
  const store = await openConfiguredStore(config, { log, metrics: createMetrics(), onFatal }, access);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The parts of the service that commands for clients and tokens use. */
export interface Accounts {
  /** Including the administrator's client. */
  readonly clients: ClientStore;
  /** Not started. */
  readonly tokens: TokenService;
  readonly adminClientId: string;
  readonly world: World;
}

/** Opens the clients of an existing store for a command that only reads. Neither a store nor an administrator is made. */
export function withClients(work: (clients: ClientStore) => Promise<number>): Promise<number> {
  return withStore(readConfigOfStore(), 'shared', ({ clients }) => work(clients));
}

/** A command in the wrong folder must not make an administrator there: the service makes its own at its first start. */
function refuseMissingAdministrator({ dataDir, adminClientId }: Config): void {
  if (adminClientId !== undefined || existsSync(join(dataDir, adminClientFile))) return;
  throw new UsageError(
    `DATA_DIR ${resolve(dataDir)} has no ${adminClientFile}; set DATA_DIR to the folder of the service, or start the service first, which makes the file`,
  );
}

/** Opens the clients and tokens of the store, beside a service that may be running, and runs the work. */
export async function withAccounts(work: (accounts: Accounts) => Promise<number>): Promise<number> {
  const given = readConfigOfStore();
  refuseMissingAdministrator(given);
  // A token is valid only for its issuer: that of the service running on this folder, whatever its port.
  const issuer = given.issuer ?? readServing(given)?.issuer;
  const config = issuer === undefined ? given : { ...given, issuer };
  const { processWorld } = await import('../app.ts');
  const { createOutside, createTokens } = await import('../configured-auth.ts');
  const world = processWorld();
  return withStore(config, 'shared', async (store) => {
    const admin = await ensureAdminClient({ ...config, nowMs: world.nowMs });
    const clients = withAdminClient(store.clients, admin.client);
    const tokens = createTokens(config, { clients, ...world, log, outside: createOutside(config, world.nowMs) });
    return work({ clients, tokens, adminClientId: admin.clientId, world });
  });
}
