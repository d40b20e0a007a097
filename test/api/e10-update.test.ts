import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInActions } from '../../src/domain/resource/actions/built-in.ts';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

const { api, send, get, create, update, read } = await openResources();
const touch = { action: 'doSomeThing' };

test('E10 is 200 with the resource in its next version, and an ETag', async () => {
  const made = await create('shop', { a: 1 });
  const actions = [{ action: 'changeSomeProperty', someProperty: 'new' }];
  const { status, headers, json } = await send('POST', `/shop/resource/${made.id}`, { version: 1, actions });
  assert.deepEqual([status, versionIn(headers.etag)], [200, 2]);
  assert.deepEqual([json.version, json.someProperty, json.a], [2, 'new', 1]);
  assert.deepEqual(await read('shop', made.id), json);
});

test('E10 with several actions applies them in their order and raises the version by one', async () => {
  const made = await create('shop', {});
  const after = await update(
    'shop',
    made,
    { action: 'changeSomeProperty', someProperty: 'first' },
    { action: 'changeSomeProperty', someProperty: 'second' },
    { action: 'setField', path: 'list', value: ['a'] },
    { action: 'setField', path: 'list.1', value: 'b' },
    { action: 'setField', path: 'list.0' },
  );
  assert.deepEqual([after.version, after.someProperty, after.list], [2, 'second', ['b']]);
});

test('E10 with 500 actions is 200', async () => {
  const made = await create('shop', {});
  const actions = Array.from({ length: 500 }, (_, i) => ({ action: 'setField', path: `f${i}`, value: i }));
  const { version, f499 } = await update('shop', made, ...actions);
  assert.deepEqual([version, f499], [2, 499]);
});

test('E10 without actions is 200 and changes nothing', async () => {
  const made = await create('shop', { a: 1 });
  assert.deepEqual(await update('shop', made), made);
  assert.deepEqual(await read('shop', made.id), made);
});

test('E10 doSomeThing touches: a new version and lastModifiedAt, and no other change', async () => {
  const { version, lastModifiedAt, ...others } = await create('shop', { a: 1 });
  const after = await update('shop', { id: others.id, version }, touch);
  const { version: afterVersion, lastModifiedAt: afterModified, ...afterOthers } = after;
  assert.deepEqual(afterOthers, others);
  assert.equal(afterVersion, 2);
  assert.ok(afterModified >= lastModifiedAt);
});

test('E10 importFooForSecondPropertyToUpdate takes any JSON but null', async () => {
  let resource = await create('shop', {});
  for (const secondPropertyToUpdate of [{ foo: 'bar' }, [1, null], 'text', 7, false, '']) {
    resource = await update('shop', resource, { action: 'importFooForSecondPropertyToUpdate', secondPropertyToUpdate });
    assert.deepEqual(resource.secondPropertyToUpdate, secondPropertyToUpdate);
  }
});

test('E10 setKey sets the key, and takes it away without one', async () => {
  const made = await create('keys', { key: 'old' });
  const renamed = await update('keys', made, { action: 'setKey', key: 'new [1]' });
  assert.equal(renamed.key, 'new [1]');
  assert.equal((await get('/keys/resource/key=new%20%5B1%5D')).json.id, made.id);
  assert.equal((await get('/keys/resource/key=old')).status, 404);
  const without = await update('keys', renamed, { action: 'setKey' });
  assert.equal('key' in without, false);
});

test('E10 setField sets, makes objects on the way, and removes; __proto__ is plain data', async () => {
  const made = await create('shop', { name: { en: 'Cup' } });
  const set = await update('shop', made, { action: 'setField', path: 'name.de', value: 'Tasse' });
  assert.deepEqual(set.name, { en: 'Cup', de: 'Tasse' });
  const deep = await update('shop', set, { action: 'setField', path: 'a.__proto__.polluted', value: 1 });
  assert.deepEqual(Object.keys(deep.a), ['__proto__']);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
  const removed = await update(
    'shop',
    deep,
    { action: 'setField', path: 'name.en' },
    { action: 'setField', path: 'a' },
  );
  assert.deepEqual([removed.name, 'a' in removed], [{ de: 'Tasse' }, false]);
  const known = await update('shop', removed, {
    action: 'setField',
    path: 'objectTypeProperty.arrayOfIntExample',
    value: [6],
  });
  assert.deepEqual(known.objectTypeProperty, { arrayOfIntExample: [6] });
});

