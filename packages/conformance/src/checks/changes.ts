import type { Api } from '../api.ts';
import {
  type Check,
  checksOf,
  expectEqual,
  expectRefused,
  expectResource,
  expectStatus,
  expectThat,
} from '../check.ts';

const setting = (someProperty: string) => ({ action: 'changeSomeProperty', someProperty });

const complexPath = (one: string, two: string) =>
  `/artificially-complex/path/uri-parameter-one=${encodeURIComponent(one)}/${encodeURIComponent(two)}`;

const person = { firstName: 'Ada', lastName: 'Lovelace' };

/** Finds the resource that a complex path made and has it deleted at the end. */
async function ownByKey(api: Api, key: string): Promise<void> {
  const { json } = await api.send('GET', `/key=${key}`);
  if (typeof json?.id === 'string') api.owned(json.id);
}

/** The complex path (E9), update actions (E10) and deletion (E11). */
export const changeChecks: readonly Check[] = [
  ...checksOf('E9', {
    interface: {
      'creates with 201 and updates with 200, each with an ArrayTestType': async (api) => {
        const key = api.unique('complex');
        const path = `${complexPath('a', 'b c')}?queryParameterOne=1.5&queryParameterTwo=two`;
        const body = {
          ...{ key, createdAt: '2024-05-01T09:30:00.000Z', lastModifiedAt: '2024-05-01T09:30:00.000Z' },
          ...{ createdBy: person, lastModifiedBy: person, custom: 'c', eigthProperty: '8', eleventhPropery: '11' },
        };
        const created = await api.send('POST', path, { body });
        await ownByKey(api, key);
        expectStatus(created, 201);
        expectThat(created, 'the arrays', Array.isArray(created.json?.arrayOfIntExample));
        const updated = expectStatus(await api.send('POST', path, { body: { ...body, custom: 'd' } }), 200);
        expectThat(updated, 'the arrays', Array.isArray(updated.json?.arrayOfStringExample));
      },
      'answers 203 with a form where Accept asks for one': async (api) => {
        const key = api.unique('form');
        const headers = { accept: 'application/x-www-form-urlencoded' };
        const answer = await api.send('POST', complexPath('a', 'b'), { body: { key }, headers });
        await ownByKey(api, key);
        expectStatus(answer, 203);
        const type = answer.headers.get('content-type') ?? '';
        expectThat(answer, 'a form', type.startsWith('application/x-www-form-urlencoded'));
      },
    },
    contract: {
      'its path and query parameters are fields of the resource': async (api) => {
        const key = api.unique('fields');
        const made = await api.send('POST', `${complexPath('a/b', 'ü')}?queryParameterOne=1.5`, { body: { key } });
        await ownByKey(api, key);
        expectStatus(made, 201);
        const answer = await api.send('GET', `/key=${key}`);
        const { uriParameterOne, uriParameterTwo, queryParameterOne } = answer.json;
        expectEqual(answer, 'parameters', [uriParameterOne, uriParameterTwo, queryParameterOne], ['a/b', 'ü', 1.5]);
      },
      'a stale version is 409, an invalid time is 400': async (api) => {
        const { key } = await api.create({ key: api.unique('stale') });
        const path = complexPath('a', 'b');
        expectRefused(await api.send('POST', path, { body: { key, version: '9' } }), 409, 'ConcurrentModification');
        expectRefused(await api.send('POST', path, { body: { key, createdAt: 'yesterday' } }), 400);
      },
    },
  }),
  ...checksOf('E10', {
    interface: {
      'actions are applied to the version that is named, which rises': async (api) => {
        const { id, version } = await api.create();
        const answer = await api.update(id, version, { action: 'doSomeThing' }, setting('light'));
        expectThat(answer, `a status of success, not ${answer.status}`, answer.status >= 200 && answer.status < 300);
        const read = await api.send('GET', `/${id}`);
        expectEqual(read, 'a risen version', read.json.version > version, true);
      },
      'another version than the current one is 409': async (api) => {
        const { id, version } = await api.create();
        await api.update(id, version, setting('light'));
        expectStatus(await api.update(id, version, setting('heavy')), 409);
      },
    },
    contract: {
      'the answer is 200 with the resource, one version later': async (api) => {
        const { id, version } = await api.create();
        const answer = expectStatus(await api.update(id, version, setting('light'), setting('heavy')), 200);
        expectResource(answer);
        const { someProperty } = answer.json;
        const seen = [answer.json.id, answer.json.version, someProperty];
        expectEqual(answer, 'id, version and field', seen, [id, version + 1, 'heavy']);
      },
      'a conflict names the current version and what changed': async (api) => {
        const { id, version } = await api.create();
        await api.update(id, version, setting('light'));
        const answer = await api.update(id, version, setting('heavy'));
        expectRefused(answer, 409, 'ConcurrentModification');
        const [{ currentVersion, changedFields }] = answer.json.errors;
        expectEqual(answer, 'the error', [currentVersion, changedFields], [version + 1, ['someProperty']]);
      },
      'all actions are applied, or none': async (api) => {
        const { id, version } = await api.create();
        expectRefused(await api.update(id, version, setting('light'), { action: 'noSuchAction' }), 400);
        const answer = await api.send('GET', `/${id}`);
        expectEqual(answer, 'the field', [answer.json.version, answer.json.someProperty], [version, undefined]);
      },
      'a staged change is seen by staged=true alone, until publish': async (api) => {
        const { id, version } = await api.create({ someProperty: 'old' });
        const staged = expectStatus(await api.update(id, version, { ...setting('new'), staged: true }), 200);
        const seen = async (query: string) => (await api.send('GET', `/${id}${query}`)).json.someProperty;
        expectEqual(staged, 'both projections', [await seen(''), await seen('?staged=true')], ['old', 'new']);
        const published = expectStatus(await api.update(id, version + 1, { action: 'publish' }), 200);
        expectEqual(published, 'the current projection', await seen(''), 'new');
      },
      'a resource is updated by its key, too': async (api) => {
        const key = api.unique('by-key');
        const { version } = await api.create({ key });
        expectStatus(await api.update(`key=${key}`, version, setting('light')), 200);
      },
      'a missing version or a field of the wrong type is 400, an unknown resource 404': async (api) => {
        const { id, version } = await api.create();
        expectRefused(await api.send('POST', `/${id}`, { body: { actions: [setting('light')] } }), 400);
        expectRefused(await api.update(id, version, { action: 'changeSomeProperty', someProperty: 5 }), 400);
        expectRefused(await api.update(api.unique('none'), 1, setting('light')), 404, 'ResourceNotFound');
      },
      'of two concurrent updates of one version one wins': async (api) => {
        const { id, version } = await api.create();
        const values = Array.from({ length: 8 }, (_, index) => String(index));
        const answers = await Promise.all(values.map((value) => api.update(id, version, setting(value))));
        const statuses = answers.map(({ status }) => status).sort();
        expectEqual(answers[0]!, 'the statuses', statuses, [200, ...values.slice(1).map(() => 409)]);
        const winner = answers.find(({ status }) => status === 200)?.json;
        const read = await api.send('GET', `/${id}`);
        expectEqual(read, 'what the winner wrote', read.json.someProperty, winner.someProperty);
      },
    },
  }),
  ...checksOf('E11', {
    interface: {
      'answers 200 with the resource that was deleted, which is gone': async (api) => {
        const { id, version } = await api.create();
        const answer = expectStatus(await api.send('DELETE', `/${id}`), 200);
        expectResource(answer);
        expectEqual(answer, 'id and version', [answer.json.id, answer.json.version], [id, version]);
        const read = await api.send('GET', `/${id}`);
        expectThat(read, `a status of failure, not ${read.status}`, read.status >= 400 && read.status < 500);
        const others = await api.create();
        expectStatus(await api.send('GET', `/${others.id}`), 200);
      },
    },
    contract: {
      'a stale version is 409, and nothing is deleted': async (api) => {
        const { id, version } = await api.create({ a: 1 });
        await api.create({ id, a: 2 });
        expectRefused(await api.send('DELETE', `/${id}?version=${version}`), 409, 'ConcurrentModification');
        expectStatus(await api.send('GET', `/${id}`), 200);
        expectStatus(await api.send('DELETE', `/${id}?version=${version + 1}`), 200);
      },
      'the second time is 404; a key deletes, too': async (api) => {
        const key = api.unique('deleted');
        await api.create({ key });
        expectStatus(await api.send('DELETE', `/key=${key}`), 200);
        expectRefused(await api.send('DELETE', `/key=${key}`), 404, 'ResourceNotFound');
      },
    },
  }),
];
