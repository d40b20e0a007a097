import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { allTables } from '../../src/record/postgres/open/migrate.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { inject } from '../../test/inject.ts';
import { draft } from '../documents.ts';
import { adminId, adminSecret } from '../service.ts';
import { type Stage, trials } from '../trials.ts';

export const driverProject = 'driver';

export interface Played {
  readonly statements: readonly Statement[];
  /** The response, if it is not a row. */
  readonly body?: string;
}

interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements that the service sends for each request of the trials. */
export interface Learnt {
  readonly collection: string;
  readonly ids: readonly string[];
  /** In the order of the resources. */
  readonly creates: readonly Played[];
  /** By method and target. */
  readonly others: ReadonlyMap<string, Played>;
}

export interface Recorder {
  /** The statements since the last call. */
  take(): readonly Statement[];
  stop(): void;
}

/** Records every statement that this process sends, completely. */
export function recordStatements(of: typeof Client): Recorder {
  let sent: Statement[] = [];
  const original = of.prototype.query;
  of.prototype.query = function (this: Client, ...args: unknown[]) {
    const [first] = args as [string | (Omit<Statement, 'values'> & { readonly values?: readonly unknown[] })];
    const { name, text, values = [] } = typeof first === 'string' ? { text: first } : first;
    sent.push({ ...(name === undefined ? {} : { name }), text, values });
    return (original as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof original;
  return {
    take() {
      const taken = sent;
      sent = [];
      return taken;
    },
    stop() {
      of.prototype.query = original;
    },
  };
}

type Inject = (
  method: string,
  target: string,
  body?: string,
) => Promise<{ readonly text: string; readonly played: Played }>;

async function startInject(url: string, recorder: Recorder) {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-bench-'));
  const admin = { ADMIN_CLIENT_ID: adminId, ADMIN_CLIENT_SECRET: adminSecret };
  const app = await createApp(parseConfig({ DATA_DIR: dataDir, DATABASE_URL: url, PORT: '0', ...admin }), {
    log: noLog,
  });
  const basic = Buffer.from(`${adminId}:${adminSecret}`).toString('base64');
  const granted = await inject(app.server, {
    ...{ method: 'POST', url: '/oauth/token', headers: { authorization: `Basic ${basic}` } },
    query: { grant_type: 'client_credentials', scope: `manage_project:${driverProject}` },
  });
  const { access_token: token } = granted.json() as { access_token: string };
  const send: Inject = async (method, target, body) => {
    recorder.take();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method: method as 'GET', url: target, headers, ...(body === undefined ? {} : { payload: body }) };
    const answer = await inject(app.server, request);
    if (answer.statusCode >= 300) throw new Error(`${method} ${target}: ${answer.statusCode} ${answer.body}`);
    const isList = target.includes('?');
    // The setup of a connection and the copy of the project do not count as part of a request. A list asks once for what is new; the mirror
    // does so between requests, too.
    const isOwn = ({ name, text }: Statement) =>
      isList ? name === 'pull' : name !== 'pull' && !/^(?:SET|SELECT pg_is_in_recovery)/.test(text);
    const statements = recorder
      .take()
      .filter(isOwn)
      .slice(isList ? -1 : 0);
    const isOfRows = method === 'GET' && !isList;
    return { text: answer.body, played: { statements, ...(isOfRows ? {} : { body: answer.body }) } };
  };
  const close = async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { send, token, close };
}

/** The method, the target and the body of a request as trials write it. */
function partsOf(request: string): readonly [method: string, target: string, body: string | undefined] {
  const [, method = '', target = ''] = /^(\w+) (\S+) /.exec(request) ?? [];
  const body = request.slice(request.indexOf('\r\n\r\n') + 4);
  return [method, target, body === '' ? undefined : body];
}

/** Has the service do all requests of the trials once, and then undoes them: they are there to be done again. */
export async function learn(url: string, count: number, recorder: Recorder): Promise<Learnt> {
  const { send, token, close } = await startInject(url, recorder);
  const collection = `/${driverProject}/resource`;
  const creates: Played[] = [];
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { text, played } = await send('POST', collection, JSON.stringify(draft(n, `driver-${n}`)));
    creates.push(played);
    ids.push((JSON.parse(text) as { id: string }).id);
  }
  const stage: Stage = { token, project: driverProject, count, idOf: (n) => ids[n] ?? '' };
  const others = new Map<string, Played>();
  for (const { name, make } of trials.filter((trial) => trial.name !== 'create' && !trial.ofMemory)) {
    const request = make(stage);
    const requests = name.startsWith('update') ? count : count * 2;
    for (let n = 0; n < requests; n += 1) {
      const [method, target, body] = partsOf(String(request(n)));
      if (!others.has(`${method} ${target}`))
        others.set(`${method} ${target}`, (await send(method, target, body)).played);
    }
  }
  await close();
  await wipe(url);
  return { collection, ids, creates, others };
}

/**
 * Deletes all of a project but the head of its log, without which no change can be played: by default what was created
 * to be learnt.
 */
export async function wipe(url: string, project: string = driverProject): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const table of allTables()) {
    if (table === 'event_head') continue;
    await client.query(`DELETE FROM ${table} WHERE project_key = $1`, [project]);
  }
  await client.end();
}
