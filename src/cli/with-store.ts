import { createTokens, describeApi, processWorld, type World } from '../app.ts';
import { ensureAdminClient, withAdminClient } from '../auth/admin.ts';
import type { TokenService } from '../auth/tokens.ts';
import { processEnvironment } from '../config/environment.ts';
import { parseConfig } from '../config/parse.ts';
import { openConfiguredStore } from '../configured-store.ts';
import type { ClientStore } from '../domain/ports/client-store.ts';
import { createLog } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { clientHelp, runClientCommand } from './commands/client.ts';
import { runDocsCommand } from './commands/docs.ts';
import { runTokenCommand, tokenHelp } from './commands/token.ts';
import { readServing } from './serving-file.ts';

interface Tools {
  readonly clients: ClientStore;
  readonly tokens: TokenService;
  readonly adminClientId: string;
  readonly world: World;
}

const print = (line: string) => console.log(line);
const printError = (line: string) => console.error(line);

/** Opens the store beside a service that may be running, does the work, and closes it. */
async function withTools(work: (tools: Tools) => Promise<number>): Promise<number> {
  const given = parseConfig(processEnvironment());
  // A token is good where its issuer is: that of the service which runs on this folder, whatever port it was given.
  const issuer = given.issuer ?? readServing(given)?.issuer;
  const config = issuer === undefined ? given : { ...given, issuer };
  const world = processWorld();
  const log = createLog({ level: 'warn', stream: process.stderr, nowMs: world.nowMs });
  const onFatal = (message: string) => printError(`The disk failed: ${message}`);
  const store = await openConfiguredStore(config, { log, metrics: createMetrics(), onFatal }, 'shared');
  try {
    const admin = await ensureAdminClient({ ...config, nowMs: world.nowMs });
    const clients = withAdminClient(store.clients, admin.client);
    const tokens = createTokens(config, clients, world, log);
    return await work({ clients, tokens, adminClientId: admin.clientId, world });
  } finally {
    await store.close();
  }
}

const asksForHelp = (args: readonly string[]) => args.length === 0 || args.includes('--help') || args.includes('-h');

/** Runs `grs client …`. */
export async function client(args: readonly string[]): Promise<number> {
  if (asksForHelp(args)) {
    print(clientHelp);
    return 0;
  }
  return withTools(({ clients, world }) => runClientCommand(args, { clients, ...world, print, printError }));
}

/** Runs `grs token …`. */
export async function token(args: readonly string[]): Promise<number> {
  if (asksForHelp(args)) {
    print(tokenHelp);
    return 0;
  }
  return withTools(async ({ clients, tokens, adminClientId }) => {
    await tokens.start();
    try {
      return await runTokenCommand(args, { clients, tokens, adminClientId, print, printError });
    } finally {
      tokens.close();
    }
  });
}

/** Runs `grs docs`. */
export function docs(args: readonly string[]): number {
  return runDocsCommand(args, { openApiText: describeApi(parseConfig({})), print });
}
