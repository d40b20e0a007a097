import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { createLog } from '../../src/telemetry/log.ts';
import { onEmbedded, startTestApi } from '../start-test-api.ts';
import { newClient, postForm, tokenOf } from './oauth-requests.ts';

/** What clients, operators and probes see of damaged rows (decision 88). */

const lines: string[] = [];
const stream = { writableLength: 0, write: (line: string) => lines.push(line) };
const api = await startTestApi(onEmbedded, createLog({ level: 'info', stream, nowMs: Date.now }));
after(() => api.close());
// As when it listens.
await api.app.store.warm();

/** Changes rows beside the service, as damage does: without their checksums. */
function damage(sql: string, ...params: readonly string[]): void {
  const db = new DatabaseSync(join(api.dataDir, 'grs.db'), { timeout: 60_000 });
  assert.equal(db.prepare(sql).run(...params).changes, 1);
  db.close();
}

const reported = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event, msg }) => [event, msg].includes('damaged-row'));

async function health(): Promise<unknown> {
  const answer = await api.call({ path: '/health/ready', scope: 'none' });
  assert.equal(answer.status, 200);
  return answer.json.checks.rows;
}

test('a damaged client: 500 DataCorruption for its token requests, one line in the log, a word in health and metrics', async () => {
  assert.equal(await health(), 'ok');
  const client = await newClient(api, 'shop', ['view_test']);
  const token = await tokenOf(api, client);
  damage(`UPDATE api_client SET scopes = '["manage_test:other"]' WHERE id = ?`, client.id);
  for (let time = 0; time < 3; time += 1) {
    const answer = await postForm(api, '/oauth/token', 'grant_type=client_credentials', client);
    assert.equal(answer.status, 500, answer.text);
    assert.equal(answer.json.error, 'server_error');
    assert.equal(answer.json.errors[0].code, 'DataCorruption');
    assert.doesNotMatch(answer.text, /other/);
  }
  const list = await api.call({ path: '/shop/api-clients', scope: 'manage_api_clients:shop' });
  assert.deepEqual([list.status, list.json.errors[0].code], [500, 'DataCorruption']);
  assert.match(list.json.message, new RegExp(client.id));

  const [line, ...others] = reported();
  assert.deepEqual(others, []);
  assert.equal(line?.table, 'api_client');
  assert.equal(line?.key, client.id);
  assert.match(String(line?.consequence), /it gets no token; delete it with “npx grs client delete”/);
  assert.equal(await health(), '1 damaged since the start; the log names them');
  // A scrape shows what the store said after the one before.
  const metrics = async () => (await api.call({ path: '/metrics', scope: 'none' })).text;
  while (!/^grs_damaged_rows 1$/m.test(await metrics())) await new Promise((resolve) => setImmediate(resolve));

  // What was issued before the damage is as good as before.
  const read = await api.call({ path: '/shop/resource/none', headers: { authorization: `Bearer ${token}` } });
  assert.equal(read.status, 404);
});

test('a damaged response: its request gets 500 DataCorruption, has no second effect, and others go on', async () => {
  const headers = { 'idempotency-key': 'k' };
  const body = { price: 100 };
  const send = () => api.call({ method: 'POST', path: '/shop/resource', headers, body });
  const first = await send();
  assert.equal(first.status, 201);
  assert.equal((await send()).text, first.text);
  damage(`UPDATE idempotent_answer SET body = replace(body, '100', '101') WHERE scope LIKE '%k'`);
  for (let time = 0; time < 2; time += 1) {
    const answer = await send();
    assert.deepEqual([answer.status, answer.json.errors[0].code], [500, 'DataCorruption']);
    assert.match(answer.json.message, /The request was carried out the first time/);
  }
  damage('UPDATE idempotent_answer SET expires_at = 1');
  assert.equal((await send()).status, 500);
  assert.equal((await api.call({ path: '/shop/resource' })).json.total, 1);
  const other = await api.call({ method: 'POST', path: '/shop/resource', headers: { 'idempotency-key': 'l' }, body });
  assert.equal(other.status, 201);
});

test('a damaged revocation under the service: every token ends, and a new one is good', async () => {
  const client = await newClient(api, 'shop', ['view_test']);
  const [token, revoked] = [await tokenOf(api, client), await tokenOf(api, client)];
  const answer = await postForm(api, '/oauth/token/revoke', `token=${revoked}`, client);
  assert.equal(answer.status, 200, answer.text);
  damage("UPDATE revocation SET subject = 'other'");
  const status = async (text: string) =>
    (await api.call({ path: '/shop/resource/none', headers: { authorization: `Bearer ${text}` } })).status;
  // Read again every minute, or at once as a damaged row of the last seconds.
  while ((await status(token)) !== 401) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await status(revoked), 401);
  assert.equal(await status(await tokenOf(api, client)), 404);
  assert.deepEqual(
    reported().map(({ table }) => table),
    ['api_client', 'idempotent_answer', 'revocation'],
  );
});
