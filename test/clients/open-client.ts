import { after } from 'node:test';
import { type Client, type ClientOptions, createClient } from '../../packages/client/src/index.ts';
import { startTestApi } from '../start-test-api.ts';

/** What is to happen to a request, instead of sending it, after it, or not at all. */
export type Interference = (url: string, init: RequestInit, send: typeof fetch) => Promise<Response> | undefined;

/** A service for a test file, and clients of it whose requests are counted and can be interfered with. */
export async function openClients() {
  const api = await startTestApi();
  after(() => api.close());
  const baseUrl = await api.listen();

  function open(
    interfere: Interference = () => undefined,
    options: Partial<ClientOptions> = {},
  ): { readonly client: Client; readonly urls: string[] } {
    const urls: string[] = [];
    const client = createClient({
      baseUrl,
      projectKey: 'shop',
      credentials: {
        clientId: 'test-admin',
        clientSecret: 'a secret for tests only',
        scope: `manage_project:${options.projectKey ?? 'shop'}`,
      },
      fetch(input, init = {}) {
        const url = String(input).slice(baseUrl.length);
        urls.push(`${init.method} ${url}`);
        return interfere(url, init, fetch) ?? fetch(input, init);
      },
      ...options,
    });
    return { client, urls };
  }

  return { api, baseUrl, open };
}

/** A response that says that nothing was done. */
export function refusal(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = { statusCode: status, message: code, errors: [{ code, message: code }] };
  return new Response(JSON.stringify(body), { status, headers });
}
