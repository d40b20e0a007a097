import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/parse.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { noLog } from '../../src/telemetry/log.ts';
import type { DeliveryTiming } from '../../src/webhooks/delivery/deps.ts';
import { inject } from '../inject.ts';
import { afterFile } from '../runner/after-file.ts';
import { ownPostgres } from '../start-test-api.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of any shape.
  readonly json: any;
}

/** A service whose deliveries have short times, and run without a socket of the service. */
export interface Hooks {
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Creates a subscription; its events go to the address. */
  subscribe(project: string, draft: Readonly<Record<string, unknown>>): Promise<Answer['json']>;
  /** Writes a resource and returns it. */
  write(project: string, fields: Readonly<Record<string, unknown>>): Promise<Answer['json']>;
  token(scope: string): Promise<string>;
  metrics(): Promise<string>;
  readonly server: App['server'];
  readonly store: Store;
  readonly place: Place;
  close(): Promise<void>;
}

export const fastTiming: Partial<DeliveryTiming> = { saveMs: 50, pollMs: 50, leaseMs: 1000, drainMs: 200 };

/** Where the data of a service is, so that a next one goes on with it: a folder, and a schema where `ownPostgres` makes one. */
export type Place = Readonly<Record<string, string>>;

/** A place for a service; it is removed after the test file, and after the services there. */
export async function newPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'grs-hooks-'));
  const postgres = await ownPostgres({});
  removals.push(async () => {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { DATA_DIR: folder, ...(postgres && { DATABASE_URL: postgres.url }) };
}

const services: (() => Promise<void>)[] = [];
const removals: (() => Promise<void>)[] = [];
afterFile(async () => {
  for (const close of services.splice(0)) await close();
  for (const remove of removals.splice(0)) await remove();
});

/** Opens it with the times given; it ends with the test file, or before. */
export async function openHooks(
  timing: Partial<DeliveryTiming> = {},
  environment: Readonly<Record<string, string>> = {},
  at?: Place,
): Promise<Hooks> {
  const place = at ?? (await newPlace());
  const config = parseConfig({
    ...{ PORT: '0', TOKEN_RATE_PER_SECOND: '0', SHED_DELAY_MS: '0', QUERY_TIMEOUT_MS: '60000' },
    ...{ ADMIN_CLIENT_ID: 'test-admin', ADMIN_CLIENT_SECRET: 'a secret for tests only' },
    ...{ WEBHOOK_ADDRESSES: '127.0.0.1' },
    ...{ ...place, ...environment },
  });
  const app = await createApp(config, { log: noLog, deliveryTiming: { ...fastTiming, ...timing } });
  await app.server.listen();
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= app.close();
    return closing;
  };
  services.push(close);
  const tokens = new Map<string, string>();

  async function token(scope: string): Promise<string> {
    const known = tokens.get(scope);
    if (known !== undefined) return known;
    const authorization = `Basic ${Buffer.from('test-admin:a secret for tests only').toString('base64')}`;
    const query = { grant_type: 'client_credentials', scope };
    const response = await inject(app.server, {
      ...{ method: 'POST', url: '/oauth/token', headers: { authorization }, query },
    });
    const issued = (response.json() as { access_token: string }).access_token;
    tokens.set(scope, issued);
    return issued;
  }

  async function send(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const response = await inject(app.server, {
      method: method as 'GET',
      url: path,
      headers: {
        authorization: `Bearer ${await token(`manage_project:${path.split(/[/?]/)[1]}`)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const json = response.body === '' ? undefined : JSON.parse(response.body);
    return { status: response.statusCode, headers: response.headers, json };
  }

  async function expect(answer: Promise<Answer>): Promise<Answer['json']> {
    const { status, json } = await answer;
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(json)}`);
    return json;
  }

  return {
    send,
    token,
    subscribe: (project, draft) => expect(send('POST', `/${project}/subscriptions`, draft)),
    write: (project, fields) => expect(send('POST', `/${project}/resource`, fields)),
    place,
    close,
    server: app.server,
    store: app.store,
    metrics: async () => (await inject(app.server, { url: '/metrics' })).body,
  };
}
