import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { checkPostgres } from '../../../src/record/postgres/maintenance/maintain.ts';
import { inject } from '../../inject.ts';
import { sampleOf } from '../../rounds.ts';
import { until } from '../../until.ts';
import { type Hooks, openHooks } from '../../webhooks/open-hooks.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { creation, document } from '../records.ts';
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/**
 * Columns of each table, damaged by SQL, each in a project of its own: every other project is served, and so is a start. One
 * column of four has its turn in a run, the others with other seeds.
 */

/** An integer that no number of JavaScript holds exactly, and the largest of PostgreSQL. */
const [huge, largest] = ['1152921504606846977', '9223372036854775807'];

/** In SQL; `'p` stands for the project. */
interface Damage {
  readonly table: string;
  readonly where: string;
  readonly set: string;
}

const damagesOf = (table: string, where: string, sets: readonly string[]): readonly Damage[] =>
  sampleOf(sets, 4).map((set) => ({ table, where, set }));

const checkedColumns = [
  "key = 'kx'",
  'version = version + 1',
  `version = ${huge}`,
  'version = -5',
  "incarnation = 'x'",
  "created_at = 'x'",
  "modified_at = 'x'",
  "current = ''",
  "current = replace(current, 'e', 'f')",
  "staged = '{'",
  "history = history || 'x'",
  'checksum = checksum + 1',
  `checksum = ${huge}`,
];
const companions = ['subscriptions', 'deliveries', 'attempts', 'dead-letters', 'settings', 'client-use'];

const damages: readonly Damage[] = [
  ...damagesOf('resource', "project_key = 'p' AND id = 'a'", [
    "project_key = 'px'",
    "id = 'ax'",
    "key = 'kz'",
    ...checkedColumns,
    'born = -1',
    `born = ${largest}`,
    'changed = 0',
    `changed = ${largest}`,
  ]),
  ...['sequence = 2', "type = 'deleted'"].flatMap((which) =>
    damagesOf('event', `project_key = 'p' AND ${which}`, [
      "project_key = 'px'",
      'sequence = sequence + 1000',
      `sequence = ${largest}`,
      'sequence = -4',
      'total = total + 1',
      `total = ${largest}`,
      'total = -7',
      `at = ${huge}`,
      `at = -${huge}`,
      "type = 'updated'",
      "type = 'x'",
      "id = 'ax'",
      "key = 'kx'",
      `version = ${huge}`,
      "incarnation = 'x'",
      "client = 'x'",
      "origin = 'x'",
      "before = 'x'",
      'checksum = checksum + 1',
    ]),
  ),
  ...damagesOf('event_head', "project_key = 'p'", [
    "project_key = 'px'",
    "epoch = ''",
    "epoch = 'x'",
    "epoch = repeat('x', 5000)",
    `pruned = ${largest}`,
    `pruned = ${huge}`,
    'pruned = 1000',
    'pruned = 2',
    'pruned = -1',
    `pruned = -${huge}`,
    `rules = ${largest}`,
    `rules = -${huge}`,
  ]),
  ...companions.flatMap((companion) =>
    damagesOf('resource', `project_key = 'p~${companion}'`, [
      ...checkedColumns,
      "id = 'x'",
      `project_key = 'px~${companion}'`,
    ]),
  ),
  // The list of the projects with subscriptions, which every start reads.
  ...damagesOf('resource', "project_key = '~subscriptions' AND id = 'p'", [
    ...checkedColumns,
    "id = '-x'",
    "project_key = '~x'",
  ]),
  ...damagesOf('api_client', "project_key = 'p'", [
    "project_key = 'px'",
    "id = 'px.x'",
    "name = 'x'",
    "scopes = 'x'",
    "secret_hash = 'x'",
    `created_at = ${huge}`,
    'checksum = checksum + 1',
  ]),
];

const nameOf = (at: number) => `p-${at}`;
/** In all orders one is before all damage, and one behind. */
const others = ['a-other', 'z-other'];
const perProject = 5;

