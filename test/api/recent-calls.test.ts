import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type CallNote,
  callsPerClient,
  chooseCalls,
  createRecentCalls,
  maxCallingClients,
} from '../../src/telemetry/recent-calls.ts';
import { startTestApi } from '../start-test-api.ts';
import { refusalOf } from './open-resources.ts';

const api = await startTestApi();
after(() => api.close());

const note = (clientId: string, endedMs: number, more: Partial<CallNote> = {}): CallNote => ({
  ...{ clientId, endedMs, externalUserId: undefined, projectKey: 'shop', operation: 'read' },
  ...{ status: 200, durationMs: 1.26, ...more },
});

test('of each client the last hundred calls are kept, and the clients that called last', () => {
  const calls = createRecentCalls();
  for (let at = 0; at < 1000; at += 1) calls.add(note('busy', 5000 + at));
  calls.add(note('quiet', 1));
  assert.equal(chooseCalls(calls.list(), {} as never, 1000).length, callsPerClient + 1);
  const busy = calls.list().filter(({ clientId }) => clientId === 'busy');
  const ends = busy.map(({ at }) => Date.parse(at));
  assert.deepEqual(
    ends,
    Array.from({ length: callsPerClient }, (_, back) => 5999 - back),
  );
  for (let at = 0; at < maxCallingClients - 1; at += 1) calls.add(note(`client-${at}`, 6000 + at));
  const known = new Set(calls.list().map(({ clientId }) => clientId));
  assert.deepEqual([known.size, known.has('quiet'), known.has('busy')], [maxCallingClients, false, true]);
});

test('a call keeps no user that is longer than the API accepts, and a duration to a tenth of a millisecond', () => {
  const calls = createRecentCalls();
  calls.add(note('a', 1, { externalUserId: 'x'.repeat(257), projectKey: undefined }));
  calls.add(note('a', 2, { externalUserId: 'x'.repeat(256) }));
  const [last, first] = calls.list();
  assert.deepEqual(first, {
    ...{ at: '1970-01-01T00:00:00.001Z', clientId: 'a', operation: 'read', status: 200, durationMs: 1.3 },
    ...{ externalUserId: undefined, projectKey: undefined },
  });
  assert.deepEqual([last!.externalUserId?.length, last!.projectKey], [256, 'shop']);
});

type Call = Readonly<Record<string, unknown>>;

async function callsOf(path: string, scope: string): Promise<readonly Call[]> {
  const response = await api.call({ path, scope });
  assert.equal(response.status, 200, response.text);
  return response.json.results;
}

test('the last calls say who called which operation on which project, and nothing of what was sent', async () => {
  const path = '/calls/resource/sorted-query-parameters?where=someProperty%20%3D%20%22secret-value%22';
  const headers = { 'x-external-user-id': 'jane' };
  await api.call({ path: '/calls/resource/key=hidden-key', headers });
  await api.call({ path, headers });
  await api.call({ path, scope: 'view_test:elsewhere' });
  await api.call({ path, scope: 'none' });
  const project = '/calls/api-clients/recent-calls';
  const scope = 'manage_api_clients:calls';
  const [refused, listed, missing, ...others] = await callsOf(project, scope);
  assert.deepEqual(others, [], 'those without a token are not known');
  const { at, durationMs, ...call } = listed!;
  const shared = { clientId: 'test-admin', projectKey: 'calls' };
  assert.deepEqual(call, { ...shared, externalUserId: 'jane', operation: 'listResourcesSorted', status: 200 });
  assert.ok(Date.now() - Date.parse(at as string) < 600_000 && (durationMs as number) >= 0);
  assert.deepEqual([missing!.operation, missing!.status], ['getResourceByKey', 404]);
  assert.deepEqual(
    [refused!.operation, refused!.status, refused!.externalUserId],
    ['listResourcesSorted', 403, undefined],
  );
  assert.doesNotMatch(JSON.stringify([refused, listed, missing]), /secret|hidden/);

  const statuses = async (query: string) => (await callsOf(`${project}?${query}`, scope)).map(({ status }) => status);
  assert.deepEqual(await statuses('status=4xx&operation=getResourceByKey'), [404]);
  assert.deepEqual(await statuses('status=403'), [403]);
  assert.deepEqual(await statuses('externalUserId=jane'), [200, 404]);
  assert.deepEqual(await statuses('clientId=nobody'), []);
  assert.deepEqual(await statuses('externalUserId=jane&limit=1'), [200]);
  for (const query of ['status=44', 'status=6xx', 'limit=0', 'limit=1001', 'project=x']) {
    refusalOf(await api.call({ path: `${project}?${query}`, scope }), 400, 'InvalidInput');
  }
  // Another project sees none of it; the operator sees all.
  assert.deepEqual(await callsOf('/elsewhere/api-clients/recent-calls', 'manage_api_clients:elsewhere'), []);
  const all = await callsOf('/health/recent-calls?limit=1000', 'view_service');
  assert.deepEqual(new Set(all.map(({ projectKey }) => projectKey)), new Set(['calls', 'elsewhere']));
  assert.deepEqual((await callsOf('/health/recent-calls?projectKey=none', 'view_service')).length, 0);
  const own = await callsOf('/health/recent-calls?operation=listRecentCalls', 'view_service');
  assert.deepEqual([own.length, own[0]!.projectKey], [2, undefined]);
});
