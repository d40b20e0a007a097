import type { AnyJson, Api, Query } from '../api.ts';
import { type Check, checksOf, expectEqual, expectJson, expectRefused, expectStatus, expectThat } from '../check.ts';

const arrayFields = [
  ...['arrayOfIntExample', 'arrayOfUniqueIntExample', 'arrayOfTwonumbersExample', 'arrayOfFloatExample'],
  ...['arrayOfNumberNoDefaultsExample', 'arrayOfStringExample', 'arrayOfObjectType'],
];

/** Three resources that a predicate on `group` finds; returns the group. */
async function createGroup(api: Api): Promise<string> {
  const group = api.unique('group');
  for (const [name, size] of Object.entries({ b: 3, c: 1, a: 2 })) {
    const objectTypeProperty = { arrayOfStringExample: [group, name], arrayOfTwonumbersExample: [1, size] };
    await api.create({ group, size, name, objectTypeProperty });
  }
  return group;
}

const list = (api: Api, query: Query) => api.send('GET', '', { query });
const exists = (api: Api, query: Query) => api.send('HEAD', '', { query });
const sorted = (api: Api, query: Query) => api.send('GET', '/sorted-query-parameters', { query });

/**
 * Two resources of a group; returns conditions of E1 and E5, each of which selects the first of them: with a value that it has, and
 * with one that neither has.
 */
async function createConditions(api: Api): Promise<{ group: string; conditions: readonly Condition[] }> {
  const group = api.unique('conditions');
  const fields = (name: string, n: number) => ({
    ...{ group, name },
    objectTypeProperty: {
      ...{ arrayOfStringExample: [group, name], arrayOfIntExample: [n] },
      ...{ arrayOfFloatExample: [n + 0.5], arrayOfNumberNoDefaultsExample: [n + 0.25] },
    },
  });
  const { id, version } = await api.create(fields('first', 71));
  await api.create(fields('second', 72));
  expectStatus(
    await api.update(id, version, { action: 'changeSomeProperty', someProperty: 'next', staged: true }),
    200,
  );
  return {
    group,
    conditions: [
      ['stringParameter', 'name = "first"', 'name = "third"'],
      ['stringParameter', 'first', 'third'],
      ['booleanParameter', 'true', undefined],
      ['integerParameter', '71', '73'],
      ['floatParameter', '71.5', '73.5'],
      ['withMarkdownDescription', '71.25', '73.25'],
      ['arrayOfString', 'first', 'third'],
      ['arrayOfStringWithDescription', 'first', 'third'],
      ['objectParameter', '{"arrayOfString":["first"]}', '{"arrayOfString":["third"]}'],
      ['unionParameter', '71', '73'],
      ['unionParameter', '{"name":"first"}', '{"name":"third"}'],
    ],
  };
}

type Condition = readonly [name: string, first: string, none: string | undefined];

const namesOf = (results: readonly AnyJson[]) => results.map(({ name }) => name);

