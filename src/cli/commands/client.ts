import { parseArgs } from 'node:util';
import { createApiClient, parseClientScope, viewApiClient } from '../../auth/api-clients.ts';
import { tokensOutliveMs } from '../../auth/token.ts';
import { isProjectKey, scopeNames, scopeTable } from '../../contract/scopes.ts';
import type { ClientStore } from '../../domain/ports/client-store.ts';
import { answerUsage, UsageError } from '../usage.ts';

interface ClientCommandDeps {
  readonly clients: ClientStore;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Writes one line to standard output. */
  readonly print: (line: string) => void;
  /** Writes one line to standard error. */
  readonly printError: (line: string) => void;
}

const width = Math.max(...scopeNames.map((name) => name.length));

export const clientHelp = `Manage API clients: the id and secret with which a program gets its access tokens.

Usage:
  grs client create --project <key> --name <text> --scope <scope> [--scope <scope>] [--json]
  grs client list   --project <key> [--json]
  grs client delete <client id>

Example: a client that reads and writes the resources of the project my-shop
  grs client create --project my-shop --name "Shop front" --scope manage_test

Scopes:
${scopeNames.map((name) => `  ${name.padEnd(width)}  ${scopeTable[name].meaning}`).join('\n')}

A project needs no set-up: it exists as soon as a client has a scope for it. The secret is shown once, by create.
delete also ends the client's tokens; a running service learns of it within a second.`;

const options = {
  project: { type: 'string' },
  name: { type: 'string' },
  scope: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>['values'];

function projectOf({ project }: Values): string {
  if (project === undefined) throw new UsageError('--project is missing, for example --project my-shop');
  if (!isProjectKey(project))
    throw new UsageError(`--project: 1 to 64 letters, digits, - or _ expected, not “${project}”`);
  return project;
}

async function create(values: Values, deps: ClientCommandDeps): Promise<void> {
  const projectKey = projectOf(values);
  const name = values.name?.trim();
  if (!name) throw new UsageError('--name is missing, for example --name "Shop front"');
  if (!values.scope) throw new UsageError('--scope is missing, for example --scope view_test');
  // Both --scope a --scope b and --scope "a b" say the same.
  const texts = values.scope.flatMap((text) => text.split(' ')).filter((text) => text !== '');
  const scopes = [...new Set(texts.map((text) => parseClientScope(text, projectKey)))];
  if (scopes.length === 0) throw new UsageError('--scope is empty, for example --scope view_test');
  const { client, secret } = await createApiClient(deps, projectKey, { name, scopes });
  if (values.json) return deps.print(JSON.stringify({ ...viewApiClient(client), secret }));
  deps.print(`Client id:      ${client.id}`);
  deps.print(`Client secret:  ${secret}   (shown only now)`);
  deps.print(`Scopes:         ${client.scopes.join(' ')}`);
  deps.print('');
  deps.print('Get a token with them, where BASE is the address of the service:');
  deps.print(`  curl -u "${client.id}:${secret}" -d grant_type=client_credentials "$BASE/oauth/token"`);
}

async function list(values: Values, { clients, print }: ClientCommandDeps): Promise<void> {
  const projectKey = projectOf(values);
  const pageSize = 500;
  let found = 0;
  let after: string | undefined;
  do {
    const page = await clients.listClients(projectKey, pageSize, after);
    for (const client of page.map(viewApiClient)) {
      print(
        values.json
          ? JSON.stringify(client)
          : `${client.id}  ${client.createdAt}  ${client.scopes.join(' ')}  ${client.name}`,
      );
    }
    found += page.length;
    after = page.length === pageSize ? page.at(-1)!.id : undefined;
  } while (after !== undefined);
  if (found === 0 && !values.json)
    print(`The project ${projectKey} has no API clients. Make one: grs client create --help`);
}

async function remove(id: string | undefined, { clients, nowMs, print }: ClientCommandDeps): Promise<void> {
  if (id === undefined) throw new UsageError('the client id is missing: grs client delete <client id>');
  const revokedAtMs = nowMs();
  const revocation = { kind: 'client', subject: id, revokedAtMs, expiresAtMs: revokedAtMs + tokensOutliveMs } as const;
  if (!(await clients.deleteClient(id, revocation))) throw new UsageError(`there is no client with the id ${id}`);
  print(`Deleted ${id}. Its tokens are no longer good.`);
}

async function run(args: readonly string[], deps: ClientCommandDeps): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, id, ...rest] = positionals;
  if (values.help || command === undefined) return deps.print(clientHelp);
  const surplus = command === 'delete' ? rest[0] : id;
  if (surplus !== undefined) throw new UsageError(`“${surplus}” is one argument too many; quote texts with blanks`);
  if (command === 'create') return create(values, deps);
  if (command === 'list') return list(values, deps);
  if (command === 'delete') return remove(id, deps);
  throw new UsageError(`“${command}” is no command; there are create, list and delete`);
}

/** Runs `grs client …`; answers the exit code: 0, or 2 for wrong arguments. */
export async function runClientCommand(args: readonly string[], deps: ClientCommandDeps): Promise<number> {
  return answerUsage('grs client', deps.printError, () => run(args, deps));
}
