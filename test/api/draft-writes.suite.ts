import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

/** What POST, PATCH and PUT on the collection have in common (decisions 3, 7–10). Each has a test file that runs it. */
export async function testDraftWrites(name: string, method: 'POST' | 'PATCH' | 'PUT'): Promise<void> {
  const { api, send, get, create, read } = await openResources();
  const write = (projectKey: string, draft: unknown, headers: Readonly<Record<string, string>> = {}) =>
    send(method, `/${projectKey}/resource`, draft, headers);

  test(`${name} without a target creates: 201, version 1, ETag, and a Location that returns the same`, async () => {
    const { status, headers, json, text } = await write('new', { colour: 'red' });
    assert.equal(status, 201);
    assert.match(json.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual([json.version, json.colour, versionIn(headers.etag)], [1, 'red', 1]);
    assert.equal(headers.location, `/new/resource/${json.id}`);
    assert.equal((await get(headers.location)).text, text);
  });

  test(`${name} returns system fields first, then the client's in their order, and always objectTypeProperty`, async () => {
    const draft = '{"z":1,"key":"k","a":{"y":1,"b":2},"hasStagedChanges":true,"createdAt":"x","m":[]}';
    const { json } = await write('order', draft);
    const names = ['id', 'version', 'key', 'createdAt', 'lastModifiedAt', 'createdBy', 'lastModifiedBy'];
    assert.deepEqual(Object.keys(json), [...names, 'z', 'a', 'm', 'objectTypeProperty']);
    assert.deepEqual(Object.keys(json.a), ['y', 'b']);
    assert.deepEqual(json.objectTypeProperty, {});
    assert.equal(new Date(json.createdAt).toISOString(), json.createdAt);
    assert.equal(json.lastModifiedAt, json.createdAt);
  });

  test(`${name} records who wrote: the client of the token and X-External-User-ID`, async () => {
    const { json } = await write('authors', { key: 'k' }, { 'x-external-user-id': 'jane' });
    assert.deepEqual(json.createdBy, { clientId: 'test-admin', externalUserId: 'jane' });
    const { json: later } = await write('authors', { key: 'k', a: 1 });
    assert.deepEqual(later.createdBy, json.createdBy);
    assert.deepEqual(later.lastModifiedBy, { clientId: 'test-admin' });
    const same = await write('authors', { key: 'k', a: 1 }, { 'x-external-user-id': 'jane' });
    assert.deepEqual(same.json, later);
    refusalOf(await write('authors', {}, { 'x-external-user-id': 'ü' }), 400, 'InvalidInput');
  });

  test(`${name} with null for a field: it is absent`, async () => {
    const { json } = await write('nulls', '{"a":null,"id":null,"key":null,"version":null,"objectTypeProperty":null}');
    assert.deepEqual([json.version, json.objectTypeProperty], [1, {}]);
    assert.equal('a' in json || 'key' in json, false);
    const known = await write(
      'nulls',
      '{"objectTypeProperty":{"arrayOfIntExample":null,"arrayOfStringExample":["a"]}}',
    );
    assert.deepEqual(known.json.objectTypeProperty, { arrayOfStringExample: ['a'] });
  });

  test(`${name} keeps fields named like parts of every object as plain data, on every level`, async () => {
    const own =
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"a":{"__proto__":[1]}';
    const { status, text, json } = await write('names', `{${own}}`);
    assert.equal(status, 201, text);
    assert.ok(text.includes(own), text);
    assert.equal((await get(`/names/resource/${json.id}`)).text, text);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });

  for (const id of ['a/b', 'ü', '%', '%2F', 'a b', '?x#y', '...', 'key', '"', '\u{1F600}', 'é'.repeat(256)]) {
    test(`${name} with the id ${JSON.stringify(id).slice(0, 20)} creates it; its Location, percent-encoded, finds it`, async () => {
      const { status, headers, text, json } = await write('ids', { id });
      assert.equal(status, 201, text);
      assert.equal(json.id, id);
      assert.equal(headers.location, `/ids/resource/${encodeURIComponent(id)}`);
      assert.equal((await get(headers.location)).text, text);
    });
  }

  test(`${name} finds its target by id, else by key; the key of an existing one changes where its id is given`, async () => {
    const { id } = await create('targets', { key: 'k' });
    const byKey = await write('targets', { key: 'k', n: 1 });
    assert.deepEqual([byKey.status, byKey.json.id, byKey.json.version], [201, id, 2]);
    const byId = await write('targets', { id, n: 2 });
    assert.deepEqual([byId.status, byId.json.key, byId.json.version], [201, 'k', 3]);
    const both = await write('targets', { id, key: 'k', n: 3 });
    assert.deepEqual([both.json.id, both.json.version], [id, 4]);
    const renamed = await write('targets', { id, key: 'k2' });
    assert.deepEqual([renamed.json.key, renamed.json.version], ['k2', 5]);
    assert.equal((await get('/targets/resource/key=k')).status, 404);
    const taken = await write('targets', { id, key: null });
    assert.equal('key' in taken.json, false);
    assert.equal(taken.headers.location, `/targets/resource/${id}`);
  });

  test(`${name} takes version 0 for a new resource, the current one for an existing one`, async () => {
    const made = await write('versions', { key: 'k', version: 0 });
    assert.deepEqual([made.status, made.json.version], [201, 1]);
    const changed = await write('versions', { key: 'k', version: 1, a: 1 });
    assert.deepEqual([changed.status, changed.json.version, versionIn(changed.headers.etag)], [201, 2, 2]);
  });

  test(`${name} of its own response changes nothing, the version and the tag included`, async () => {
    const arrays = '"objectTypeProperty":{"arrayOfIntExample":[6]}';
    const made = await write('again', `{"key":"k","a":[1],"b":{"x":null},"big":9007199254740993,${arrays}}`);
    const reordered = `{${arrays},"big":9007199254740993,"b":{"x":null},"a":[1],"key":"k","createdAt":"ignored"}`;
    // A merge would remove what is null.
    for (const body of method === 'PATCH' ? ['{"key":"k"}', '{"key":"k","a":[1]}'] : [made.text, reordered]) {
      const again = await write('again', body);
      assert.deepEqual([again.status, again.text], [201, made.text]);
      assert.deepEqual([again.headers.etag, again.headers.location], [made.headers.etag, made.headers.location]);
    }
    assert.equal((await get(String(made.headers.location))).text, made.text);
  });

  test(`${name} that changes nothing: the version and the conditions are checked first`, async () => {
    const { headers } = await write('checked', { key: 'k', a: 1 });
    refusalOf(await write('checked', { key: 'k', a: 1, version: 2 }), 409, 'ConcurrentModification');
    refusalOf(await write('checked', { key: 'k', a: 1 }, { 'if-match': '"1"' }), 412, 'ConcurrentModification');
    refusalOf(await write('checked', { key: 'k', a: 1 }, { 'if-none-match': '*' }), 412, 'PreconditionFailed');
    const same = await write('checked', { key: 'k', a: 1, version: 1 }, { 'if-match': headers.etag! });
    assert.deepEqual([same.status, same.json.version], [201, 1]);
  });

  test(`${name} that changes nothing, with an Idempotency-Key: its response is repeated after other writes`, async () => {
    await write('keyed', { key: 'k', a: 1 });
    const headers = { 'idempotency-key': 'same' };
    const first = await write('keyed', { key: 'k', a: 1 }, headers);
    assert.deepEqual([first.status, first.json.version], [201, 1]);
    assert.equal((await write('keyed', { key: 'k', a: 2 })).json.version, 2);
    // PUT is idempotent by itself, so it takes no key: it is a write like any other.
    const expected = method === 'PUT' ? [201, 3, 1] : [201, 1, 1];
    const repeat = await write('keyed', { key: 'k', a: 1 }, headers);
    assert.deepEqual([repeat.status, repeat.json.version, repeat.json.a], expected);
    if (method !== 'PUT') refusalOf(await write('keyed', { key: 'k', a: 3 }, headers), 422, 'IdempotencyKeyReused');
  });

  test(`${name} of a key, a number or an order of items that differs is a change; of 1.0 for 1 it is none`, async () => {
    await write('differs', '{"id":"i","key":"k","n":9007199254740993,"list":[1,2],"one":1}');
    const versions: number[] = [];
    for (const fields of ['"one":1.0', '"n":9007199254740992', '"list":[2,1]', '"one":"1"', '"list":[2,1,null]']) {
      const merged = await write(
        'differs',
        method === 'PUT' ? `{"id":"i","key":"k",${fields}}` : `{"id":"i",${fields}}`,
      );
      versions.push(merged.json.version);
    }
    assert.deepEqual(versions, method === 'PUT' ? [2, 3, 4, 5, 6] : [1, 2, 3, 4, 5]);
    assert.equal((await write('differs', { id: 'i', key: 'other' })).json.version, versions.at(-1)! + 1);
    assert.equal((await write('differs', { id: 'i', key: null })).json.version, versions.at(-1)! + 2);
  });

  test(`${name}: of 40 concurrent upserts of one new key comes one resource with 40 versions`, async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) => write('race', { key: 'k', [`f${i}`]: i })),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(responses.map(({ json }) => json.id)).size, 1);
    assert.equal(new Set(responses.map(({ json }) => json.version)).size, 40);
    const { json } = await get('/race/resource?limit=500');
    assert.equal(json.total, 1);
    assert.equal((await read('race', json.results[0].id)).version, 40);
  });

  test(`${name} with If-Match: the current version 201, another 412 that names the current one`, async () => {
    const { id } = await create('matching', { key: 'k', a: 1 });
    const tag = String((await get(`/matching/resource/${id}`)).headers.etag);
    const good = await write('matching', { key: 'k', a: 2 }, { 'if-match': tag });
    assert.deepEqual([good.status, good.json.version], [201, 2]);
    assert.equal(
      (await write('matching', { key: 'k', a: 3 }, { 'if-match': `"7", ${good.headers.etag}` })).status,
      201,
    );
    assert.equal((await write('matching', { key: 'k', a: 4 }, { 'if-match': '*' })).status, 201);
    const stale = refusalOf(
      await write('matching', { key: 'k', a: 5 }, { 'if-match': tag }),
      412,
      'ConcurrentModification',
    );
    assert.equal(stale.message, `Object ${id} has a different version than expected. Expected: 1 - Actual: 4.`);
    assert.equal(stale.currentVersion, 4);
    assert.deepEqual(stale.changedFields, ['a']);
    // Weak tags never match (RFC 9110 §13.1.1).
    const weak = `W/${(await get(`/matching/resource/${id}`)).headers.etag}`;
    refusalOf(await write('matching', { key: 'k', a: 5 }, { 'if-match': weak }), 412, 'PreconditionFailed');
    assert.deepEqual([(await read('matching', id)).version, (await read('matching', id)).a], [4, 4]);
  });

  test(`${name} with If-Match and no such resource: 412, and none is made`, async () => {
    refusalOf(await write('absent', { key: 'k' }, { 'if-match': '*' }), 412, 'PreconditionFailed');
    refusalOf(await write('absent', { id: 'i' }, { 'if-match': '"1"' }), 412, 'PreconditionFailed');
    refusalOf(await write('absent', {}, { 'if-match': '"1"' }), 412, 'PreconditionFailed');
    assert.equal((await get('/absent/resource')).json.total, 0);
  });

  test(`${name} with If-None-Match: * only creates; an existing target is 412 and stays`, async () => {
    const condition = { 'if-none-match': '*' };
    assert.equal((await write('creating', { key: 'k', a: 1 }, condition)).status, 201);
    const existing = refusalOf(await write('creating', { key: 'k', a: 2 }, condition), 412, 'PreconditionFailed');
    assert.equal(existing.currentVersion, 1);
    assert.equal((await get('/creating/resource/key=k')).json.a, 1);
  });

  for (const [body, problem] of [
    ['', /the body is empty; expected a JSON value/],
    ['{', /line 1, column 2/],
    ['{"a":1,}', /line 1, column 8/],
    ['{"a":1}\n x', /line 2, column 2: expected the end of the JSON text/],
    ['{"a":1,"a":2}', /duplicate key "a"/],
    ['{"a":01}', /column 7/],
    ["{'a':1}", /double quotes/],
    ['{"a":NaN}', /expected a JSON value/],
    ['{"a":1e400}', /^a .*within the range of a double/],
    ['{"a":"\\ud800"}', /surrogate/],
    ['{"a":"\\u0000"}', /^a .*string without NUL/],
    ['\ufeff{}', /byte order mark/],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, /at most 64 levels/],
    ['[]', /^body: expected an object/],
    ['"text"', /^body: expected an object/],
    ['null', /^body: expected an object/],
    ['{"id":1}', /^id: expected a string/],
    ['{"id":""}', /^id: expected a string of 1 to 256/],
    [`{"id":"${'x'.repeat(257)}"}`, /^id: expected a string of 1 to 256/],
    ['{"id":"a\\nb"}', /^id: expected a string without control/],
    ['{"id":"."}', /^id: /],
    ['{"id":".."}', /^id: /],
    ['{"id":"key=a"}', /^id: .*key=/],
    ['{"id":"images"}', /^id: .*endpoint/],
    ['{"id":"sorted-query-parameters"}', /^id: .*endpoint/],
    ['{"key":{}}', /^key: expected a string/],
    ['{"key":""}', /^key: expected a string of 1 to 256/],
    ['{"key":"a\\u007f"}', /^key: expected a string without control/],
    ['{"version":"1"}', /^version: expected an integer/],
    ['{"version":true}', /^version: expected an integer/],
    ['{"version":1.5}', /^version: expected an integer/],
    ['{"version":-1}', /^version: expected an integer of at least 0/],
    ['{"version":99999999999999999999}', /^version: expected an integer of 64 bits/],
    ['{"objectTypeProperty":[]}', /^objectTypeProperty: expected an object/],
    ['{"objectTypeProperty":{"arrayOfIntExample":6}}', /^objectTypeProperty\.arrayOfIntExample: expected an array/],
    [
      '{"objectTypeProperty":{"arrayOfIntExample":[1,2,"3"]}}',
      /^objectTypeProperty\.arrayOfIntExample\[2\]: expected an integer/,
    ],
    ['{"objectTypeProperty":{"arrayOfIntExample":[1.5]}}', /\[0\]: expected an integer/],
    ['{"objectTypeProperty":{"arrayOfIntExample":[null]}}', /\[0\]: expected an integer/],
    ['{"objectTypeProperty":{"arrayOfIntExample":[9223372036854775808]}}', /\[0\]: expected an integer of 64 bits/],
    ['{"objectTypeProperty":{"arrayOfUniqueIntExample":[1,2,1]}}', /\[2\]: expected unique items/],
    ['{"objectTypeProperty":{"arrayOfUniqueIntExample":[1,1.0]}}', /\[1\]: expected unique items/],
    ['{"objectTypeProperty":{"arrayOfTwonumbersExample":[1]}}', /expected exactly two numbers, not 1/],
    ['{"objectTypeProperty":{"arrayOfTwonumbersExample":[1,2,3]}}', /expected exactly two numbers, not 3/],
    ['{"objectTypeProperty":{"arrayOfTwonumbersExample":[1,"2"]}}', /\[1\]: expected a number/],
    ['{"objectTypeProperty":{"arrayOfFloatExample":["1.5"]}}', /\[0\]: expected a number/],
    ['{"objectTypeProperty":{"arrayOfNumberNoDefaultsExample":[true]}}', /\[0\]: expected a number/],
    ['{"objectTypeProperty":{"arrayOfStringExample":["a",1]}}', /\[1\]: expected a string/],
    ['{"objectTypeProperty":{"arrayOfObjectType":[1]}}', /\[0\]: expected an object/],
    [
      '{"objectTypeProperty":{"arrayOfObjectType":[{"integerExample":"1"}]}}',
      /\[0\]\.integerExample: expected an integer/,
    ],
    [
      '{"objectTypeProperty":{"arrayOfObjectType":[{"integerExampleInt32":2147483648}]}}',
      /integerExampleInt32: expected an integer from/,
    ],
    [
      '{"objectTypeProperty":{"arrayOfObjectType":[{"integerExampleInt32":-2147483649}]}}',
      /integerExampleInt32: expected an integer from/,
    ],
  ] as const) {
    test(`${name} of ${body.toString('utf8').slice(0, 80)} is 400 InvalidJsonInput that names the path`, async () => {
      const error = refusalOf(await write('malformed', body), 400, 'InvalidJsonInput');
      // JSON of the wrong shape is told apart from what is not JSON, or not within its limits.
      const isShape = /^(?:body|id|key|version|objectTypeProperty\b.*): /.test(error.detailedErrorMessage);
      const shape = `Malformed request body: ${error.detailedErrorMessage}.`;
      assert.equal(error.message, isShape ? shape : 'Request body does not contain valid JSON.');
      assert.match(error.detailedErrorMessage, problem);
    });
  }

  test(`${name} after all these refusals: nothing was made`, async () => {
    assert.equal((await get('/malformed/resource')).json.total, 0);
  });

  test(`${name} with a version other than 0 and no such resource is 400 InvalidOperation`, async () => {
    for (const draft of [{ version: 1 }, { version: 1, id: 'x' }, { version: 3, key: 'x' }]) {
      refusalOf(await write('unborn', draft), 400, 'InvalidOperation');
    }
    assert.equal((await get('/unborn/resource')).json.total, 0);
  });

  test(`${name} with an id and a key of two resources is 400 DuplicateField and changes neither`, async () => {
    const first = await create('two', { key: 'a' });
    const second = await create('two', { key: 'b' });
    for (const id of [first.id, 'another']) {
      const error = refusalOf(await write('two', { id, key: 'b', x: 1 }), 400, 'DuplicateField');
      assert.deepEqual([error.field, error.duplicateValue], ['key', 'b']);
      assert.deepEqual(error.conflictingResource, { typeId: 'resource', id: second.id });
    }
    assert.deepEqual(await read('two', first.id), first);
    assert.deepEqual(await read('two', second.id), second);
  });

  for (const [header, value] of [
    ['if-match', '3'],
    ['if-match', ''],
    ['if-match', '"1" "2"'],
    ['if-none-match', 'abc'],
  ] as const) {
    test(`${name} with ${header}: ${value || '(empty)'} is 400 InvalidInput`, async () => {
      const { message } = refusalOf(await write('headers', {}, { [header]: value }), 400, 'InvalidInput');
      assert.match(message, /^Malformed parameter: If-(None-)?Match: /);
    });
  }

  test(`${name} without a token is 401, with view_test 403`, async () => {
    const request = { method, path: '/p/resource', body: {} };
    refusalOf(await api.call({ ...request, scope: 'none' }), 401, 'invalid_token');
    refusalOf(await api.call({ ...request, scope: 'view_test:p' }), 403, 'insufficient_scope');
  });

  test(`${name} with a stale version is 409 with the current one and what changed since`, async () => {
    await create('stale', { key: 'k', a: 1, b: 1 });
    await write('stale', { key: 'k', a: 2, b: 1 });
    for (const version of [1, 0, 3]) {
      const error = refusalOf(await write('stale', { key: 'k', a: 9, version }), 409, 'ConcurrentModification');
      assert.match(error.message, new RegExp(`^Object .+ Expected: ${version} - Actual: 2\\.$`));
      assert.equal(error.currentVersion, 2);
      assert.deepEqual(error.changedFields, version === 1 ? ['a'] : undefined);
    }
    assert.equal((await get('/stale/resource/key=k')).json.a, 2);
  });

  test(`${name} of a body over the limit is 413, of one at the limit 201`, async () => {
    const text = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    const largest = await write('sizes', text(1_048_576));
    assert.equal(largest.status, 201, largest.text.slice(0, 200));
    refusalOf(await write('sizes', text(1_048_577)), 413, 'ContentTooLarge');
  });

  for (const [type, encoding] of [
    ['text/plain', undefined],
    ['application/jsonx', undefined],
    ['application/json-patch+json', undefined],
    ['application/json; charset=latin1', undefined],
    ['', undefined],
    ['application/json', 'br'],
  ] as const) {
    test(`${name} as “${type}” ${encoding ?? ''} is 415`, async () => {
      const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) };
      refusalOf(await write('types', '{}', headers), 415, 'UnsupportedMediaType');
    });
  }
}
