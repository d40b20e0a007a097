/**
 * What a first user does with the installed package, run by each supported Node in a folder that has the package alone.
 * Prints `done` at the end; any failure is an exception. JavaScript without explicit resources, for the oldest Node.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createTestServer } from 'generic-resource-service';

const scope = 'manage_project:my-shop';

/** The service inside this process, with an update action in TypeScript that imports the package by its name. */
async function tryTestServers() {
  const [server, silent] = await Promise.all([
    createTestServer({ settings: { ACTIONS_DIR: 'actions' } }),
    createTestServer({ listen: false }),
  ]);
  const send = async (status, method, path, body) => {
    const response = await server.inject({ method, path: `/my-shop/resource${path}`, body, scope });
    assert.equal(response.status, status, response.text);
    return response.json;
  };
  await send(201, 'POST', '', { key: 'a', name: { en: 'Running shoes' }, price: { centAmount: 1000 }, size: 42 });
  const action = { action: 'applyDiscount', percent: 20 };
  const updated = await send(200, 'POST', '/key=a', { version: 1, actions: [action] });
  assert.equal(updated.price.centAmount, 800);
  const where = encodeURIComponent('price.centAmount < 900 and size in (41, 42)');
  const page = await send(200, 'GET', `/sorted-query-parameters?where=${where}&sort=size%20desc`);
  assert.deepEqual([page.total, page.results[0].key], [1, 'a']);
  const found = await send(200, 'GET', '/searchApiPattern?text.en=runing%20shoe&fuzzy=true&facet=size');
  assert.deepEqual([found.total, found.facets.size.terms[0].count], [1, 1]);
  const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const uploaded = await server.inject({
    ...{ method: 'POST', path: '/my-shop/resource/images?sku=A-1&staged=false&filename=dot.gif', scope },
    ...{ headers: { 'content-type': 'image/gif' }, body: picture },
  });
  assert.equal(uploaded.status, 200, uploaded.text);
  const authorization = `Bearer ${await server.token(scope)}`;
  const overSocket = await fetch(`${server.url}/my-shop/resource/key=a`, { headers: { authorization } });
  assert.equal((await overSocket.json()).version, 2);
  const docs = await silent.inject({ path: '/docs' });
  assert.equal(docs.status, 200);
  const other = await silent.inject({ path: '/my-shop/resource/key=a', scope });
  assert.equal(other.status, 404, 'each server has a store of its own');
  assert.throws(() => silent.url, /listen: false/);
  await Promise.all([server.close(), silent.close()]);
}

/** Starts a command of the package by the name that npm gave it; the Node of this process is first in the path. */
function start(name, args, settings = {}) {
  const command = `node_modules/.bin/${name}`;
  return spawn(command, args, { env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function outputOf(name, args) {
  const child = start(name, args);
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return text;
}

/** The process that `npx generic-resource-service` starts, until SIGTERM. */
async function tryCommands() {
  assert.match(await outputOf('grs', ['--version']), /^\d+\.\d+\.\d+\n$/);
  const settings = { PORT: '0', DATA_DIR: 'data-of-service', WORKERS: '2' };
  const service = start('generic-resource-service', [], settings);
  const ended = once(service, 'exit');
  service.stderr.resume();
  for await (const line of createInterface({ input: service.stdout })) {
    const [, address] = /"event":"listening","address":"([^"]+)"/.exec(line) ?? [];
    if (address === undefined) continue;
    assert.equal((await fetch(`${address}/health/live`)).status, 200);
    service.kill('SIGTERM');
  }
  assert.deepEqual(await ended, [0, null]);
}

await tryTestServers();
await tryCommands();
console.log('done');