/** The lists (E1, E12) and the existence check (E5). */
export const listChecks: readonly Check[] = [
  ...checksOf('E1', {
    interface: {
      'answers 200 with an ArrayTestType': async (api) => {
        await createGroup(api);
        const answer = expectStatus(await api.send('GET', ''), 200);
        expectJson(answer);
        for (const name of arrayFields) expectThat(answer, `an array ${name}`, Array.isArray(answer.json[name]));
      },
      'takes every query parameter of the interface': async (api) => {
        for (const query of [
          { stringParameter: 'a' },
          { arrayOfString: ['a', 'b'] },
          { arrayOfStringWithDescription: 'a' },
          { floatParameter: '1.5' },
          { integerParameter: '5' },
          { withMarkdownDescription: '2.5' },
          { unionParameter: '2024-05-01T00:00:00Z' },
          { objectParameter: '{"arrayOfString":["a"]}' },
        ]) {
          expectStatus(await list(api, query), 200);
        }
      },
    },
    contract: {
      'its conditions select, and the arrays of the page are merged': async (api) => {
        const group = await createGroup(api);
        const answer = expectStatus(await list(api, { arrayOfString: group }), 200);
        expectEqual(answer, 'count', answer.json.count, 3);
        expectEqual(answer, 'merged texts', new Set(answer.json.arrayOfStringExample).size, 4);
        const narrower = await list(api, { arrayOfString: [group, 'a'] });
        expectEqual(narrower, 'names', namesOf(narrower.json.results), ['a']);
      },
      'each condition selects': async (api) => {
        const { group, conditions } = await createConditions(api);
        for (const [name, first, none] of conditions) {
          for (const [value, names] of [[first, ['first']] as const, [none, []] as const]) {
            if (value === undefined) continue;
            const answer = expectStatus(await list(api, { where: `group = "${group}"`, [name]: value }), 200);
            expectEqual(answer, 'names', namesOf(answer.json.results), names);
          }
        }
        const later = new Date(Date.now() + 86_400_000).toISOString();
        for (const [value, count] of Object.entries({ '2024-05-01T00:00:00Z': 2, [later]: 0 })) {
          const answer = await list(api, { where: `group = "${group}"`, unionParameter: value });
          expectEqual(answer, 'count', answer.json.count, count);
        }
      },
      'an unknown parameter is 400': async (api) => {
        expectRefused(await api.send('GET', '?noSuchParameter=1'), 400, 'InvalidInput');
      },
    },
  }),
  ...checksOf('E5', {
    interface: {
      'answers 200 without a body where something matches': async (api) => {
        const group = await createGroup(api);
        const answer = expectStatus(await exists(api, { arrayOfString: group }), 200);
        expectEqual(answer, 'body', answer.text, '');
      },
      'the defaults of the interface may be written out': async (api) => {
        await createGroup(api);
        const bare = expectStatus(await api.send('HEAD', ''), 200);
        const answer = await exists(api, {
          ...{ stringParameter: 'test', booleanParameter: 'false', floatParameter: '10' },
          ...{ integerParameter: '5', withMarkdownDescription: '1500' },
        });
        expectEqual(answer, 'the status without parameters', answer.status, bare.status);
      },
    },
    contract: {
      'answers 404 where nothing matches, by each condition': async (api) => {
        const { group, conditions } = await createConditions(api);
        for (const [name, first, none] of conditions) {
          const own = (value: string) => ({ where: `group = "${group}"`, [name]: value });
          expectStatus(await exists(api, own(first)), 200);
          if (none !== undefined) expectStatus(await exists(api, own(none)), 404);
        }
        const nothingStaged = { where: `group = "${group}" and name = "second"`, booleanParameter: 'true' };
        expectStatus(await exists(api, nothingStaged), 404);
      },
    },
  }),
  ...checksOf('E12', {
    interface: {
      'takes every query parameter of the interface': async (api) => {
        const answer = await sorted(api, {
          ...{ where: ['version > 0', 'version < :most'], 'var.most': '99', sort: ['createdAt desc', 'id asc'] },
          ...{ limit: '2', offset: '1', withTotal: 'true', expand: 'createdBy' },
        });
        expectStatus(answer, 200);
        expectJson(answer);
      },
    },
    contract: {
      'a predicate selects, a sort orders, and pages follow each other': async (api) => {
        const group = await createGroup(api);
        const parameters = { where: `group = "${group}"`, sort: 'size desc' };
        const whole = expectStatus(await sorted(api, parameters), 200);
        const { limit, offset, count, total } = whole.json;
        expectEqual(whole, 'the page', { limit, offset, count, total }, { limit: 20, offset: 0, count: 3, total: 3 });
        expectEqual(whole, 'names', namesOf(whole.json.results), ['b', 'a', 'c']);
        const part = await sorted(api, { ...parameters, limit: '1', offset: '1', withTotal: 'false' });
        const seen = [namesOf(part.json.results), part.json.total];
        expectEqual(part, 'the second page, without a total', seen, [['a'], undefined]);
      },
      'predicates compare, combine and take variables': async (api) => {
        const group = await createGroup(api);
        const cases: readonly (readonly [string, readonly string[]])[] = [
          ['size > 1 and size <= 3', ['a', 'b']],
          ['name in ("a", "c") or size = 3', ['a', 'b', 'c']],
          ['not(name = "a")', ['b', 'c']],
          ['objectTypeProperty(arrayOfStringExample contains any ("b"))', ['b']],
          ['nothing is defined', []],
          ['size = :size', ['a']],
        ];
        for (const [where, names] of cases) {
          const own = [`group = "${group}"`, where];
          const answer = expectStatus(await sorted(api, { where: own, sort: 'name', 'var.size': '2' }), 200);
          expectEqual(answer, 'names', namesOf(answer.json.results), names);
        }
      },
      'expand puts what a reference names into it': async (api) => {
        const group = api.unique('expanded');
        const key = api.unique('parent');
        await api.create({ key, color: 'blue' });
        await api.create({ group, parent: { typeId: 'resource', key } });
        const parameters = { where: `group = "${group}"` };
        const bare = expectStatus(await sorted(api, parameters), 200);
        expectEqual(bare, 'the reference', bare.json.results[0].parent, { typeId: 'resource', key });
        const expanded = expectStatus(await sorted(api, { ...parameters, expand: 'parent' }), 200);
        expectEqual(expanded, 'its color', expanded.json.results[0].parent.obj?.color, 'blue');
      },
      'staged=true lists the staged projections': async (api) => {
        const group = api.unique('staged');
        const { id, version } = await api.create({ group, someProperty: 'old' });
        expectStatus(
          await api.update(id, version, { action: 'changeSomeProperty', someProperty: 'new', staged: true }),
          200,
        );
        for (const [staged, value] of Object.entries({ false: 'old', true: 'new' })) {
          const answer = await sorted(api, { staged, where: `group = "${group}"` });
          expectEqual(answer, 'the field', answer.json.results[0]?.someProperty, value);
        }
      },
      'a condition of the search, or of the list by conditions, is 400': async (api) => {
        expectRefused(await sorted(api, { 'text.en': 'shoe' }), 400, 'InvalidInput');
        expectRefused(await sorted(api, { integerParameter: '5' }), 400, 'InvalidInput');
      },
      'a write is seen by the next list': async (api) => {
        const group = await createGroup(api);
        const where = { where: `group = "${group}" and size = 7` };
        const { id } = await api.create({ group, size: 7 });
        const found = await sorted(api, where);
        expectEqual(found, 'count', found.json.count, 1);
        await api.send('DELETE', `/${id}`);
        const gone = await sorted(api, where);
        expectEqual(gone, 'count', gone.json.count, 0);
      },
      'an invalid predicate, sort or page is 400': async (api) => {
        for (const wrong of [{ where: 'size >' }, { where: 'size = :none' }, { sort: 'size up' }, { limit: '501' }]) {
          expectRefused(await sorted(api, wrong), 400, 'InvalidInput');
        }
      },
    },
  }),
];