test('E10 with a good If-Match is 200, with a stale one 412 although the version is right', async () => {
  const { id } = await create('matching', {});
  const post = (version: number, etag: string) =>
    send('POST', `/matching/resource/${id}`, { version, actions: [touch] }, { 'if-match': etag });
  const tag = String((await get(`/matching/resource/${id}`)).headers.etag);
  assert.equal((await post(1, tag)).status, 200);
  assert.equal(refusalOf(await post(2, tag), 412, 'ConcurrentModification').currentVersion, 2);
});

test('E10 records who changed the resource', async () => {
  const made = await create('shop', {});
  const headers = { 'x-external-user-id': 'jane' };
  const { json } = await send('POST', `/shop/resource/${made.id}`, { version: 1, actions: [touch] }, headers);
  assert.deepEqual(json.lastModifiedBy, { clientId: 'test-admin', externalUserId: 'jane' });
  assert.deepEqual(json.createdBy, { clientId: 'test-admin' });
});

for (const [body, problem] of [
  ['', /the body is empty/],
  ['{"version":1', /line 1/],
  ['[]', /^body: expected an object/],
  ['{}', /^version: Missing required value$/],
  ['{"actions":[]}', /^version: Missing required value$/],
  ['{"version":null,"actions":[]}', /^version: Missing required value$/],
  ['{"version":"1","actions":[]}', /^version: expected an integer/],
  ['{"version":true,"actions":[]}', /^version: expected an integer/],
  ['{"version":1.5,"actions":[]}', /^version: expected an integer/],
  ['{"version":1,"actions":[],"force":true}', /^force: unknown field/],
  ['{"version":1}', /^actions: Missing required value$/],
  ['{"version":1,"actions":{}}', /^actions: expected an array/],
  ['{"version":1,"actions":[1]}', /^actions\[0\]: expected an object/],
  ['{"version":1,"actions":[{}]}', /^actions\[0\]\.action: Missing required value$/],
  ['{"version":1,"actions":[{"action":1}]}', /^actions\[0\]\.action: expected a string/],
  ['{"version":1,"actions":[{"action":"changeSomeProperty"}]}', /^actions\[0\]\.someProperty: Missing/],
  ['{"version":1,"actions":[{"action":"changeSomeProperty","someProperty":1}]}', /someProperty: expected a string/],
  ['{"version":1,"actions":[{"action":"doSomeThing","x":1}]}', /^actions\[0\]\.x: unknown field, doSomeThing takes no/],
  ['{"version":1,"actions":[{"action":"doSomeThing","staged":true}]}', /^actions\[0\]\.staged: unknown field/],
  ['{"version":1,"actions":[{"action":"setKey","key":""}]}', /^actions\[0\]\.key: /],
  ['{"version":1,"actions":[{"action":"setField","value":1}]}', /^actions\[0\]\.path: Missing/],
  ['{"version":1,"actions":[{"action":"setField","path":"a","staged":"true"}]}', /staged: expected a boolean/],
  [
    '{"version":1,"actions":[{"action":"setField","path":"objectTypeProperty.arrayOfIntExample","value":["6"]}]}',
    /objectTypeProperty\.arrayOfIntExample\[0\]: expected an integer/,
  ],
  [
    `{"version":1,"actions":[${Array(501).fill('{"action":"doSomeThing"}')}]}`,
    /^actions: expected at most 500 .*not 501/,
  ],
] as const) {
  test(`E10 of ${body.slice(0, 90)} is 400 InvalidJsonInput that names the path`, async () => {
    const { id } = await create('malformed', { a: 1 });
    const error = refusalOf(await send('POST', `/malformed/resource/${id}`, body), 400, 'InvalidJsonInput');
    assert.match(error.detailedErrorMessage, problem);
    assert.equal((await read('malformed', id)).version, 1);
  });
}

