import { readFileSync } from 'node:fs';
import { type Client, createClient, ServiceError, type StreamCall } from '#client';
import { UsageError } from './command.ts';

export const remoteOptions = {
  url: { type: 'string' },
  token: { type: 'string' },
  client: { type: 'string' },
} as const;

interface Values {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly client?: string | undefined;
}

/** For the help of a command. */
export const remoteHelp = `  --url <base URL>    the address of the service: what stands before the project key
  --client <client>   id and secret with a colon between them, or a JSON file with clientId and clientSecret
  --token <token>     an access token instead; the command ends when it expires`;

/** The address that an option has. Throws `UsageError`. */
export function httpUrl(option: string, text = ''): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError(`${option}: expected an address such as http://127.0.0.1:8080`);
}

/** The address of a service, without a slash at the end. Throws `UsageError`. */
export const baseUrlOf = (url: string | undefined): string => httpUrl('--url', url).replace(/\/+$/, '');

/** The id and secret of `--client`: as given, with a colon between them, or from a JSON file with both. */
export function credentialsOf(client: string) {
  const colon = client.indexOf(':');
  if (colon < 0) return readClient(client);
  return { clientId: client.slice(0, colon), clientSecret: client.slice(colon + 1) };
}

function readClient(file: string) {
  let found: Readonly<Record<string, unknown>> | null;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--client ${file}: ${(error as Error).message}`);
  }
  // The API names them id and secret in the client that it creates.
  const [clientId, clientSecret] = [found?.clientId ?? found?.id, found?.clientSecret ?? found?.secret];
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string') {
    throw new UsageError(`--client ${file}: expected a JSON object with clientId and clientSecret`);
  }
  return { clientId, clientSecret };
}

/** The project of a running service, as the options of a command name it. Throws `UsageError`. */
export function openRemote(
  { url, token, client }: Values,
  projectKey: string,
  scope: 'manage_test' | 'view_test',
  fetchOf = fetch,
): Client {
  const service = { baseUrl: baseUrlOf(url), projectKey, fetch: fetchOf };
  if ((token === undefined) === (client === undefined))
    throw new UsageError('expected --client or --token, one of them');
  if (token !== undefined) return createClient({ ...service, token: () => token });
  const credentials = { ...credentialsOf(client!), scope: `${scope}:${projectKey}` };
  return createClient({ ...service, credentials });
}

/** The service cannot be reached, or has refused the request or a token. The message of a refusal begins with its status. */
export class RemoteError extends Error {}

/** Sends a request. Resolves to the body of the response, as it arrives. Both throw `RemoteError`. */
export async function sendTo(client: Client, call: StreamCall): Promise<AsyncGenerator<Uint8Array>> {
  return bytesOf(await client.stream(call).catch(refuse));
}

async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw new RemoteError('The connection was lost.');
  }
}

function refuse(error: unknown): never {
  if (error instanceof ServiceError && error.status > 0)
    throw new RemoteError(`${error.status}: ${error.errors[0]?.detailedErrorMessage ?? error.message}`);
  let reason = error as Error;
  while (reason.cause instanceof Error) reason = reason.cause;
  throw new RemoteError(reason.message || String((reason as NodeJS.ErrnoException).code));
}
