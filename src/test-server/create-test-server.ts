import type lightMyRequest from 'light-my-request';
import type { InjectOptions } from 'light-my-request';
import type { App } from '../app.ts';
import { parseConfig } from '../config/parse.ts';
import { beginOpening } from '../configured-store.ts';
import { parseJsonWith } from '../contract/parse-json.ts';
import type { Store } from '../domain/ports/store.ts';
import { noLog } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { makeFolder } from './folder.ts';
import type { InjectedRequest, InjectedResponse, TestServer, TestServerOptions } from './types.ts';

const admin = { clientId: 'test-admin', clientSecret: 'a secret for tests only' };

/** What every test server has, unless its settings say something else. */
const defaults = {
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_CLIENT_ID: admin.clientId,
  ADMIN_CLIENT_SECRET: admin.clientSecret,
  // A machine that stands still for a moment must not be what refuses a request.
  TOKEN_RATE_PER_SECOND: '0',
  SHED_DELAY_MS: '0',
  QUERY_TIMEOUT_MS: '60000',
};

/**
 * Starts the service in this process, for tests of what is built on it. Throws if a setting is invalid or the store
 * cannot be opened.
 *
 *     await using server = await createTestServer();
 *     await fetch(`${server.url}/my-shop/resource`, { headers: { authorization: `Bearer ${await server.token(scope)}` } });
 */
export async function createTestServer({
  settings = {},
  dataDir,
  listen = true,
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = dataDir === undefined ? makeFolder() : { path: dataDir, remove: () => {} };
  let app: App | undefined;
  try {
    const config = parseConfig({ ...defaults, ...settings, DATA_DIR: folder.path });
    const parts = { log: noLog, metrics: createMetrics() };
    const { store } = await beginOpening(config, { ...parts, onFatal: () => {} });
    const createApp = await loadService(store);
    app = await createApp(config, { ...parts, store, warms: false });
    const address = listen ? await app.server.listen() : undefined;
    return wire(app, address, folder.remove);
  } catch (error) {
    await app?.close();
    folder.remove();
    throw error;
  }
}

/** Loads what is not needed to open a store. Where that fails, the store is closed. */
async function loadService(store: Promise<Store>) {
  try {
    return (await import('../app.ts')).createApp;
  } catch (error) {
    await store.then((opened) => opened.close()).catch(() => {});
    throw error;
  }
}

function wire(app: App, address: string | undefined, removeFolder: () => void): TestServer {
  const tokens = new Map<string, Promise<string>>();
  let closing: Promise<void> | undefined;

  async function issue(scope: string): Promise<string> {
    const credentials = Buffer.from(`${admin.clientId}:${admin.clientSecret}`).toString('base64');
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope });
    const { status, json, text } = await inject({
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    if (status !== 200) throw new Error(`No token for ${scope}: ${text}`);
    return json.access_token;
  }

  function token(scope: string): Promise<string> {
    const known = tokens.get(scope) ?? issue(scope);
    tokens.set(scope, known);
    known.catch(() => tokens.delete(scope));
    return known;
  }

  async function inject({ method = 'GET', path, headers, body, scope }: InjectedRequest): Promise<InjectedResponse> {
    const sent = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
    if (scope !== undefined) sent.authorization ??= `Bearer ${await token(scope)}`;
    if (body !== undefined) sent['content-type'] ??= 'application/json';
    const request = { method, url: path, headers: sent, ...payloadOf(body) };
    // Loaded when it is needed: tests that send all by the socket need it for nothing.
    const { default: send } = await import('light-my-request');
    const response = await send(app.server.handle as Parameters<typeof lightMyRequest>[0], request as InjectOptions);
    const text = response.body;
    return {
      status: response.statusCode,
      headers: response.headers as InjectedResponse['headers'],
      text,
      json: parseJson(text),
    };
  }

  function close(): Promise<void> {
    closing ??= app.close().finally(removeFolder);
    return closing;
  }

  return {
    get url() {
      if (address === undefined) throw new Error('This server does not listen: it was created with listen: false.');
      return address;
    },
    admin,
    token,
    inject,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function payloadOf(body: unknown): Pick<InjectOptions, 'payload'> {
  if (body === undefined) return {};
  if (typeof body === 'string') return { payload: body };
  return { payload: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body) };
}

function parseJson(text: string): unknown {
  try {
    return parseJsonWith((value) => value, text);
  } catch {
    return undefined;
  }
}
