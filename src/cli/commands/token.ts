import { parseArgs } from 'node:util';
import { grantScopes } from '../../auth/scopes.ts';
import type { TokenService } from '../../auth/tokens.ts';
import type { ClientStore } from '../../domain/ports/client-store.ts';
import { UsageError } from '../command.ts';
import { projectOf, withAccounts } from '../store.ts';

interface TokenDeps {
  /** Including the administrator's client. */
  readonly clients: ClientStore;
  /** Started. */
  readonly tokens: TokenService;
  readonly adminClientId: string;
  /** Writes one line to standard output. */
  readonly print: (line: string) => void;
}

export const help = `Print an access token, to try the API in a shell on the machine that runs the service.

Usage:
  npx grs token --project <key> [--scope <name>] [--scope <name>]   as the administrator; default scope: manage_project
  npx grs token --client <client id> [--scope <scope>]              as a client; default: all its scopes

Example: list the resources of the project my-shop
  TOKEN=$(npx grs token --project my-shop)
  curl -H "Authorization: Bearer $TOKEN" "$BASE/my-shop/resource"

Programs should not use this command. They get tokens from POST /oauth/token with a client id and secret of their own
(see npx grs client --help).`;

export const needsArguments = true;

const options = {
  project: { type: 'string' },
  client: { type: 'string' },
  scope: { type: 'string', multiple: true },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** The client that the token is for, and the scopes to request. */
function tokenRequest(
  { project, client, scope }: Values,
  adminClientId: string,
): { id: string; scopeText: string | undefined } {
  const given = scope?.flatMap((text) => text.split(' ')).filter((text) => text !== '');
  if (client !== undefined && project === undefined) return { id: client, scopeText: given?.join(' ') };
  if (project === undefined || client !== undefined) {
    throw new UsageError('give either --project or --client, for example --project my-shop');
  }
  const key = projectOf(project);
  const scopes = (given ?? ['manage_project']).map((text) => (text.includes(':') ? text : `${text}:${key}`));
  return { id: adminClientId, scopeText: scopes.join(' ') };
}

/** Runs `grs token`. */
export function run(args: readonly string[]): Promise<number> {
  return withAccounts(async ({ clients, tokens, adminClientId }) => {
    await tokens.start();
    try {
      return await printToken(args, { clients, tokens, adminClientId, print: console.log });
    } finally {
      tokens.close();
    }
  });
}

/** Runs `grs token` with a token service. Returns the exit code. */
export async function printToken(args: readonly string[], deps: TokenDeps): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const { id, scopeText } = tokenRequest(values, deps.adminClientId);
  const client = await deps.clients.getClient(id);
  if (!client) throw new UsageError(`there is no client with the id ${id}`);
  deps.print((await deps.tokens.issue(client, grantScopes(client, scopeText))).accessToken);
  return 0;
}
