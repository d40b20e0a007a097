import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

const { api, send, get, create } = await openResources();
const form = 'application/x-www-form-urlencoded';
const pathOf = (projectKey: string, one = 'one', two = 'two') =>
  `/${projectKey}/resource/artificially-complex/path/uri-parameter-one=${encodeURIComponent(one)}/${encodeURIComponent(two)}`;
const seven = [
  ...['arrayOfIntExample', 'arrayOfUniqueIntExample', 'arrayOfTwonumbersExample', 'arrayOfFloatExample'],
  ...['arrayOfNumberNoDefaultsExample', 'arrayOfStringExample', 'arrayOfObjectType'],
];
const objectTypeProperty = {
  arrayOfIntExample: [6, 6],
  arrayOfStringExample: ['a b', 'ü&='],
  arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 2 }],
};

test('E9 creates: 201 with the seven arrays, Location and ETag; then it is 200', async () => {
  const body = { key: 'k', objectTypeProperty };
  const made = await send('POST', pathOf('shop'), body);
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(Object.keys(made.json), seven);
  assert.deepEqual(made.json.arrayOfIntExample, [6, 6]);
  assert.deepEqual(made.json.arrayOfFloatExample, []);
  assert.equal(versionIn(made.headers.etag), 1);
  const again = await send('POST', pathOf('shop'), body);
  assert.deepEqual([again.status, again.headers.etag], [200, made.headers.etag]);
  assert.deepEqual(again.json, made.json);
  assert.equal((await get(made.headers.location!)).json.key, 'k');
});

test('E9 where a form is asked for: 203 with a pair for each item, objects as JSON', async () => {
  const made = await send('POST', pathOf('forms'), { key: 'k', objectTypeProperty }, { accept: form });
  assert.equal(made.status, 203);
  assert.equal(made.headers['content-type'], form);
  assert.deepEqual(
    [...new URLSearchParams(made.text)],
    [
      ['arrayOfIntExample', '6'],
      ['arrayOfIntExample', '6'],
      ['arrayOfStringExample', 'a b'],
      ['arrayOfStringExample', 'ü&='],
      ['arrayOfObjectType', '{"integerExample":1,"integerExampleInt32":2}'],
    ],
  );
  assert.equal((await send('POST', pathOf('forms'), { key: 'k', custom: 'x' }, { accept: form })).status, 203);
  assert.equal((await get('/forms/resource/key=k')).json.version, 2);
});

for (const [accept, status] of [
  ['*/*', 200],
  ['application/json', 200],
  [`${form}, application/json`, 200],
  [`application/json, ${form};q=0.5`, 200],
  [`application/json;q=0.5, ${form}`, 203],
  ['text/html', 200],
] as const) {
  test(`E9 with Accept: ${accept} is ${status}`, async () => {
    await send('POST', pathOf('accepting'), {});
    assert.equal((await send('POST', pathOf('accepting'), {}, { accept })).status, status);
  });
}

test('E9 returns a 64-bit item in both forms with every digit', async () => {
  const body = '{"key":"k","objectTypeProperty":{"arrayOfIntExample":[9007199254740993]}}';
  assert.match((await send('POST', pathOf('digits'), body)).text, /\[9007199254740993\]/);
  const { text } = await send('POST', pathOf('digits'), body, { accept: form });
  assert.equal(text, 'arrayOfIntExample=9007199254740993');
});

test('E9 keeps its properties, and path and query parameters, as fields of the resource', async () => {
  const strings = {
    ...{ custom: 'c', eigthProperty: '8', ninthProperty: '9', tenthProperty: '10', eleventhPropery: '11' },
    ...{ twelthProperty: '12', twelfthProperty: '12b', thirteenthProperty: '13', fourteenthProperty: '14' },
    ...{ fifteenthProperty: '15', unknown: { kept: [1] } },
  };
  const query = '?queryParameterOne=1.5&queryParameterTwo=two%20words';
  await send('POST', pathOf('kept', 'a/b', 'ü x') + query, { id: 'r', ...strings });
  const { json } = await get('/kept/resource/r');
  for (const [name, value] of Object.entries(strings)) assert.deepEqual(json[name], value, name);
  assert.deepEqual([json.uriParameterOne, json.uriParameterTwo], ['a/b', 'ü x']);
  assert.deepEqual([json.queryParameterOne, json.queryParameterTwo], [1.5, 'two words']);
});

test('E9 stores the times and persons of its body as given, on creation and on update', async () => {
  const given = {
    createdAt: '2001-02-03T04:05:06+01:00',
    lastModifiedAt: '2002-02-03T04:05:06.789Z',
    createdBy: { firstName: 'Ada', lastName: 'Jones' },
    lastModifiedBy: { firstName: 'Eve', lastName: 'Moss', shift: 2 },
  };
  await send('POST', pathOf('given'), { id: 'r', ...given });
  const { id, version, createdAt, lastModifiedAt, createdBy, lastModifiedBy } = (await get('/given/resource/r')).json;
  assert.deepEqual({ createdAt, lastModifiedAt, createdBy, lastModifiedBy }, given);
  assert.deepEqual([id, version], ['r', 1]);
  await send('POST', pathOf('given'), { id: 'r', createdAt: '1999-01-01T00:00:00Z' });
  const later = (await get('/given/resource/r')).json;
  assert.deepEqual([later.createdAt, later.createdBy], ['1999-01-01T00:00:00Z', given.createdBy]);
  assert.deepEqual(later.lastModifiedBy, { clientId: 'test-admin' });
});

