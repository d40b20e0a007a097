import type { IncomingMessage, RequestOptions } from 'node:http';
import { grantToken } from '../conformance/api.ts';
import { UsageError } from './command.ts';
import { credentialsOf } from './credentials.ts';

/** A running service, as the options of a command name it. */
export interface Remote {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** A token of the scope for the project: the one that was given, or a new one. Throws `NoToken`. */
  readonly token: () => Promise<string>;
}

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

/** Reads the options. Throws `UsageError`. */
export function readRemote({ url, token, client }: Values, scope: string): Remote {
  if (url === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError('--url: an address such as http://127.0.0.1:8080 expected');
  }
  const baseUrl = url.replace(/\/+$/, '');
  if ((token === undefined) === (client === undefined)) throw new UsageError('either --client or --token expected');
  const credentials = client === undefined ? '' : credentialsOf(client);
  return { baseUrl, token: async () => token ?? grantToken(baseUrl, credentials, scope) };
}

/** The service cannot be reached, or has refused the request. */
export class RemoteError extends Error {}

/**
 * Sends a request whose body is a stream. Resolves with the head of the response. Throws `RemoteError` for a status other
 * than 200 and where the service cannot be reached.
 */
export async function sendTo(
  address: string,
  options: RequestOptions,
  body?: AsyncIterable<Uint8Array>,
): Promise<IncomingMessage> {
  const { request } = address.startsWith('https:')
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http');
  const sent = request(address, options);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.once('response', resolve);
  sent.on('error', (error) => reject(new RemoteError(`${new URL(address).origin}: ${error.message || String(error)}`)));
  if (body) {
    // An early end of the response, or of the connection, ends the upload; why is said by the response.
    void write(sent, body).catch((error: unknown) => sent.destroy(error as Error));
  } else sent.end();
  const response = await promise;
  if (response.statusCode === 200) return response;
  let text = '';
  for await (const chunk of response) text += chunk;
  sent.destroy();
  throw new RemoteError(`${response.statusCode}: ${messageOf(text)}`);
}

async function write(sent: import('node:http').ClientRequest, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    if (sent.destroyed || sent.writableEnded) return;
    if (sent.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      const done = () => {
        sent.off('drain', done).off('close', done);
        resolve();
      };
      sent.once('drain', done).once('close', done);
    });
  }
  sent.end();
}

function messageOf(text: string): string {
  try {
    const { message, errors } = JSON.parse(text);
    return errors?.[0]?.detailedErrorMessage ?? message ?? text;
  } catch {
    return text.slice(0, 300);
  }
}
