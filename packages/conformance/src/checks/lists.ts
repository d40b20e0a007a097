import type { Api } from '../api.ts';
import { type Check, checksOf, expectEqual, expectJson, expectRefused, expectStatus, expectThat } from '../check.ts';

const query = (parameters: readonly (readonly [string, string])[]) =>
  `?${new URLSearchParams(parameters.map((p) => [...p]))}`;

const arrayFields = [
  ...['arrayOfIntExample', 'arrayOfUniqueIntExample', 'arrayOfTwonumbersExample', 'arrayOfFloatExample'],
  ...['arrayOfNumberNoDefaultsExample', 'arrayOfStringExample', 'arrayOfObjectType'],
];

/** Three resources that a predicate on `group` finds; returns the group. */
async function createGroup(api: Api): Promise<string> {
  const group = api.unique('group');
  for (const [size, name] of [
    [3, 'b'],
    [1, 'c'],
    [2, 'a'],
  ] as const) {
    await api.create({
      group,
      size,
      name,
      objectTypeProperty: { arrayOfStringExample: [group, name], arrayOfTwonumbersExample: [1, size] },
    });
  }
  return group;
}

const sorted = (api: Api, parameters: readonly (readonly [string, string])[]) =>
  api.send('GET', `/sorted-query-parameters${query(parameters)}`);

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
  const actions = [{ action: 'changeSomeProperty', someProperty: 'next', staged: true }];
  expectStatus(await api.send('POST', `/${id}`, { body: { version, actions } }), 200);
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

// biome-ignore lint/suspicious/noExplicitAny: results of any shape.
const namesOf = (results: readonly any[]) => results.map(({ name }) => name);

