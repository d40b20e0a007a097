import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTestServer } from '../../src/index.ts';

const scope = 'manage_project:my-shop';
// A folder of its own for temporary files, so that those of other tests are not counted.
const folder = mkdtempSync(join(tmpdir(), 'grs-test-servers-'));
process.env.TMPDIR = folder;
after(() => rmSync(folder, { recursive: true }));

test('createTestServer: any number at once, each with a store of its own, and nothing stays behind', async () => {
  {
    await using stack = new AsyncDisposableStack();
    const servers = await Promise.all(Array.from({ length: 5 }, async () => stack.use(await createTestServer())));
    assert.equal(new Set(servers.map(({ url }) => url)).size, 5);
    for (const [index, server] of servers.entries()) {
      const body = { key: 'a', index };
      const created = await server.inject({ method: 'POST', path: '/my-shop/resource', body, scope });
      assert.equal(created.status, 201, created.text);
    }
    for (const [index, server] of servers.entries()) {
      const headers = { authorization: `Bearer ${await server.token(scope)}` };
      const response = await fetch(`${server.url}/my-shop/resource/key=a`, { headers });
      assert.equal(((await response.json()) as { index: number }).index, index);
    }
  }
  assert.deepEqual(readdirSync(folder), []);
});

test('createTestServer: a process that ends without closing its servers leaves nothing behind', () => {
  const exports = new URL('../../src/index.ts', import.meta.url);
  const program = `
    const { createTestServer } = await import('${exports}');
    const { readdirSync } = await import('node:fs');
    await Promise.all([createTestServer(), createTestServer({ listen: false })]);
    process.exit(readdirSync(process.env.TMPDIR).length);`;
  const own = mkdtempSync(join(folder, 'own-'));
  try {
    const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, TMPDIR: own },
      encoding: 'utf8',
    });
    assert.equal(ended.status, 2, ended.stderr);
    assert.deepEqual(readdirSync(own), []);
  } finally {
    rmSync(own, { recursive: true });
  }
});

test('createTestServer: a given folder stays, with what was written to it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-given-'));
  try {
    const first = await createTestServer({ dataDir, listen: false });
    await first.inject({ method: 'PUT', path: '/my-shop/resource', body: { key: 'kept' }, scope });
    await Promise.all([first.close(), first.close()]);
    assert.ok(existsSync(join(dataDir, 'grs.db')));
    await using second = await createTestServer({ dataDir, listen: false });
    const read = await second.inject({ path: '/my-shop/resource/key=kept', scope });
    assert.equal(read.json.key, 'kept');
    assert.throws(() => second.url, /created with listen: false/);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test('createTestServer: inject sends texts and bytes as they are, and a token only where it is asked to', async () => {
  await using server = await createTestServer({ listen: false });
  const path = '/my-shop/resource/json-serializable-primitive-type';
  const text = await server.inject({ method: 'PUT', path, body: '"a text"', scope });
  assert.deepEqual([text.status, text.json], [200, 'a text']);
  const bytes = await server.inject({ method: 'PUT', path, body: new TextEncoder().encode('[1]'), scope });
  assert.deepEqual(
    [bytes.status, bytes.json, bytes.headers['content-type']],
    [200, [1], 'application/json; charset=utf-8'],
  );
  const value = await server.inject({
    method: 'PUT',
    path,
    body: { a: 1 },
    headers: { 'Content-Type': 'text/plain' },
    scope,
  });
  assert.equal(value.status, 415);
  assert.equal((await server.inject({ path: '/my-shop/resource' })).status, 401);
  assert.equal((await server.inject({ path: '/docs' })).json, undefined);
});

test('createTestServer: its administrator gets tokens by socket; a scope that does not exist is told', async () => {
  await using server = await createTestServer();
  const { clientId, clientSecret } = server.admin;
  const granted = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  assert.equal(granted.status, 200);
  await assert.rejects(
    server.token('manage_nothing:my-shop'),
    /^Error: No token for manage_nothing:my-shop: .*invalid_scope/,
  );
});

test('createTestServer: settings are those of the service; what is wrong with one is said, and nothing stays behind', async () => {
  await using server = await createTestServer({ listen: false, settings: { MAX_BODY_BYTES: '1024' } });
  const body = { text: 'x'.repeat(2000) };
  const large = await server.inject({ method: 'POST', path: '/my-shop/resource', body, scope });
  assert.equal(large.status, 413);
  await server.close();
  await assert.rejects(createTestServer({ settings: { WORKERS: 'many' } }), /WORKERS must be/);
  await assert.rejects(createTestServer({ settings: { ACTIONS_DIR: '/dev/null/none' } }), /ACTIONS_DIR|none/);
  await assert.rejects(createTestServer({ settings: { HOST: '192.0.2.1' } }), /EADDRNOTAVAIL/);
  assert.deepEqual(readdirSync(folder), []);
});
