import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

const { api, create } = await openResources();

/** A client of a project with a name, and what it sends. */
async function clientOf(project: string, name: string) {
  const admin = `manage_api_clients:${project}`;
  const draft = { name, scopes: [`manage_test:${project}`] };
  const made = await api.call({ method: 'POST', path: `/${project}/api-clients`, body: draft, scope: admin });
  assert.equal(made.status, 201, made.text);
  const { id, secret } = made.json;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const granted = await api.call({
    ...{ method: 'POST', path: '/oauth/token', scope: 'none' },
    ...{
      body: 'grant_type=client_credentials',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    },
  });
  const headers = { authorization: `Bearer ${granted.json.access_token}`, 'x-external-user-id': 'jane' };
  return {
    id: id as string,
    send: (method: string, path: string, body?: unknown) =>
      api.call({ method, path: `/${project}${path}`, body, headers, scope: 'none' }),
    remove: () => api.call({ method: 'DELETE', path: `/${project}/api-clients/${id}`, scope: admin }),
  };
}

/** Reads with and without the right to see clients. */
const reader =
  (project: string) =>
  (path: string, maySee: boolean, headers: Readonly<Record<string, string>> = {}) =>
    api.call({
      ...{ path: `/${project}${path}`, headers },
      scope: maySee ? `view_test:${project} manage_api_clients:${project}` : `manage_project:${project}`,
    });

test('histories, events, exports and deleted resources name who made a change, to readers who may see clients', async () => {
  const { id: clientId, send, remove } = await clientOf('n1', 'Importer of the night');
  const plain = { clientId, externalUserId: 'jane' };
  const named = { clientId, name: 'Importer of the night', externalUserId: 'jane' };
  assert.equal((await send('POST', '/resource', { id: 'a', n: 1 })).status, 201);
  assert.equal((await send('POST', '/resource', { id: 'b', n: 1 })).status, 201);
  assert.equal((await send('DELETE', '/resource/b')).status, 200);
  const read = reader('n1');

  async function actorsFor(maySee: boolean) {
    const streamed = await read('/events?limit=1&wait=1', maySee, { accept: 'text/event-stream' });
    const lines = await read('/events?limit=1', maySee, { accept: 'application/x-ndjson' });
    const exported = (await read('/resource/export', maySee)).json;
    const csv = await read('/resource/export?format=csv&fields=id,lastModifiedBy.name', maySee);
    return {
      history: (await read('/resource/a/history', maySee)).json.results[0].actor,
      events: (await read('/events', maySee)).json.results[0].actor,
      stream: JSON.parse(/^data: (\{.*)$/m.exec(streamed.text)![1]!).actor,
      lines: lines.text.split('\n').flatMap((line) => (line.includes('"actor"') ? [JSON.parse(line).actor] : []))[0],
      deleted: (await read('/resource/deleted', maySee)).json.results[0].deletedBy,
      exported: exported.lastModifiedBy,
      created: exported.createdBy,
      csv: csv.text.trim().split('\r\n')[1],
    };
  }

  const all = (actor: object, csv: string) => ({
    ...{ history: actor, events: actor, stream: actor, lines: actor, deleted: actor, exported: actor, created: actor },
    csv,
  });
  assert.deepEqual(await actorsFor(true), all(named, 'a,Importer of the night'));
  assert.deepEqual(await actorsFor(false), all(plain, 'a,'));
  const allFields = await read('/resource/export?format=csv&fields=*', true);
  assert.match(allFields.text, /lastModifiedBy\.name/);

  assert.equal((await remove()).status, 200);
  assert.deepEqual(await actorsFor(true), all(plain, 'a,'));
});

test('a conflict says who made the current version, to callers who may see clients', async () => {
  const { id: clientId, send } = await clientOf('n2', 'Editor');
  await create('n2', { id: 'a', n: 1 });
  assert.equal((await send('PATCH', '/resource', { id: 'a', n: 2 })).status, 200 + 1);
  const actor = { clientId, name: 'Editor', externalUserId: 'jane' };
  const touch = [{ action: 'doSomeThing' }];
  for (const scope of ['manage_test:n2 manage_api_clients:n2', 'manage_project:n2']) {
    const expected = scope.includes('api_clients') ? actor : undefined;
    const call = async (method: string, path: string, body?: unknown, headers = {}) =>
      refusalOf(
        await api.call({ method, path: `/n2/resource${path}`, body, headers, scope }),
        'if-match' in headers ? 412 : 409,
        'ConcurrentModification',
      );
    const conflicts = [
      await call('POST', '/a', { version: 1, actions: touch }),
      await call('PATCH', '', { id: 'a', n: 3, version: 1 }),
      await call('DELETE', '/a?version=1'),
      await call('DELETE', '/a', undefined, { 'if-match': '"1-0000000000"' }),
      await call('POST', '/batch', { operations: [{ operation: 'update', id: 'a', version: 1, actions: touch }] }),
    ];
    for (const conflict of conflicts) assert.deepEqual([conflict.currentVersion, conflict.actor], [2, expected]);
  }
});

test('a client of another project has no name, nor has an author that a client made up', async () => {
  const other = await clientOf('n3', 'Of n3');
  const path = '/n4/resource/artificially-complex/path/uri-parameter-one=a/b';
  const body = { key: 'k', createdBy: { clientId: other.id }, lastModifiedBy: { clientId: { a: 1 } } };
  const made = await api.call({ method: 'POST', path, body, scope: 'manage_test:n4' });
  assert.equal(made.status, 201, made.text);
  const { json } = await reader('n4')('/resource/export', true);
  assert.deepEqual([json.createdBy, json.lastModifiedBy], [{ clientId: other.id }, { clientId: { a: 1 } }]);
});
