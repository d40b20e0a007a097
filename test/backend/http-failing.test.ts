import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { openBackends } from '../../src/backend/backends.ts';
import { createFindImages } from '../../src/backend/variant-images.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { ActionRequest } from '../../src/domain/ports/backend.ts';
import { createLog, noLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { openResources, refusalOf } from '../api/open-resources.ts';
import { answerJson, startBackend, writeConfigFile } from './backend-server.ts';
import { certificate } from './tls-fixture.ts';

/** Requests that the backend has not responded to yet. */
const held: ServerResponse[] = [];
let onHeld = () => {};
const holding = await startBackend((_request, response) => {
  held.push(response);
  onHeld();
});
const dripping = await startBackend((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
});
/** Refuses: systems give out higher ports only, so that no other test gets it as it might one that was free just now. */
const downPort = 1025;

const at = (port: number, more = {}) => ({
  ...{ kind: 'http', url: `http://127.0.0.1:${port}/`, allow: ['127.0.0.1'], ...more },
});
const projects = {
  slow: at(holding.port, { failuresToOpen: 1000 }),
  dripping: at(dripping.port),
  narrow: at(holding.port, { maxConcurrent: 2 }),
  down: at(downPort, { failuresToOpen: 3, openMs: 600_000 }),
};
const file = writeConfigFile({ projects });
const { get, send } = await openResources({ BACKENDS_FILE: file, BACKEND_TIMEOUT_MS: '300' });
const patient = await openResources({ BACKENDS_FILE: file, BACKEND_TIMEOUT_MS: '600000' });
const action = (projectKey: string) => `/${projectKey}/resource/namespace-action`;

test('E14 and E15 of a backend that never responds are 504', async () => {
  refusalOf(await get(action('slow')), 504, 'BackendTimedOut');
  refusalOf(await send('POST', action('slow'), {}), 504, 'BackendTimedOut');
});

test('E15 of a backend that responds without end, a byte at a time, is 504: the time is for the whole response', async () => {
  refusalOf(await get(action('dripping')), 504, 'BackendTimedOut');
});

test('E15 beyond the calls that a backend may have at once is 503 at once; other endpoints go on', async () => {
  held.length = 0;
  const { promise: bothHeld, resolve } = Promise.withResolvers<void>();
  onHeld = () => held.length === 2 && resolve();
  const waiting = [1, 2].map(() => patient.get(action('narrow')));
  await bothHeld;
  const refused = await patient.get(action('narrow'));
  refusalOf(refused, 503, 'OverCapacity');
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await patient.get('/narrow/resource')).status, 200);
  assert.equal((await patient.get(action('other'))).status, 200);
  for (const response of held) answerJson(response, 'late');
  for (const answer of await Promise.all(waiting)) assert.equal(answer.text, '"late"');
});

test('E14 of a backend that is down is 502, and after some failures 503 with Retry-After; other projects go on', async () => {
  for (let i = 0; i < 3; i += 1) refusalOf(await patient.send('POST', action('down'), {}), 502, 'BackendFailed');
  for (let i = 0; i < 3; i += 1) {
    const answer = await patient.send('POST', action('down'), {});
    refusalOf(answer, 503, 'OverCapacity');
    assert.match(String(answer.headers['retry-after']), /^\d+$/);
  }
  assert.equal((await patient.send('POST', action('embedded'), { a: 1 })).status, 200);
  assert.equal((await patient.get('/down/resource')).status, 200);
  const metrics = (await patient.api.call({ path: '/metrics', scope: 'none' })).text;
  assert.match(metrics, /^grs_backend_circuit\{backend="down"\} 1$/m);
  assert.match(metrics, /^grs_backend_requests_total\{backend="down",kind="http"\} 6$/m);
  assert.match(metrics, /^grs_backend_failures_total\{backend="down",kind="http"\} 6$/m);
  assert.match(metrics, /^grs_backend_circuit\{backend="narrow"\} 0$/m);
});

