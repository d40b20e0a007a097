import { parseArgs } from 'node:util';
import {
  createApiClient,
  createPublishableClient,
  parseClientDraft,
  parseClientScope,
  viewApiClient,
} from '../../auth/clients/api-clients.ts';
import { tokensOutliveMs } from '../../auth/token.ts';
import { scopeNames, scopeTable } from '../../contract/scopes.ts';
import type { ClientStore } from '../../domain/ports/client-store.ts';
import { UsageError } from '../command.ts';
import { projectOf, withAccounts, withClients } from '../store.ts';

interface ClientDeps {
  readonly clients: ClientStore;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Writes one line to standard output. */
  readonly print: (line: string) => void;
}

const width = Math.max(...scopeNames.map((name) => name.length));

export const help = `Manage API clients: the id and secret with which a program gets its access tokens.

Usage:
  npx grs client create --project <key> --name <text> --scope <scope> [--scope <scope>] [--json]
  npx grs client create --project <key> --name <text> --publishable [--origin <origin>] [--json]
  npx grs client list   --project <key> [--json]
  npx grs client delete <client id>

Example: a client that reads and writes the resources of the project my-shop
  npx grs client create --project my-shop --name "Shop front" --scope manage_test

Scopes:
${scopeNames.map((name) => `  ${name.padEnd(width)}  ${scopeTable[name].meaning}`).join('\n')}

With --publishable the client has no secret, but a key that pages of the origins send as bearer token; it reads what is published.
A project needs no set-up: it exists as soon as a client has a scope for it. create shows the secret once.
With --json it prints what --client of other commands and the credentials of the JavaScript client take.
delete also revokes the client's tokens; a running service refuses them within a second.`;

export const needsArguments = true;

const options = {
  project: { type: 'string' },
  name: { type: 'string' },
  scope: { type: 'string', multiple: true },
  publishable: { type: 'boolean' },
  origin: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>['values'];

async function create(values: Values, deps: ClientDeps): Promise<void> {
  const projectKey = projectOf(values.project);
  const name = values.name?.trim();
  if (!name) throw new UsageError('--name is missing, for example --name "Shop front"');
  if (values.publishable) return createPublishable(values, name, projectKey, deps);
  if (values.origin) throw new UsageError('--origin is for clients with a key; add --publishable');
  if (!values.scope) throw new UsageError('--scope is missing, for example --scope view_test');
  // --scope a --scope b is the same as --scope "a b".
  const texts = values.scope.flatMap((text) => text.split(' ')).filter((text) => text !== '');
  const scopes = [...new Set(texts.map((text) => parseClientScope(text, projectKey)))];
  if (scopes.length === 0) throw new UsageError('--scope is empty, for example --scope view_test');
  const { client, secret } = await createApiClient(deps, projectKey, { name, scopes });
  if (values.json) {
    const { id: clientId, ...view } = viewApiClient(client, deps.nowMs());
    return deps.print(JSON.stringify({ clientId, clientSecret: secret, ...view }));
  }
  deps.print(`Client id:      ${client.id}`);
  deps.print(`Client secret:  ${secret}   (shown only once)`);
  deps.print(`Scopes:         ${client.scopes.join(' ')}`);
  deps.print('');
  deps.print('Get a token, where BASE is the address of the service:');
  deps.print(`  curl -u "${client.id}:${secret}" -d grant_type=client_credentials "$BASE/oauth/token"`);
}

async function createPublishable(values: Values, name: string, projectKey: string, deps: ClientDeps): Promise<void> {
  const { scope: scopes, origin: origins } = values;
  const draft = { name, publishable: true, ...(scopes && { scopes }), ...(origins && { origins }) };
  const client = await createPublishableClient(deps, projectKey, parseClientDraft(draft, projectKey));
  const view = viewApiClient(client, deps.nowMs());
  if (values.json) return deps.print(JSON.stringify(view));
  deps.print(`Client id:        ${client.id}`);
  deps.print(`Publishable key:  ${client.publishable!.key}`);
  deps.print(
    `Origins:          ${client.publishable!.origins.join(' ') || 'none: no page of another origin may use the key'}`,
  );
}

async function list(values: Values, { clients, nowMs, print }: ClientDeps): Promise<void> {
  const projectKey = projectOf(values.project);
  const pageSize = 500;
  let found = 0;
  let after: string | undefined;
  do {
    const page = await clients.listClients(projectKey, pageSize, after);
    for (const client of page.map((each) => viewApiClient(each, nowMs()))) {
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
    print(`The project ${projectKey} has no API clients. To create one, see npx grs client create --help`);
}

async function remove(id: string | undefined, { clients, nowMs, print }: ClientDeps): Promise<void> {
  if (id === undefined) throw new UsageError('the client id is missing: grs client delete <client id>');
  const revokedAtMs = nowMs();
  const revocation = { kind: 'client', subject: id, revokedAtMs, expiresAtMs: revokedAtMs + tokensOutliveMs } as const;
  if (!(await clients.deleteClient(id, revocation))) throw new UsageError(`there is no client with the id ${id}`);
  print(`Deleted ${id}. Its tokens are revoked.`);
}

/** A list needs no id. */
const reader: Pick<ClientDeps, 'nowMs' | 'newId'> = { nowMs: Date.now, newId: () => '' };

/** Runs `grs client`. */
export function run(args: readonly string[]): Promise<number> {
  // It never writes: not even the store and the administrator's client of a first start.
  if (args[0] === 'list') {
    return withClients((clients) => runClient(args, { clients, ...reader, print: console.log }));
  }
  return withAccounts(({ clients, world }) => runClient(args, { clients, ...world, print: console.log }));
}

/** Runs `grs client` on an open store. Returns the exit code. */
export async function runClient(args: readonly string[], deps: ClientDeps): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, id, ...rest] = positionals;
  const surplus = command === 'delete' ? rest[0] : id;
  if (surplus !== undefined) throw new UsageError(`“${surplus}” is one argument too many; quote texts with spaces`);
  if (command === 'create') await create(values, deps);
  else if (command === 'list') await list(values, deps);
  else if (command === 'delete') await remove(id, deps);
  else throw new UsageError(`unknown command “${command ?? ''}”; the commands are create, list and delete`);
  return 0;
}
