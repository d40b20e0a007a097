import assert from 'node:assert/strict';
import net from 'node:net';
import { after, test } from 'node:test';
import { onEmbedded, startTestApi } from '../start-test-api.ts';
import { creation, document } from '../storage/records.ts';
import { until } from '../until.ts';

/** Lists whose clients disconnect, over real connections. */

const api = await startTestApi(onEmbedded);
after(() => api.close());
const address = new URL(await api.listen());
const text = 'xyz '.repeat(1000);
await Promise.all(
  Array.from({ length: 3000 }, (_, n) =>
    api.app.store.resources.commit(creation('p', document(`r-${n}`, 1, { text }))),
  ),
);

/** Of one project half as many may wait as of all. */
const scans = 30;
/** No index answers it: each condition reads every resource, which takes much longer than the share of a short query. */
const conditions = Array.from({ length: 10 }, (_, n) => `text matches ignore case "none ${n}"`);
const slow = `/p/resource/sorted-query-parameters?withTotal=true&where=${encodeURIComponent(conditions.join(' or '))}`;

/** The lists that ran to their end as long ones: all of those that others wait for. */
async function endedSlow(): Promise<number> {
  const metrics = (await api.call({ path: '/metrics', scope: 'none' })).text;
  return Number(/^grs_query_seconds_count\{[^}]*queue="long",query="list"[^}]*\} (\d+)$/m.exec(metrics)?.[1]);
}

/** The requests in progress, without the one that asks. */
async function inFlight(): Promise<number> {
  const metrics = (await api.call({ path: '/metrics', scope: 'none' })).text;
  return Number(/^http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]) - 1;
}

/** A connection with a slow list on it. */
async function ask(): Promise<net.Socket> {
  const socket = net.connect(Number(address.port), address.hostname);
  const token = await api.token('manage_project:p');
  socket.write(`GET ${slow} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

test('lists whose clients disconnect end, whether they wait or run, and hold up nobody', {
  timeout: 300_000,
}, async () => {
  assert.equal((await api.call({ path: slow })).json.total, 0);
  const before = await endedSlow();
  const sockets = await Promise.all(Array.from({ length: scans }, ask));
  const ended = async () => (await endedSlow()) - before;
  // All have arrived.
  await until(async () => (await inFlight()) + (await ended()) >= scans);
  const endedBefore = await ended();
  for (const socket of sockets) socket.destroy();
  // It is behind all of them in its queue.
  assert.equal((await api.call({ path: slow })).json.total, 0);
  assert.ok(
    (await ended()) - endedBefore <= 3,
    `${endedBefore}, then ${await ended()} of ${scans + 1} ran to their end`,
  );
  await until(async () => (await inFlight()) === 0);
});