test('E9 finds its resource by id, else by key, else by the pair of its path parameters', async () => {
  const { id } = await create('found', { key: 'k' });
  const byId = await send('POST', pathOf('found', 'x', '1'), { id, custom: 'a' });
  const byKey = await send('POST', pathOf('found', 'y', '2'), { key: 'k', custom: 'b' });
  assert.deepEqual(
    [byId, byKey].map(({ headers }) => versionIn(headers.etag)),
    [2, 3],
  );
  const pair = await send('POST', pathOf('found', 'x', '1'), {});
  assert.equal(pair.status, 201);
  assert.equal((await send('POST', pathOf('found', 'x', '1'), {})).headers.location, pair.headers.location);
  for (const [one, two] of [
    ['x', '2'],
    ['y', '1'],
    ['x","1', ''],
  ] as const) {
    if (two !== '') assert.equal((await send('POST', pathOf('found', one, two), {})).status, 201, `${one} ${two}`);
  }
  assert.equal((await get('/found/resource')).json.total, 4);
});

test('E9 of one new pair from 20 requests at once: one is 201, the others 200, one resource', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => send('POST', pathOf('race'), {})));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
  assert.equal((await get('/race/resource')).json.total, 1);
});

for (const version of ['7', '-1', '9223372036854775808', '9'.repeat(40)]) {
  test(`E9 with the version ${version.slice(0, 20)}, which is not the current one, is 409 and changes nothing`, async () => {
    const path = pathOf(`expected-${version.length}${version.slice(0, 2)}`);
    assert.equal((await send('POST', path, { custom: 'first' })).status, 201);
    refusalOf(await send('POST', path, { version, custom: 'second' }), 409, 'ConcurrentModification');
    assert.equal((await send('POST', path, { version: '1', custom: 'third' })).status, 200);
  });
}

test('E9 keeps a version that is no integer as externalVersion', async () => {
  for (const version of ['spring-draft', '1.0', '', '1e3', '+1']) {
    await send('POST', pathOf('external'), { id: 'r', version });
    assert.equal((await get('/external/resource/r')).json.externalVersion, version);
  }
});

test('E9 with If-Match and If-None-Match is 412 as for every write', async () => {
  const made = await send('POST', pathOf('conditions'), {}, { 'if-none-match': '*' });
  assert.equal(made.status, 201);
  refusalOf(await send('POST', pathOf('conditions'), {}, { 'if-none-match': '*' }), 412, 'PreconditionFailed');
  refusalOf(await send('POST', pathOf('conditions'), {}, { 'if-match': '"2"' }), 412, 'ConcurrentModification');
  assert.equal((await send('POST', pathOf('conditions'), {}, { 'if-match': made.headers.etag! })).status, 200);
});

for (const [body, problem] of [
  ['[]', /^body: expected an object/],
  ['{"version":1.5}', /^version: expected a string or an integer$/],
  ['{"custom":1}', /^custom: expected a string/],
  ['{"twelthProperty":[]}', /^twelthProperty: expected a string/],
  ['{"twelfthProperty":[]}', /^twelfthProperty: expected a string/],
  ['{"createdAt":"yesterday"}', /^createdAt: expected an ISO 8601/],
  ['{"createdAt":"2026-02-30T00:00:00Z"}', /^createdAt: expected an ISO 8601/],
  ['{"lastModifiedAt":1}', /^lastModifiedAt: expected a string/],
  ['{"createdBy":"Ada"}', /^createdBy: expected an object/],
  ['{"createdBy":{"firstName":1}}', /^createdBy\.firstName: expected a string/],
  ['{"lastModifiedBy":{"lastName":{}}}', /^lastModifiedBy\.lastName: expected a string/],
  ['{"id":".."}', /^id: /],
  ['{"key":7}', /^key: expected a string/],
  ['{"objectTypeProperty":{"arrayOfIntExample":["6"]}}', /arrayOfIntExample\[0\]: expected an integer/],
] as const) {
  test(`E9 of ${body} is 400 InvalidJsonInput that names the path`, async () => {
    const error = refusalOf(await send('POST', pathOf('malformed'), body), 400, 'InvalidJsonInput');
    assert.match(error.detailedErrorMessage, problem);
  });
}

