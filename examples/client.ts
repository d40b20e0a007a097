/**
 * A small client that needs only fetch: it renews its token, and retries an update when another writer was first. Run it
 * in the folder where the service was started: `npx node examples/client.ts`.
 */
import { administrator, ready } from './service.ts';

interface Resource {
  readonly id: string;
  readonly version: number;
  readonly stock?: number;
  readonly [field: string]: unknown;
}

interface Failure {
  readonly message: string;
  readonly errors: readonly { readonly code: string; readonly message: string; readonly currentVersion?: number }[];
}

class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, { message, errors }: Failure) {
    super(message);
    this.status = status;
    this.code = errors[0]?.code ?? 'Unknown';
  }
}

const base = await ready();
const project = 'client-example';
const credentials = administrator();

let token = { text: '', goodUntilMs: 0 };

async function accessToken(): Promise<string> {
  if (Date.now() < token.goodUntilMs) return token.text;
  const response = await fetch(`${base}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(credentials)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: `manage_test:${project}` }),
  });
  const body = await response.json();
  if (!response.ok) throw new ApiError(response.status, body as Failure);
  const { access_token, expires_in } = body as { access_token: string; expires_in: number };
  // Renewed five minutes before it expires, so that it is still valid when a request arrives.
  token = { text: access_token, goodUntilMs: Date.now() + (expires_in - 300) * 1000 };
  return token.text;
}

async function call(method: string, path: string, draft?: unknown): Promise<Resource> {
  const response = await fetch(`${base}/${project}/resource${path}`, {
    method,
    headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
    ...(draft === undefined ? {} : { body: JSON.stringify(draft) }),
  });
  const body = await response.json();
  if (!response.ok) throw new ApiError(response.status, body as Failure);
  return body as Resource;
}

/** Takes one item from the stock, however many other buyers do so at the same time. */
async function takeOne(id: string): Promise<Resource> {
  for (;;) {
    const { version, stock = 0 } = await call('GET', `/${id}`);
    const action = { action: 'setField', path: 'stock', value: stock - 1 };
    try {
      return await call('POST', `/${id}`, { version, actions: [action] });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'ConcurrentModification')) throw error;
    }
  }
}

const { id } = await call('POST', '', { name: { en: 'Lamp' }, stock: 20 });
await Promise.all(Array.from({ length: 10 }, () => takeOne(id)));
const { stock, version } = await call('GET', `/${id}`);
console.log(`10 buyers at once: stock ${stock}, version ${version}`);
await call('DELETE', `/${id}`);