/** Backends with a clock and names of the test's own. */
async function openOwn(content: object, deps: { nowMs?: () => number; log?: string[]; addresses?: string[] } = {}) {
  const store = patient.api.app.store.resources;
  const findImages = createFindImages(store, '');
  const stream = { writableLength: 0, write: (line: string) => deps.log?.push(line) };
  const nowMs = deps.nowMs ?? Date.now;
  const backends = await openBackends({
    ...{ file: writeConfigFile(content), timeoutMs: 60_000, maxDocumentBytes: 1_048_576, store, findImages },
    ...{ metrics: createMetrics(), nowMs, newId: () => 'id' },
    log: deps.log ? createLog({ level: 'info', stream, nowMs }) : noLog,
    resolve: async () => (deps.addresses ?? []).map((address) => ({ address, family: 4 })),
  });
  const request: ActionRequest = {
    ...{ projectKey: 'shop', action: 'GET namespace-action', query: '', json: undefined, headers: {} },
    ...{ correlationId: 'c', clientId: 'me', externalUserId: undefined },
  };
  return { backends, call: async () => backends.of('shop').call(request) };
}

const refusedWith = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

test('a backend that comes back is asked by one request first, and then by all', async () => {
  const clock = { nowMs: 0 };
  let isUp = false;
  const flapping = await startBackend((_request, response) => answerJson(response, 'up', isUp ? 200 : 500));
  const settings = at(flapping.port, { failuresToOpen: 2, openMs: 5000 });
  const log: string[] = [];
  const { call, backends } = await openOwn({ projects: { shop: settings } }, { nowMs: () => clock.nowMs, log });
  for (const code of ['BackendFailed', 'BackendFailed', 'OverCapacity']) await assert.rejects(call, refusedWith(code));
  assert.equal(flapping.count.requests, 2);
  isUp = true;
  clock.nowMs = 5000;
  const [probe, meanwhile] = await Promise.allSettled([call(), call()]);
  assert.equal(probe.status, 'fulfilled');
  assert.ok(meanwhile.status === 'rejected' && refusedWith('OverCapacity')(meanwhile.reason));
  assert.deepEqual(await call(), { status: 200, body: '"up"', etag: undefined });
  const states = log.flatMap((line) => JSON.parse(line).state ?? []);
  assert.deepEqual(states, ['open', 'halfOpen', 'closed']);
  const allowed = log.map((line) => JSON.parse(line)).find(({ event }) => event === 'backend-addresses-allowed');
  assert.deepEqual([allowed.backend, allowed.allow], ['shop', ['127.0.0.1']]);
  backends.close();
});

test('a backend over TLS is asked by its own name: Host, SNI and certificate, at the address that was checked', async () => {
  const names: unknown[] = [];
  const secure = await startBackend(
    (request, response) => {
      names.push(request.headers.host, (request.socket as { servername?: unknown }).servername);
      answerJson(response, 'secure');
    },
    '127.0.0.1',
    true,
  );
  const caFile = writeConfigFile(certificate, 'own-ca.pem');
  const of = (name: string, more = {}) => ({
    projects: { shop: { kind: 'http', url: `https://${name}:${secure.port}/`, allow: ['127.0.0.1'], ...more } },
  });
  const trusted = await openOwn(of('backend.example', { caFile }), { addresses: ['127.0.0.1'] });
  assert.deepEqual(await trusted.call(), { status: 200, body: '"secure"', etag: undefined });
  assert.deepEqual(names, [`backend.example:${secure.port}`, 'backend.example']);
  const otherName = await openOwn(of('other.example', { caFile }), { addresses: ['127.0.0.1'] });
  await assert.rejects(otherName.call, refusedWith('BackendFailed'));
  const stranger = await openOwn(of('backend.example'), { addresses: ['127.0.0.1'] });
  await assert.rejects(stranger.call, refusedWith('BackendFailed'));
  const elsewhere = await openOwn(of('backend.example', { caFile }), { addresses: ['127.0.0.1', '127.0.0.2'] });
  await assert.rejects(elsewhere.call, refusedWith('BackendFailed'));
  assert.equal(secure.count.requests, 1);
  for (const { backends } of [trusted, otherName, stranger, elsewhere]) backends.close();
});

test('connections to a backend are reused', async () => {
  const kept = await startBackend((_request, response) => answerJson(response, 1));
  const { call, backends } = await openOwn({ projects: { shop: at(kept.port) } });
  for (let i = 0; i < 5; i += 1) await call();
  assert.deepEqual([kept.count.requests, kept.count.connections], [5, 1]);
  backends.close();
});
