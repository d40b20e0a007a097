import type { Api } from '../api.ts';
import {
  type Check,
  checksOf,
  type Endpoint,
  expectEqual,
  expectRefused,
  expectResource,
  expectStatus,
} from '../check.ts';

const before = { a: 1, b: { c: 2, d: 3 } };

/** Checks that the three ways to write a draft share. */
function sharedChecks(endpoint: Endpoint, method: string, fields: Readonly<Record<string, unknown>>): readonly Check[] {
  const write = async (api: Api, body: unknown, headers = {}) => {
    const answer = await api.send(method, '', { body, headers });
    if (typeof answer.json?.id === 'string') api.owned(answer.json.id);
    return answer;
  };
  return checksOf(endpoint, {
    interface: {
      'creates a resource: 201, an ObjectTestType': async (api) => {
        const objectTypeProperty = { arrayOfIntExample: [1, 1], arrayOfTwonumbersExample: [0.5, 2] };
        const answer = expectStatus(await write(api, { objectTypeProperty }), 201);
        expectResource(answer);
        for (const [name, value] of Object.entries(objectTypeProperty)) {
          expectEqual(answer, name, answer.json.objectTypeProperty[name], value);
        }
      },
      'writes to the resource that is there, whose version rises': async (api) => {
        const key = api.unique(`again-${method}`);
        const first = await write(api, { key, objectTypeProperty: { arrayOfStringExample: ['a'] } });
        const second = await write(api, { key, objectTypeProperty: { arrayOfStringExample: ['b'] } });
        expectStatus(second, 201);
        expectEqual(second, 'a risen version', second.json.version > first.json.version, true);
        expectEqual(second, 'texts', second.json.objectTypeProperty.arrayOfStringExample, ['b']);
      },
    },
    contract: {
      'changes fields in its way': async (api) => {
        const { id } = await api.create(before);
        const answer = expectStatus(await write(api, { id, b: { c: 4 }, e: 5 }), 201);
        const { a, b, e } = answer.json;
        expectEqual(answer, 'the fields', { a, b, e }, fields);
      },
      'a stale version is 409 and names the current one': async (api) => {
        const { id, version } = await api.create({ a: 1 });
        await api.create({ id, a: 2 });
        const answer = await write(api, { id, version, a: 3 });
        expectRefused(answer, 409, 'ConcurrentModification');
        expectEqual(answer, 'currentVersion', answer.json.errors[0].currentVersion, version + 1);
      },
      'If-Match with the tag of another version is 412, and nothing is written': async (api) => {
        const { id, version } = await api.create({ a: 1 });
        expectRefused(await write(api, { id, a: 2 }, { 'if-match': '"0"' }), 412);
        const answer = await api.send('GET', `/${id}`);
        expectEqual(answer, 'version', answer.json.version, version);
      },
      'If-None-Match: * creates, and is 412 for what is there': async (api) => {
        const key = api.unique(`only-new-${method}`);
        expectStatus(await write(api, { key }, { 'if-none-match': '*' }), 201);
        expectRefused(await write(api, { key, a: 1 }, { 'if-none-match': '*' }), 412);
      },
      'a draft that changes nothing makes no version': async (api) => {
        const draft = { key: api.unique(`same-${method}`), a: 1 };
        const first = await write(api, draft);
        const second = expectStatus(await write(api, draft), 201);
        expectEqual(second, 'version', second.json.version, first.json.version);
      },
      'a body that is not a JSON object, or has another type, is 400': async (api) => {
        expectRefused(await write(api, '{"a":'), 400, 'InvalidJsonInput');
        expectRefused(await write(api, '[]'), 400);
        expectRefused(await write(api, { objectTypeProperty: { arrayOfIntExample: ['a'] } }), 400);
        expectRefused(await write(api, 'a=b', { 'content-type': 'text/plain' }), 415);
      },
    },
  });
}

/** Writes by draft (E6–E8). */
export const draftChecks: readonly Check[] = [
  ...sharedChecks('E6', 'POST', { a: 1, b: { c: 4 }, e: 5 }),
  ...checksOf('E6', {
    interface: {},
    contract: {
      'a repeated Idempotency-Key gets the first answer': async (api) => {
        const sent = { body: { a: 1 }, headers: { 'idempotency-key': api.unique('once') } };
        const first = await api.send('POST', '', sent);
        const second = await api.send('POST', '', sent);
        api.owned(first.json.id);
        expectStatus(second, 201);
        expectEqual(second, 'id', second.json.id, first.json.id);
      },
      'a key that another resource has is 400': async (api) => {
        const key = api.unique('taken');
        await api.create({ key });
        expectRefused(await api.send('POST', '', { body: { id: api.unique('other'), key } }), 400, 'DuplicateField');
      },
    },
  }),
  ...sharedChecks('E7', 'PATCH', { a: 1, b: { c: 4, d: 3 }, e: 5 }),
  ...checksOf('E7', {
    interface: {},
    contract: {
      'null removes a field': async (api) => {
        const { id } = await api.create(before);
        const answer = expectStatus(await api.send('PATCH', '', { body: { id, a: null, b: { c: null } } }), 201);
        const { a, b } = answer.json;
        expectEqual(answer, 'the fields', { a, b }, { b: { d: 3 } });
      },
    },
  }),
  ...sharedChecks('E8', 'PUT', { b: { c: 4 }, e: 5 }),
];
