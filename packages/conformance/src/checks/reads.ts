import {
  type Check,
  checksOf,
  expectEqual,
  expectJson,
  expectRefused,
  expectResource,
  expectStatus,
} from '../check.ts';

/** Reads of one resource (E2, E3), and who may read. */
export const readChecks: readonly Check[] = [
  ...checksOf('E2', {
    interface: {
      'a resource is read by its id: 200, an ObjectTestType': async (api) => {
        const { id, version } = await api.create({ objectTypeProperty: { arrayOfStringExample: ['a'] } });
        const answer = expectStatus(await api.send('GET', `/${id}`), 200);
        expectResource(answer);
        expectEqual(answer, 'id and version', [answer.json.id, answer.json.version], [id, version]);
        expectEqual(answer, 'its texts', answer.json.objectTypeProperty.arrayOfStringExample, ['a']);
      },
      'both optional query parameters are taken': async (api) => {
        const { id } = await api.create();
        expectStatus(await api.send('GET', `/${id}?optionalQueryParameter=a&secondOptionalQueryParameter=b`), 200);
      },
    },
    contract: {
      'an unknown id is 404': async (api) => {
        expectRefused(await api.send('GET', `/${api.unique('none')}`), 404, 'ResourceNotFound');
      },
      'the fields of a client are returned as they were sent': async (api) => {
        const own = { name: { en: 'Shoe', de: 'Schuh' }, tags: ['a', null, 1.5, true, {}], 'odd name ✓': '' };
        const { id } = await api.create(own);
        const answer = await api.send('GET', `/${id}`);
        for (const [name, value] of Object.entries(own)) expectEqual(answer, name, answer.json[name], value);
      },
      'integers of 64 bits keep their digits': async (api) => {
        const { id } = await api.create();
        const body = `{"id":"${id}","objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}`;
        expectStatus(await api.send('PUT', '', { body }), 201);
        const answer = await api.send('GET', `/${id}`);
        const digits = /"arrayOfIntExample":\s*\[\s*(\d+)/.exec(answer.text)?.[1];
        expectEqual(answer, 'the integer', digits, '9223372036854775807');
      },
      'If-None-Match with the entity tag is 304': async (api) => {
        const { id } = await api.create();
        const etag = (await api.send('GET', `/${id}`)).headers.get('etag') ?? '';
        expectStatus(await api.send('GET', `/${id}`, { headers: { 'if-none-match': etag } }), 304);
        expectStatus(await api.send('GET', `/${id}`, { headers: { 'if-none-match': '"another"' } }), 200);
      },
    },
  }),
  ...checksOf('E3', {
    interface: {
      'a resource is read by its key: 200, an ObjectTestType': async (api) => {
        const key = api.unique('key');
        await api.create({ key });
        const answer = expectStatus(await api.send('GET', `/key=${key}`), 200);
        expectResource(answer);
        expectEqual(answer, 'key', answer.json.key, key);
      },
      'a key may need percent-encoding': async (api) => {
        const key = api.unique('a/b c=ü?%');
        await api.create({ key });
        const answer = expectStatus(await api.send('GET', `/key=${encodeURIComponent(key)}`), 200);
        expectEqual(answer, 'key', answer.json.key, key);
      },
    },
    contract: {
      'an unknown key is 404': async (api) => {
        expectRefused(await api.send('GET', `/key=${api.unique('none')}`), 404, 'ResourceNotFound');
      },
    },
  }),
  ...checksOf('access', {
    interface: {
      'view_test may read': async (api) => {
        const { id } = await api.create();
        for (const path of [`/${id}`, '', '/sorted-query-parameters', '/searchApiPattern']) {
          expectStatus(await api.send('GET', path, { right: 'view' }), 200);
        }
      },
      'view_test may not write': async (api) => {
        const { id, version } = await api.create();
        for (const method of ['POST', 'PATCH', 'PUT']) {
          expectStatus(await api.send(method, '', { body: { id }, right: 'view' }), 401, 403);
        }
        expectStatus(await api.send('DELETE', `/${id}`, { right: 'view' }), 401, 403);
        const answer = expectStatus(await api.send('GET', `/${id}`), 200);
        expectEqual(answer, 'version', answer.json.version, version);
      },
    },
    contract: {
      'a request without a token is 401, with a challenge': async (api) => {
        const answer = await api.send('GET', '', { right: 'none' });
        expectRefused(answer, 401, 'invalid_token');
        expectEqual(answer, 'a challenge', /^Bearer\b/i.test(answer.headers.get('www-authenticate') ?? ''), true);
      },
      'a forged token is 401': async (api) => {
        const headers = { authorization: 'Bearer forged' };
        expectRefused(await api.send('GET', '', { headers }), 401, 'invalid_token');
      },
      'view_test for a write is 403, and so is a token for another project': async (api) => {
        expectRefused(await api.send('POST', '', { body: {}, right: 'view' }), 403, 'insufficient_scope');
        const other = await api.sendTo('GET', `${api.baseUrl}/${api.unique('other')}/resource`);
        expectRefused(other, 403, 'insufficient_scope');
      },
      'every answer has a correlation id, a given one comes back': async (api) => {
        const given = api.unique('correlation');
        const answer = await api.send('GET', '', { headers: { 'x-correlation-id': given } });
        expectJson(answer);
        expectEqual(answer, 'X-Correlation-ID', answer.headers.get('x-correlation-id'), given);
        const other = await api.send('GET', '', { right: 'none' });
        expectEqual(other, 'an X-Correlation-ID', (other.headers.get('x-correlation-id') ?? '') !== '', true);
      },
    },
  }),
];