test('E10 with an unknown action is 400 InvalidInput that names it and the known ones', async () => {
  const { id } = await create('shop', {});
  const known = builtInActions.map(({ name }) => name).join(', ');
  for (const action of ['doSomething', 'toString', '__proto__', '', 'apply']) {
    const { message } = refusalOf(
      await send('POST', `/shop/resource/${id}`, { version: 1, actions: [touch, { action }] }),
      400,
      'InvalidInput',
    );
    assert.equal(message, `actions[1].action: unknown action '${action}'; expected one of ${known}`);
  }
});

for (const path of [
  '',
  'a..b',
  '.a',
  'id',
  'version',
  'createdAt',
  'key',
  'lastModifiedBy.clientId',
  'hasStagedChanges',
]) {
  test(`E10 setField of “${path}” is 400`, async () => {
    const { id } = await create('paths', { a: 1 });
    const actions = [{ action: 'setField', path, value: 1 }];
    const response = await send('POST', `/paths/resource/${id}`, { version: 1, actions });
    assert.match(refusalOf(response, 400, 'InvalidInput').message, /^actions\[0\]: path '/);
  });
}

test('E10 setField into a text, or far behind the end of an array, is 400 InvalidOperation', async () => {
  const { id } = await create('paths', { text: 'a', list: [1] });
  for (const path of ['text.a', 'list.2', 'list.x', 'list.-1']) {
    const actions = [{ action: 'setField', path, value: 1 }];
    refusalOf(await send('POST', `/paths/resource/${id}`, { version: 1, actions }), 400, 'InvalidOperation');
  }
});

test('E10 setKey to a key of another resource is 400 DuplicateField', async () => {
  await create('keys', { id: 'owner', key: 'taken' });
  const { id } = await create('keys', {});
  const actions = [{ action: 'setKey', key: 'taken' }];
  const error = refusalOf(await send('POST', `/keys/resource/${id}`, { version: 1, actions }), 400, 'DuplicateField');
  assert.deepEqual(error.conflictingResource, { typeId: 'resource', id: 'owner' });
});

test('E10 of which the last action is refused does nothing', async () => {
  const made = await create('whole', { a: 1 });
  const actions = [
    { action: 'setField', path: 'a', value: 2 },
    { action: 'setKey', key: 'k' },
    { action: 'setField', path: 'a.b', value: 3 },
  ];
  const { message } = refusalOf(
    await send('POST', `/whole/resource/${made.id}`, { version: 1, actions }),
    400,
    'InvalidOperation',
  );
  assert.match(message, /^actions\[2\]: /);
  assert.deepEqual(await read('whole', made.id), made);
  assert.equal((await get('/whole/resource/key=k')).status, 404);
});

test('E10 of what there is not is 404', async () => {
  refusalOf(await send('POST', '/shop/resource/none', { version: 1, actions: [] }), 404, 'ResourceNotFound');
  refusalOf(await send('POST', '/shop/resource/key=none', { version: 1, actions: [] }), 404, 'ResourceNotFound');
});

test('E10 with another version is 409 before anything of the actions is looked at', async () => {
  const { id } = await create('stale', {});
  for (const version of [2, 0, -1, 9007199254740991]) {
    for (const actions of [[], [{ action: 'nonsense' }], 'text', undefined, Array(501).fill(touch)]) {
      const error = refusalOf(
        await send('POST', `/stale/resource/${id}`, { version, actions }),
        409,
        'ConcurrentModification',
      );
      assert.equal(
        error.message,
        `Object ${id} has a different version than expected. Expected: ${version} - Actual: 1.`,
      );
      assert.equal(error.currentVersion, 1);
    }
  }
  const long = '{"version":9007199254740993,"actions":[]}';
  const { message } = refusalOf(await send('POST', `/stale/resource/${id}`, long), 409, 'ConcurrentModification');
  assert.match(message, /Expected: 9007199254740993 - Actual: 1/);
});

test('E10 409 names the fields that changed since the version sent, as far as the history reaches', async () => {
  let resource = await create('changed', { a: 1, b: 1, c: 1 });
  resource = await update('changed', resource, { action: 'setField', path: 'b', value: 2 });
  resource = await update(
    'changed',
    resource,
    { action: 'setKey', key: 'k' },
    { action: 'setField', path: 'a', value: 3 },
  );
  resource = await update('changed', resource, touch);
  const changedSince = async (version: number) => {
    const response = await send('POST', `/changed/resource/${resource.id}`, { version, actions: [] });
    return refusalOf(response, 409, 'ConcurrentModification').changedFields;
  };
  assert.deepEqual(await changedSince(1), ['a', 'b', 'key']);
  assert.deepEqual(await changedSince(2), ['a', 'key']);
  assert.deepEqual(await changedSince(3), []);
  assert.equal(await changedSince(5), undefined);
  for (let i = 0; i < 20; i += 1)
    resource = await update('changed', resource, { action: 'setField', path: 'c', value: i });
  assert.equal(await changedSince(1), undefined);
  assert.deepEqual(await changedSince(4), ['c']);
});

/** Each request is wrong in all that follows too; correcting one mistake at a time shows which is checked first. */
test('E10 of a request that is wrong in everything: the refusals come in the order of decision 3', async () => {
  const { id } = await create('order', {});
  const good = `/order/resource/${id}`;
  const other = `/order/resource/${id}/x`;
  const huge = 'x'.repeat(1_048_577);
  const json = { 'content-type': 'application/json' };
  const text = { 'content-type': 'text/plain' };
  const steps = [
    [{ path: other, scope: 'none', body: huge, headers: text }, 401, 'invalid_token'],
    [{ path: other, scope: 'view_test:order', body: huge, headers: text }, 404, 'ResourceNotFound'],
    [{ path: good, method: 'PUT', scope: 'view_test:order', body: huge, headers: text }, 405, 'MethodNotAllowed'],
    [{ path: good, scope: 'view_test:order', body: huge, headers: text }, 403, 'insufficient_scope'],
    [{ path: good, body: huge, headers: text }, 415, 'UnsupportedMediaType'],
    [{ path: good, body: huge, headers: json }, 413, 'ContentTooLarge'],
    [{ path: '/order/resource/none', body: '{', headers: json }, 400, 'InvalidJsonInput'],
    [{ path: '/order/resource/none', body: '{"actions":7}', headers: json }, 400, 'InvalidJsonInput'],
    [{ path: '/order/resource/none', body: '{"version":7,"actions":7}', headers: json }, 404, 'ResourceNotFound'],
    [{ path: good, body: '{"version":7,"actions":7}', headers: json }, 409, 'ConcurrentModification'],
    [{ path: good, body: '{"version":1,"actions":7}', headers: json }, 400, 'InvalidJsonInput'],
    [{ path: good, body: '{"version":1,"actions":[{"action":"x"}]}', headers: json }, 400, 'InvalidInput'],
  ] as const;
  for (const [request, status, code] of steps) refusalOf(await api.call({ method: 'POST', ...request }), status, code);
});

test('E10 from 40 clients in one version: one is 200, the others 409, and only its change is stored', async () => {
  const { id } = await create('race', {});
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, i) => {
      const actions = [{ action: 'changeSomeProperty', someProperty: `writer ${i}` }];
      return send('POST', `/race/resource/${id}`, { version: 1, actions });
    }),
  );
  const winners = responses.filter(({ status }) => status === 200);
  assert.equal(winners.length, 1);
  assert.equal(responses.filter(({ status }) => status === 409).length, 39);
  assert.deepEqual(await read('race', id), winners[0]!.json);
});
