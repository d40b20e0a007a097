import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { grantToken } from '#conformance';
import { UsageError } from './command.ts';

export type Remote = ReturnType<typeof readRemote>;

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

/** The id and secret of `--client`, with a colon between them: as given, or from a JSON file with both. */
export function credentialsOf(client: string): string {
  return client.includes(':') ? client : readClient(client);
}

function readClient(file: string): string {
  let found: Readonly<Record<string, unknown>> | null;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--client ${file}: ${(error as Error).message}`);
  }
  // The API names them id and secret in the client that it creates.
  const [id, secret] = [found?.clientId ?? found?.id, found?.clientSecret ?? found?.secret];
  if (typeof id !== 'string' || typeof secret !== 'string') {
    throw new UsageError(`--client ${file}: expected a JSON object with clientId and clientSecret`);
  }
  return `${id}:${secret}`;
}

/** A running service, as the options of a command name it. Throws `UsageError`. */
export function readRemote({ url, token, client }: Values, scope: string) {
  const baseUrl = baseUrlOf(url);
  if ((token === undefined) === (client === undefined))
    throw new UsageError('expected --client or --token, one of them');
  const credentials = client === undefined ? '' : credentialsOf(client);
  const colon = credentials.indexOf(':');
  const [clientId, clientSecret] = [credentials.slice(0, colon), credentials.slice(colon + 1)];
  let granted: Promise<string> | undefined;
  let grantedMs = 0;
  async function grant(): Promise<string> {
    if (granted === undefined || Date.now() - grantedMs > renewedMs) {
      grantedMs = Date.now();
      granted = grantToken(baseUrl, credentials, scope);
      granted.catch(() => {
        granted = undefined;
      });
    }
    return granted;
  }
  return {
    baseUrl,
    /** A token of the scope: the one that was given, or one of the last minutes. Throws `NoToken`. */
    token: async () => token ?? grant(),
    /** The same for the client package. */
    access: token === undefined ? { credentials: { clientId, clientSecret, scope } } : { token: () => token },
  };
}

/** Every token lives longer. */
const renewedMs = 240_000;

/** The service cannot be reached, or has refused the request. */
export class RemoteError extends Error {}

/**
 * Sends a request. Resolves with the head of the response. Throws `RemoteError` for a status other
 * than 200 and where the service cannot be reached.
 */
export async function sendTo(address: string, options: RequestOptions, body?: Uint8Array): Promise<IncomingMessage> {
  const { request } = address.startsWith('https:')
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http');
  const sent = request(address, options);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.once('response', resolve);
  sent.on('error', (error) => reject(new RemoteError(`${new URL(address).origin}: ${error.message || String(error)}`)));
  sent.end(body);
  const response = await promise;
  if (response.statusCode === 200) return response;
  let text = '';
  for await (const chunk of response) text += chunk;
  sent.destroy();
  throw new RemoteError(`${response.statusCode}: ${messageOf(text)}`);
}

function messageOf(text: string): string {
  try {
    const { message, errors } = JSON.parse(text);
    return errors?.[0]?.detailedErrorMessage ?? message ?? text;
  } catch {
    return text.slice(0, 300);
  }
}
