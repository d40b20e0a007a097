import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/parse.ts';
import type { Config } from '../../src/config/settings.ts';
import { locateStore } from '../../src/configured-store.ts';
import { noLog } from '../../src/telemetry/log.ts';

export interface SmokeRequest {
  readonly project: string;
  readonly method?: string;
  /** Behind the project. */
  readonly path: string;
  readonly body?: unknown;
}

export interface SmokeAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: steps look into responses of any shape.
  readonly json: any;
}

export type SmokeFetch = (request: SmokeRequest) => Promise<SmokeAnswer>;

export interface SmokeService {
  /** What the names of its projects begin with, and those of no other projects. */
  readonly name: string;
  /** The database server, without credentials. */
  readonly server: string;
  readonly migrated: readonly { readonly version: number; readonly name: string }[];
  readonly request: SmokeFetch;
  close(): Promise<void>;
}

/** Brings the schema up to date and starts the whole service, on loopback and a free port. */
export async function startService(url: string): Promise<SmokeService> {
  const admin = { ADMIN_CLIENT_ID: 'smoke-admin', ADMIN_CLIENT_SECRET: randomBytes(24).toString('hex') };
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-smoke-'));
  const removeData = () => rmSync(dataDir, { recursive: true, force: true });
  const settings = { HOST: '127.0.0.1', PORT: '0', TOKEN_RATE_PER_SECOND: '0' };
  const config = parseConfig({ DATA_DIR: dataDir, DATABASE_URL: url, ...settings, ...admin });
  const started = start(config);
  started.catch(removeData);
  const { migrated, app } = await started;
  const base = await app.server.listen();
  const basic = Buffer.from(`${admin.ADMIN_CLIENT_ID}:${admin.ADMIN_CLIENT_SECRET}`).toString('base64');
  return {
    ...{ name: `smoke-${randomBytes(4).toString('hex')}`, migrated },
    server: url.replace(/^[^:]+:\/\/(?:[^@/]*@)?([^/?]*).*$/, '$1'),
    request: createFetch(base, basic),
    async close() {
      await app.close();
      removeData();
    },
  };
}

async function start(config: Config) {
  const { address, engine } = locateStore(config);
  const migrated = await engine.migrate(address, false);
  return { migrated, app: await createApp(config, { log: noLog }) };
}

function createFetch(base: string, basic: string): SmokeFetch {
  const tokens = new Map<string, Promise<string>>();
  async function issue(project: string): Promise<string> {
    const query = new URLSearchParams({ grant_type: 'client_credentials', scope: `manage_project:${project}` });
    const answer = await fetch(`${base}/oauth/token?${query}`, {
      ...{ method: 'POST', headers: { authorization: `Basic ${basic}` } },
    });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`no token for ${project}: HTTP ${answer.status}`);
    return token;
  }
  return async ({ project, method = 'GET', path, body }) => {
    const token = tokens.get(project) ?? issue(project);
    tokens.set(project, token);
    const answer = await fetch(`${base}/${project}${path}`, {
      method,
      headers: { authorization: `Bearer ${await token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
  };
}
