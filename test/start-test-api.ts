import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { InjectOptions, Response } from 'light-my-request';
import { type App, type AppOptions, createApp } from '../src/app.ts';
import { parseConfig } from '../src/config/parse.ts';
import type { FixedLimits } from '../src/config/settings.ts';
import { type Log, noLog } from '../src/telemetry/log.ts';
import { inject } from './inject.ts';

/** A response of the service in a test. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body parsed as JSON; undefined for an empty one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of any shape.
  readonly json: any;
}

export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON; a text or bytes as they are. */
  readonly body?: unknown;
  /** Scopes of the token that is sent; `none` sends none. Default: manage_project of the path's project. */
  readonly scope?: string | 'none';
}

/** The whole service on a store of its own: a real SQLite file, no mocks. Close it when the tests are over. */
export interface TestApi {
  readonly app: App;
  readonly dataDir: string;
  /** Through the service without a socket. */
  call(request: TestRequest): Promise<TestResponse>;
  token(scope: string): Promise<string>;
  /** Listens on a free port. Returns the base address. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Settings of a test that is about the embedded database, also where the others run on PostgreSQL. */
export const onEmbedded = { DATABASE_URL: '' } as const;

const admin = { ADMIN_CLIENT_ID: 'test-admin', ADMIN_CLIENT_SECRET: 'a secret for tests only' };

/** How often a request is sent to a service on PostgreSQL that responds that it cannot serve it now. */
const mostTries = 30;

function encodeBody(body: unknown, headers: Record<string, string>): string | Buffer | undefined {
  if (body === undefined) return undefined;
  headers['content-type'] ??= 'application/json';
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * With TEST_API_ON_POSTGRES the store is a schema of its own on PostgreSQL, as `startTestPostgres` makes it, unless a test
 * has a store in mind.
 */
export async function ownPostgres(environment: Readonly<Record<string, string>>) {
  const isMeant = 'DATABASE_URL' in environment || 'DATA_DIR' in environment;
  if (process.env.TEST_API_ON_POSTGRES === undefined || isMeant) return undefined;
  const { startTestPostgres } = await import('./storage/postgres/start-test-postgres.ts');
  return startTestPostgres();
}

/** Starts the service for a test file. `environment` adds to the settings, `options` to what a service is made of. */
export async function startTestApi(
  environment: Readonly<Record<string, string>> = {},
  log: Log = noLog,
  options: AppOptions = {},
  fixedLimits: Partial<FixedLimits> = {},
): Promise<TestApi> {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-api-'));
  // A machine that stands still for a moment must not be what refuses a request.
  const limits = { TOKEN_RATE_PER_SECOND: '0', SHED_DELAY_MS: '0', QUERY_TIMEOUT_MS: '60000' };
  const postgres = await ownPostgres(environment);
  const store = postgres && { DATABASE_URL: postgres.url };
  const settings = { DATA_DIR: dataDir, PORT: '0', ...limits, ...admin, ...store, ...environment };
  const config = { ...parseConfig(settings), ...fixedLimits };
  const app = await createApp(config, { log, ...options });
  const tokens = new Map<string, Promise<string>>();

  /** As clients do: on a busy machine, a connection or the mirror may come later than the service waits for it. */
  async function send(request: InjectOptions): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      const response = await inject(app.server, request);
      const seconds = Number(response.headers['retry-after']);
      if (!postgres || response.statusCode !== 503 || !(seconds > 0) || tries === mostTries) return response;
      await pause(seconds * 1000);
    }
  }

  async function issue(scope: string): Promise<string> {
    const authorization = `Basic ${Buffer.from(`${admin.ADMIN_CLIENT_ID}:${admin.ADMIN_CLIENT_SECRET}`).toString('base64')}`;
    const response = await send({
      ...{ method: 'POST', url: '/oauth/token', headers: { authorization } },
      ...{ query: { grant_type: 'client_credentials', scope } },
    });
    const { access_token } = response.json() as { access_token?: string };
    if (!access_token) throw new Error(`no token for ${scope}: ${response.body}`);
    return access_token;
  }

  function token(scope: string): Promise<string> {
    const known = tokens.get(scope) ?? issue(scope);
    tokens.set(scope, known);
    return known;
  }

  async function call({ method = 'GET', path, headers = {}, body, scope }: TestRequest): Promise<TestResponse> {
    const sent: Record<string, string> = { ...headers };
    const wanted = scope ?? `manage_project:${path.split(/[/?]/)[1]}`;
    if (wanted !== 'none') sent.authorization ??= `Bearer ${await token(wanted)}`;
    const payload = encodeBody(body, sent);
    const response = await send({
      ...{ method: method as 'GET', url: path, headers: sent },
      ...(payload === undefined ? {} : { payload }),
    });
    const { statusCode: status, body: text } = response;
    return { status, headers: response.headers as TestResponse['headers'], text, json: parseBody(text) };
  }

  return {
    ...{ app, dataDir, call, token },
    listen: () => app.server.listen(),
    async close() {
      await app.close();
      await postgres?.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
