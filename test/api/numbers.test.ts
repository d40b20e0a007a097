import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

/** Responses are compared as texts: JSON.parse would round both sides alike (decision 5). */
const { send, get } = await openResources();
const integers = [
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '-9007199254740993',
  '4611686018427388',
];

for (const digits of integers) {
  const arrays = `{"arrayOfIntExample":[${digits}],"arrayOfUniqueIntExample":[${digits}],"arrayOfTwonumbersExample":[0,${digits}],"arrayOfFloatExample":[${digits}],"arrayOfObjectType":[{"integerExample":${digits}}]}`;
  const where = (text: string) => `where=${encodeURIComponent(text)}`;

  test(`${digits} survives create, read, patch, overwrite and updates digit by digit`, async () => {
    const expected = `"n":${digits},"objectTypeProperty":${arrays}`;
    for (const method of ['POST', 'PATCH', 'PUT']) {
      const { status, text, headers } = await send(
        method,
        '/writes/resource',
        `{"key":"k${digits}","by":"${method}","n":${digits},"objectTypeProperty":${arrays}}`,
      );
      assert.equal(status, 201, text);
      assert.ok(text.includes(expected), `${method}: ${text}`);
      assert.equal((await get(headers.location!)).text, text);
    }
    const path = `/writes/resource/key=k${digits}`;
    const actions = [
      `{"action":"setField","path":"m","value":${digits}}`,
      `{"action":"importFooForSecondPropertyToUpdate","secondPropertyToUpdate":{"foo":${digits}}}`,
    ];
    const updated = await send('POST', path, `{"version":3,"actions":[${actions}]}`);
    assert.equal(updated.status, 200, updated.text);
    for (const part of [expected, `"m":${digits}`, `{"foo":${digits}}`])
      assert.ok(updated.text.includes(part), updated.text);
    const touched = await send('POST', path, '{"version":4,"actions":[{"action":"doSomeThing"}]}');
    assert.ok(touched.text.includes(expected), touched.text);
    assert.ok((await send('DELETE', path)).text.includes(expected));
  });

  test(`${digits} is found by its exact value, not by its neighbours, and returned by lists digit by digit`, async () => {
    const project = `/lists-${digits}/resource`;
    await send('POST', project, `{"key":"k","n":${digits},"objectTypeProperty":${arrays}}`);
    for (const neighbour of [BigInt(digits) - 1n, BigInt(digits) + 1n]) {
      await send('POST', project, `{"n":${BigInt.asIntN(64, neighbour) === neighbour ? neighbour : 0}}`);
    }
    for (const query of [where(`n = ${digits}`), where(`arrayOfIntExample contains any (${digits})`)]) {
      const { status, text, json } = await get(`${project}/sorted-query-parameters?${query}`);
      assert.deepEqual([status, json.count], [200, 1], text);
      assert.ok(text.includes(`"n":${digits},"objectTypeProperty":${arrays}`), text);
    }
    const { text, json } = await get(`${project}?integerParameter=${digits}`);
    assert.equal(json.total, 1, text);
    assert.ok(text.includes(`"arrayOfIntExample":[${digits}]`), text);
    assert.equal((await send('HEAD', `${project}?integerParameter=${digits}`)).status, 200);
    assert.equal(
      (await send('HEAD', `${project}?integerParameter=${BigInt(digits) - (digits[0] === '-' ? -2n : 2n)}`)).status,
      404,
    );
  });
}

test('a long integer is ordered by its exact value among its neighbours', async () => {
  for (const n of ['9007199254740993', '9007199254740992', '9007199254740994'])
    await send('POST', '/order/resource', `{"n":${n}}`);
  const { text } = await get('/order/resource/sorted-query-parameters?sort=n');
  const digits = [...text.matchAll(/"n":(\d+)/g)].map((match) => match[1]);
  assert.deepEqual(digits, ['9007199254740992', '9007199254740993', '9007199254740994']);
});

for (const [written, kept] of [
  ['1.0', '1'],
  ['1e3', '1000'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['1.10', '1.1'],
  ['1E-7', '1e-7'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['1e-400', '0'],
  ['5e-324', '5e-324'],
  ['1.7976931348623157e308', '1.7976931348623157e+308'],
] as const) {
  test(`${written} is kept as ${kept}`, async () => {
    const { status, text } = await send('POST', '/spellings/resource', `{"n":${written}}`);
    assert.equal(status, 201, text);
    assert.ok(text.includes(`"n":${kept},`), text);
  });
}

for (const n of ['1e400', '-1e400', '1.8e308', '01', '+1', '.5', '1.', '0x10', 'Infinity', '1_000']) {
  test(`${n} is 400 everywhere`, async () => {
    refusalOf(await send('POST', '/refused/resource', `{"n":[${n}]}`), 400, 'InvalidJsonInput');
  });
}

test('integerExampleInt32 takes its bounds and nothing beyond; arrayOfIntExample takes 1.0 as 1', async () => {
  const draft = (int32: string) => `{"objectTypeProperty":{"arrayOfObjectType":[{"integerExampleInt32":${int32}}]}}`;
  for (const good of ['2147483647', '-2147483648', '1.0']) {
    assert.equal((await send('POST', '/bounds/resource', draft(good))).status, 201, good);
  }
  for (const bad of ['2147483648', '-2147483649', '1.5', '"1"']) {
    refusalOf(await send('POST', '/bounds/resource', draft(bad)), 400, 'InvalidJsonInput');
  }
  const { json } = await send('POST', '/bounds/resource', '{"objectTypeProperty":{"arrayOfIntExample":[1.0,1e2]}}');
  assert.deepEqual(json.objectTypeProperty.arrayOfIntExample, [1, 100]);
});
