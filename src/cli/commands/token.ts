import { parseArgs } from 'node:util';
import { grantScopes } from '../../auth/scopes.ts';
import type { TokenService } from '../../auth/tokens.ts';
import { isProjectKey } from '../../contract/scopes.ts';
import type { ClientStore } from '../../domain/ports/client-store.ts';
import { answerUsage, UsageError } from '../usage.ts';

interface TokenCommandDeps {
  /** With the administrator's client among them. */
  readonly clients: ClientStore;
  /** Started. */
  readonly tokens: TokenService;
  readonly adminClientId: string;
  /** Writes one line to standard output. */
  readonly print: (line: string) => void;
  /** Writes one line to standard error, so that it stays out of `$(grs token …)`. */
  readonly printError: (line: string) => void;
}

export const tokenHelp = `Print an access token, to try the API from a shell of the machine that runs the service.

Usage:
  grs token --project <key> [--scope <name>] [--scope <name>]   as the administrator; default scope: manage_project
  grs token --client <client id> [--scope <scope>]              as a client; default: all its scopes

Example: list the resources of the project my-shop
  TOKEN=$(grs token --project my-shop)
  curl -H "Authorization: Bearer $TOKEN" "$BASE/my-shop/resource"

Programs should not use this command, but get tokens from POST /oauth/token with their own client id and secret
(see grs client --help).`;

const options = {
  project: { type: 'string' },
  client: { type: 'string' },
  scope: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** The client that the token is for, and the scope text to ask for. */
function demand(
  { project, client, scope }: Values,
  adminClientId: string,
): { id: string; scopeText: string | undefined } {
  const given = scope?.flatMap((text) => text.split(' ')).filter((text) => text !== '');
  if (client !== undefined && project === undefined) return { id: client, scopeText: given?.join(' ') };
  if (project === undefined || client !== undefined) {
    throw new UsageError('give either --project or --client, for example --project my-shop');
  }
  if (!isProjectKey(project))
    throw new UsageError(`--project: 1 to 64 letters, digits, - or _ expected, not “${project}”`);
  const scopes = (given ?? ['manage_project']).map((text) => (text.includes(':') ? text : `${text}:${project}`));
  return { id: adminClientId, scopeText: scopes.join(' ') };
}

async function run(args: readonly string[], deps: TokenCommandDeps): Promise<void> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help || args.length === 0) return deps.print(tokenHelp);
  const { id, scopeText } = demand(values, deps.adminClientId);
  const client = await deps.clients.getClient(id);
  if (!client) throw new UsageError(`there is no client with the id ${id}`);
  deps.print((await deps.tokens.issue(client, grantScopes(client, scopeText))).accessToken);
}

/** Runs `grs token …`; answers the exit code: 0, or 2 for wrong arguments. */
export async function runTokenCommand(args: readonly string[], deps: TokenCommandDeps): Promise<number> {
  return answerUsage('grs token', deps.printError, () => run(args, deps));
}