let postgres: TestPostgres;
let damaging: Client;
const receiver = await startReceiver();
let hooks: Hooks;
const open = async () => {
  hooks = await openHooks({}, { DATABASE_URL: postgres.url });
};
before(async () => {
  postgres = await startTestPostgres();
  damaging = new Client({ connectionString: postgres.url });
  await damaging.connect();
  await open();
});
after(async () => {
  await hooks.close();
  await damaging.end();
  await postgres.close();
});

/** A request of a project, with its status and text. */
async function call(method: string, path: string, body?: unknown) {
  const project = path.split('/')[1];
  const scope = path.includes('/api-clients') ? 'manage_api_clients' : 'manage_project';
  const authorization = `Bearer ${await hooks.token(`${scope}:${project}`)}`;
  const response = await inject(hooks.server, {
    ...{ method: method as 'GET', url: path, headers: { authorization, 'content-type': 'application/json' } },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return { status: response.statusCode, text: response.body };
}

async function succeed(method: string, path: string, body?: unknown) {
  const { status, text } = await call(method, path, body);
  assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
  return text.startsWith('{') && !text.includes('\n') ? JSON.parse(text) : undefined;
}

const fields = { color: 'red', name: { en: 'shoe' } };

/** Fills a project with some of everything. Returns the id of its subscription. */
async function fill(project: string): Promise<string> {
  const { id } = await hooks.subscribe(project, { url: receiver.url, key: 'hook' });
  await hooks.write(project, { id: 'a', key: 'ka', ...fields });
  await hooks.write(project, { id: 'a', key: 'ka', ...fields, color: 'redder' });
  await hooks.write(project, { id: 'b', key: 'kb', ...fields });
  await succeed('DELETE', `/${project}/resource/b`);
  await hooks.write(project, { id: 'c', key: 'kc', ...fields });
  await succeed('PUT', `/${project}/settings/search`, {});
  const client = await succeed('POST', `/${project}/api-clients`, { name: 'shop', scopes: ['view_test'] });
  for (const [companion, name] of [
    ['client-use', client.id],
    ['dead-letters', `${id}/0000000000000001`],
  ]) {
    const kept = document(name, 1, {
      lastUsedAtMs: 1_800_000_000_000,
      json: '{"id":"0000000000000001","at":"2026-01-01T00:00:00.000Z"}',
    });
    await hooks.store.resources.commit(creation(`${project}~${companion}`, kept));
  }
  return id;
}

let round = 0;

/** Everything that a project can do, with its webhooks. */
async function assertOthersGoOn(): Promise<void> {
  round += 1;
  const id = `n-${round}`;
  for (const project of others) {
    const { next } = await succeed('GET', `/${project}/events?after=latest`);
    await succeed('PUT', `/${project}/resource`, { id, ...fields });
    await succeed('PATCH', `/${project}/resource`, { id, color: id });
    await succeed('GET', `/${project}/resource/${id}`);
    const where = encodeURIComponent(`color = "${id}"`);
    assert.equal((await succeed('GET', `/${project}/resource?limit=100`)).count, 3);
    assert.equal((await succeed('GET', `/${project}/resource/sorted-query-parameters?where=${where}`)).total, 1);
    assert.equal((await succeed('GET', `/${project}/resource/searchApiPattern?text.en=shoe&facet=color`)).total, 3);
    await succeed('HEAD', `/${project}/resource?where=${where}`);
    assert.equal((await succeed('GET', `/${project}/events?after=${next}`)).results.length, 2);
    assert.ok((await succeed('GET', `/${project}/events?after=oldest`)).results.length > 0);
    await succeed('POST', `/${project}/resource/batch`, {
      operations: [{ operation: 'create', draft: { id: `${id}-batch` } }],
    });
    for (const path of [
      `resource/${id}/history`,
      'resource/deleted',
      'resource/export',
      'subscriptions',
      'settings/search',
      'api-clients',
    ])
      await succeed('GET', `/${project}/${path}`);
    for (const gone of [id, `${id}-batch`]) await succeed('DELETE', `/${project}/resource/${gone}`);
    await succeed('POST', `/${project}/subscriptions`, { url: receiver.url, key: id, enabled: false });
    await succeed('DELETE', `/${project}/subscriptions/key=${id}`);
  }
  const delivered = () => receiver.received.filter(({ event }) => event.resource?.id === id).length;
  await until(() => delivered() >= others.length * 3);
}

/** An answer that is right for the project that is damaged: all is well, or what is damaged is named. */
async function answerOf(method: string, path: string, body?: unknown): Promise<number> {
  const { status, text } = await call(method, path, body);
  if (status < 300 || status === 404) return status;
  const { message, errors } = JSON.parse(text);
  const isNamed = errors[0].code === 'DataCorruption' || errors[0].code === 'CursorGone';
  assert.ok(isNamed && /damaged|no longer valid/.test(message), `${method} ${path}: ${status} ${text}`);
  return status;
}

test('columns of each table: others go on, so do pruning, a start and a check; PUT and DELETE heal', async () => {
  const projects = [...others, ...damages.keys().map((at) => nameOf(at))];
  const subscriptions: string[] = [];
  for (let at = 0; at < projects.length; at += 10)
    subscriptions.push(...(await Promise.all(projects.slice(at, at + 10).map(fill))));
  await until(() => receiver.received.length >= perProject * projects.length);
  await assertOthersGoOn();
  for (const [at, { table, set, where }] of damages.entries()) {
    const sql = `UPDATE ${table} SET ${set} WHERE ${where}`.replace(/'p(?=['~x])/g, `'${nameOf(at)}`);
    assert.equal((await damaging.query(sql)).rowCount, 1, sql);
  }
  await assertOthersGoOn();
  await hooks.store.changes.prune(0, 1);
  await assertOthersGoOn();
  const findings = await checkPostgres(postgres.url, () => {});
  assert.ok(findings.length > damages.length / 2);
  for (const finding of findings) assert.doesNotMatch(finding, /\n +at |-other/);
  await hooks.close();
  await open();
  await assertOthersGoOn();

  for (const [at, { table, where, set }] of damages.entries()) {
    const what = `${table}.${set} (${where})`;
    const project = nameOf(at);
    const path = `/${project}/resource`;
    for (const read of [
      'resource/a',
      'resource?limit=100',
      'resource/sorted-query-parameters?where=color%20%3D%20%22red%22',
      'resource/searchApiPattern?text.en=shoe&facet=color',
      'resource/a/history',
      'events?after=oldest',
      'settings/search',
      'subscriptions',
      'api-clients',
    ])
      await answerOf('GET', `/${project}/${read}`);
    assert.equal(await answerOf('GET', `${path}/deleted`), 200, what);
    assert.equal(await answerOf('GET', `/${project}/events?after=latest`), 200, what);
    // Whatever is damaged, the project is written.
    assert.equal(await answerOf('PUT', path, { id: 'new', key: 'new' }), 201, what);
    assert.equal(await answerOf('DELETE', `${path}/new`), 200, what);
    for (const id of ['a', 'ax']) assert.equal(await answerOf('PUT', path, { id, color: 'green' }), 201, what);
    assert.equal(await answerOf('GET', `${path}/a`), 200, what);
    assert.equal(await answerOf('PUT', `/${project}/settings/search`, {}), 200, what);
    assert.equal(await answerOf('GET', `${path}/searchApiPattern?text.en=shoe`), 200, what);
    for (const id of [subscriptions[others.length + at]!, 'x'])
      await answerOf('DELETE', `/${project}/subscriptions/${id}`);
    assert.equal(await answerOf('POST', `/${project}/subscriptions`, { url: receiver.url, key: 'hook' }), 201, what);
    const event = await succeed('GET', `/${project}/events?after=latest`);
    assert.equal(await answerOf('PUT', path, { id: 'last' }), 201, what);
    const { results } = await succeed('GET', `/${project}/events?after=${event.next}`);
    assert.equal(results.length, 1, what);
  }
  const toldOf = () => receiver.received.filter(({ event }) => event.resource?.id === 'last').length;
  await until(() => toldOf() >= damages.length);
  await assertOthersGoOn();
  const left = (await hooks.store.status()).damagedResources!.first.map(({ projectKey, id }) => `${projectKey}/${id}`);
  // Left are those that got the name of something that never was; and the last use of a client, which its next use heals.
  for (const name of left) assert.match(name, /x\b|\/-x$|~client-use\//, name);
});