/** The lists (E1, E12) and the existence check (E5). */
export const listChecks: readonly Check[] = [
  ...checksOf('E1', {
    interface: {
      'answers 200 with an ArrayTestType': async (api) => {
        await createGroup(api);
        const answer = await api.send('GET', '');
        expectStatus(answer, 200);
        expectJson(answer);
        for (const name of arrayFields) expectThat(answer, `an array ${name}`, Array.isArray(answer.json[name]));
      },
      'takes every query parameter of the interface': async (api) => {
        const parameters = [
          ...(['stringParameter', 'arrayOfString', 'arrayOfStringWithDescription'] as const).map(
            (name) => [name, 'a'] as const,
          ),
          ...[['arrayOfString', 'b'] as const, ['floatParameter', '1.5'] as const, ['integerParameter', '5'] as const],
          ...[['withMarkdownDescription', '2.5'] as const, ['unionParameter', '2024-05-01T00:00:00Z'] as const],
          ['objectParameter', '{"arrayOfString":["a"]}'] as const,
        ];
        for (const parameter of parameters) expectStatus(await api.send('GET', `${query([parameter])}`), 200);
      },
    },
    contract: {
      'its conditions select, and the arrays of the page are merged': async (api) => {
        const group = await createGroup(api);
        const answer = await api.send('GET', query([['arrayOfString', group]]));
        expectStatus(answer, 200);
        expectEqual(answer, 'count', answer.json.count, 3);
        expectEqual(answer, 'merged texts', new Set(answer.json.arrayOfStringExample).size, 4);
        const both = query([
          ['arrayOfString', group],
          ['arrayOfString', 'a'],
        ]);
        const narrower = await api.send('GET', both);
        expectEqual(narrower, 'names', namesOf(narrower.json.results), ['a']);
      },
      'each condition selects': async (api) => {
        const { group, conditions } = await createConditions(api);
        for (const [name, first, none] of conditions) {
          for (const [value, names] of [[first, ['first']] as const, [none, []] as const]) {
            if (value === undefined) continue;
            const parameters = [['where', `group = "${group}"`] as const, [name, value] as const];
            const answer = await api.send('GET', query(parameters));
            expectStatus(answer, 200);
            expectEqual(answer, 'names', namesOf(answer.json.results), names);
          }
        }
        const later = new Date(Date.now() + 86_400_000).toISOString();
        for (const [value, count] of [
          ['2024-05-01T00:00:00Z', 2],
          [later, 0],
        ] as const) {
          const answer = await api.send(
            'GET',
            query([['where', `group = "${group}"`] as const, ['unionParameter', value]]),
          );
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
        const answer = await api.send('HEAD', query([['arrayOfString', group]]));
        expectStatus(answer, 200);
        expectEqual(answer, 'body', answer.text, '');
      },
      'the defaults of the interface may be written out': async (api) => {
        await createGroup(api);
        const bare = await api.send('HEAD', '');
        expectStatus(bare, 200);
        const written = query([
          ...[['stringParameter', 'test'] as const, ['booleanParameter', 'false'] as const],
          ...[['floatParameter', '10'] as const, ['integerParameter', '5'] as const],
          ['withMarkdownDescription', '1500'],
        ]);
        const answer = await api.send('HEAD', written);
        expectEqual(answer, 'the status without parameters', answer.status, bare.status);
      },
    },
    contract: {
      'answers 404 where nothing matches, by each condition': async (api) => {
        const { group, conditions } = await createConditions(api);
        for (const [name, first, none] of conditions) {
          const parameters = (value: string) =>
            query([['where', `group = "${group}"`] as const, [name, value] as const]);
          expectStatus(await api.send('HEAD', parameters(first)), 200);
          if (none !== undefined) expectStatus(await api.send('HEAD', parameters(none)), 404);
        }
        const nothingStaged = query([
          ['where', `group = "${group}" and name = "second"`],
          ['booleanParameter', 'true'],
        ]);
        expectStatus(await api.send('HEAD', nothingStaged), 404);
      },
    },
  }),
  ...checksOf('E12', {
    interface: {
      'takes every query parameter of the interface': async (api) => {
        const answer = await sorted(api, [
          ...[['where', 'version > 0'] as const, ['where', 'version < :most'] as const, ['var.most', '99'] as const],
          ...[['sort', 'createdAt desc'] as const, ['sort', 'id asc'] as const, ['limit', '2'] as const],
          ...[['offset', '1'] as const, ['withTotal', 'true'] as const, ['expand', 'createdBy'] as const],
        ]);
        expectStatus(answer, 200);
        expectJson(answer);
      },
    },
    contract: {
      'a predicate selects, a sort orders, and pages follow each other': async (api) => {
        const group = await createGroup(api);
        const parameters = [['where', `group = "${group}"`] as const, ['sort', 'size desc'] as const];
        const whole = await sorted(api, parameters);
        expectStatus(whole, 200);
        const { limit, offset, count, total } = whole.json;
        expectEqual(whole, 'the page', { limit, offset, count, total }, { limit: 20, offset: 0, count: 3, total: 3 });
        expectEqual(whole, 'names', namesOf(whole.json.results), ['b', 'a', 'c']);
        const part = await sorted(api, [...parameters, ['limit', '1'], ['offset', '1'], ['withTotal', 'false']]);
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
          const answer = await sorted(api, [
            ...[['where', `group = "${group}"`] as const, ['where', where] as const, ['sort', 'name'] as const],
            ['var.size', '2'],
          ]);
          expectStatus(answer, 200);
          expectEqual(answer, 'names', namesOf(answer.json.results), names);
        }
      },
      'expand puts what a reference names into it': async (api) => {
        const group = api.unique('expanded');
        const key = api.unique('parent');
        await api.create({ key, color: 'blue' });
        await api.create({ group, parent: { typeId: 'resource', key } });
        const parameters = [['where', `group = "${group}"`] as const];
        const bare = await sorted(api, parameters);
        expectStatus(bare, 200);
        expectEqual(bare, 'the reference', bare.json.results[0].parent, { typeId: 'resource', key });
        const expanded = await sorted(api, [...parameters, ['expand', 'parent']]);
        expectStatus(expanded, 200);
        expectEqual(expanded, 'its color', expanded.json.results[0].parent.obj?.color, 'blue');
      },
      'staged=true lists the staged projections': async (api) => {
        const group = api.unique('staged');
        const { id, version } = await api.create({ group, someProperty: 'old' });
        const actions = [{ action: 'changeSomeProperty', someProperty: 'new', staged: true }];
        expectStatus(await api.send('POST', `/${id}`, { body: { version, actions } }), 200);
        for (const [staged, value] of [
          ['false', 'old'],
          ['true', 'new'],
        ] as const) {
          const answer = await sorted(api, [
            ['staged', staged],
            ['where', `group = "${group}"`],
          ]);
          expectEqual(answer, 'the field', answer.json.results[0]?.someProperty, value);
        }
      },
      'a condition of the search, or of the list by conditions, is 400': async (api) => {
        for (const foreign of [['text.en', 'shoe'] as const, ['integerParameter', '5'] as const]) {
          expectRefused(await sorted(api, [foreign]), 400, 'InvalidInput');
        }
      },
      'a write is seen by the next list': async (api) => {
        const group = await createGroup(api);
        const where = [['where', `group = "${group}" and size = 7`] as const];
        const { id } = await api.create({ group, size: 7 });
        const found = await sorted(api, where);
        expectEqual(found, 'count', found.json.count, 1);
        await api.send('DELETE', `/${id}`);
        const gone = await sorted(api, where);
        expectEqual(gone, 'count', gone.json.count, 0);
      },
      'an invalid predicate, sort or page is 400': async (api) => {
        for (const wrong of [
          ['where', 'size >'],
          ['where', 'size = :none'],
          ['sort', 'size up'],
          ['limit', '501'],
        ] as const) {
          expectRefused(await sorted(api, [wrong]), 400, 'InvalidInput');
        }
      },
    },
  }),
];