test('E9 with a queryParameterOne that is no number, or twice the same parameter, is 400 InvalidInput', async () => {
  for (const query of ['queryParameterOne=ten', 'queryParameterOne=1&queryParameterOne=2']) {
    const { message } = refusalOf(await send('POST', `${pathOf('malformed')}?${query}`, {}), 400, 'InvalidInput');
    assert.match(message, /queryParameterOne/);
  }
  assert.equal((await get('/malformed/resource')).json.total, 0);
});

test('E9 with an integer as version of a resource that there is not is 400 InvalidOperation, 0 is not', async () => {
  refusalOf(await send('POST', pathOf('unborn'), { version: '1' }), 400, 'InvalidOperation');
  assert.equal((await send('POST', pathOf('unborn'), { version: '0' })).status, 201);
});

test('E9 with id and key of two resources is 400 DuplicateField', async () => {
  await create('two', { id: 'a', key: 'ka' });
  await create('two', { id: 'b', key: 'kb' });
  refusalOf(await send('POST', pathOf('two'), { id: 'a', key: 'kb' }), 400, 'DuplicateField');
});

test('E9 without a token is 401, with view_test 403', async () => {
  const request = { method: 'POST', path: pathOf('p'), body: {} };
  refusalOf(await api.call({ ...request, scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ ...request, scope: 'view_test:p' }), 403, 'insufficient_scope');
});

test('E9 as GET is 405; a path that is not whole is 404', async () => {
  const response = await get(pathOf('shop'));
  refusalOf(response, 405, 'MethodNotAllowed');
  assert.equal(response.headers.allow, 'POST');
  refusalOf(await send('POST', '/shop/resource/artificially-complex/path/other=1/2', {}), 404, 'ResourceNotFound');
  refusalOf(
    await send('POST', '/shop/resource/artificially-complex/path/uri-parameter-one=/2', {}),
    404,
    'ResourceNotFound',
  );
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const beginning = await api.call({ method, path: '/shop/resource/artificially-complex' });
    assert.deepEqual([beginning.status, beginning.headers.allow], [405, 'POST'], method);
  }
  const body = { version: 1, actions: [] };
  const post = refusalOf(await send('POST', '/shop/resource/artificially-complex', body), 404, 'ResourceNotFound');
  assert.match(post.message, /only below it: POST \/\{projectKey\}\/resource\/artificially-complex\/path\/uri-/);
});

test('E9 with a stale integer as version is 409 with the current one', async () => {
  await send('POST', pathOf('stale'), { id: 'r' });
  assert.equal((await send('POST', pathOf('stale'), { id: 'r', version: '1', custom: 'a' })).status, 200);
  for (const version of ['1', '3', '-1', '0']) {
    const error = refusalOf(await send('POST', pathOf('stale'), { id: 'r', version }), 409, 'ConcurrentModification');
    assert.equal(error.currentVersion, 2);
  }
});

test('E9 that leaves the resource as it is writes nothing; other given times or authors are a change', async () => {
  const body = { id: 'r', custom: 'a', createdAt: '2020-01-01', lastModifiedBy: { firstName: 'A', lastName: 'B' } };
  const made = await send('POST', pathOf('same'), body);
  const before = await get('/same/resource/r');
  for (const same of [body, { id: 'r' }, { id: 'r', custom: 'a', version: '1' }]) {
    const again = await send('POST', pathOf('same'), same);
    assert.deepEqual([again.status, again.text, again.headers.etag], [200, made.text, made.headers.etag]);
  }
  assert.equal((await get('/same/resource/r')).text, before.text);
  const given = [{ createdAt: '2020-01-02' }, { lastModifiedAt: '2030-01-01' }, { createdBy: body.lastModifiedBy }];
  for (const [i, change] of given.entries()) {
    const changed = await send('POST', pathOf('same'), { ...body, ...change });
    assert.deepEqual([changed.status, versionIn(changed.headers.etag)], [200, i + 2]);
    body.createdAt = '2020-01-02';
  }
});

test('E9 of a form is 415', async () => {
  refusalOf(await send('POST', pathOf('shop'), 'a=1', { 'content-type': form }), 415, 'UnsupportedMediaType');
});

test('E9 takes a version as a number too: the expected one', async () => {
  await send('POST', pathOf('numeric'), { id: 'r', custom: 'a' });
  const good = await send('POST', pathOf('numeric'), { id: 'r', version: 1, custom: 'b' });
  assert.deepEqual([good.status, versionIn(good.headers.etag)], [200, 2]);
  const stale = refusalOf(
    await send('POST', pathOf('numeric'), { id: 'r', version: 1 }),
    409,
    'ConcurrentModification',
  );
  assert.equal(stale.currentVersion, 2);
  assert.equal('externalVersion' in (await get('/numeric/resource/r')).json, false);
  for (const version of ['1.5', 'true', '9223372036854775808', '{}']) {
    const response = await send('POST', pathOf('numeric'), `{"id":"r","version":${version}}`);
    const { detailedErrorMessage } = refusalOf(response, 400, 'InvalidJsonInput');
    assert.equal(detailedErrorMessage, 'version: expected a string or an integer');
  }
});
