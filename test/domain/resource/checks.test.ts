import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkComplexDraft } from '../../../src/contract/complex.ts';
import { checkDraft } from '../../../src/contract/resource.ts';
import { checkActions, checkUpdate } from '../../../src/contract/update.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { problemOf } from './fixtures.ts';

const nested = (fields: string) => `{"objectTypeProperty":{${fields}}}`;

const refused: readonly (readonly [string, string])[] = [
  ['null', 'body: expected an object'],
  ['[]', 'body: expected an object'],
  ['"x"', 'body: expected an object'],
  ['9007199254740993', 'body: expected an object'],
  ['{"objectTypeProperty":[]}', 'objectTypeProperty: expected an object'],
  ['{"objectTypeProperty":9007199254740993}', 'objectTypeProperty: expected an object'],
  [nested('"arrayOfIntExample":{}'), 'objectTypeProperty.arrayOfIntExample: expected an array'],
  [nested('"arrayOfIntExample":[1,2,"3"]'), 'objectTypeProperty.arrayOfIntExample[2]: expected an integer'],
  [nested('"arrayOfIntExample":[1.5]'), 'objectTypeProperty.arrayOfIntExample[0]: expected an integer'],
  [nested('"arrayOfIntExample":[null]'), 'objectTypeProperty.arrayOfIntExample[0]: expected an integer'],
  [
    nested('"arrayOfIntExample":[9223372036854775808]'),
    'objectTypeProperty.arrayOfIntExample[0]: expected an integer of 64 bits',
  ],
  [nested('"arrayOfIntExample":[1e30]'), 'objectTypeProperty.arrayOfIntExample[0]: expected an integer'],
  [
    nested('"arrayOfUniqueIntExample":[1,2,1.0]'),
    'objectTypeProperty.arrayOfUniqueIntExample[2]: expected unique items; 1 is item 0 too',
  ],
  [
    nested('"arrayOfUniqueIntExample":[0,-0]'),
    'objectTypeProperty.arrayOfUniqueIntExample[1]: expected unique items; 0 is item 0 too',
  ],
  [
    nested('"arrayOfUniqueIntExample":[9007199254740993,9007199254740993]'),
    'objectTypeProperty.arrayOfUniqueIntExample[1]: expected unique items; 9007199254740993 is item 0 too',
  ],
  [
    nested('"arrayOfTwonumbersExample":[1]'),
    'objectTypeProperty.arrayOfTwonumbersExample: expected exactly two numbers, not 1',
  ],
  [
    nested('"arrayOfTwonumbersExample":[1,2,3]'),
    'objectTypeProperty.arrayOfTwonumbersExample: expected exactly two numbers, not 3',
  ],
  [nested('"arrayOfTwonumbersExample":[1,true]'), 'objectTypeProperty.arrayOfTwonumbersExample[1]: expected a number'],
  [nested('"arrayOfFloatExample":["1"]'), 'objectTypeProperty.arrayOfFloatExample[0]: expected a number'],
  [
    nested('"arrayOfNumberNoDefaultsExample":[[1]]'),
    'objectTypeProperty.arrayOfNumberNoDefaultsExample[0]: expected a number',
  ],
  [nested('"arrayOfStringExample":["a",1]'), 'objectTypeProperty.arrayOfStringExample[1]: expected a string'],
  [nested('"arrayOfObjectType":[{},1]'), 'objectTypeProperty.arrayOfObjectType[1]: expected an object'],
  [
    nested('"arrayOfObjectType":[{"integerExample":"1"}]'),
    'objectTypeProperty.arrayOfObjectType[0].integerExample: expected an integer',
  ],
  ...['2147483648', '-2147483649', '9007199254740993'].map(
    (value) =>
      [
        nested(`"arrayOfObjectType":[{"integerExampleInt32":${value}}]`),
        'objectTypeProperty.arrayOfObjectType[0].integerExampleInt32: expected an integer from -2147483648 to 2147483647',
      ] as const,
  ),
  ['{"id":1}', 'id: expected a string'],
  ['{"id":""}', 'id: expected a string of 1 to 256 characters'],
  [`{"id":"${'x'.repeat(257)}"}`, 'id: expected a string of 1 to 256 characters'],
  [`{"id":"${'😀'.repeat(257)}"}`, 'id: expected a string of 1 to 256 characters'],
  ['{"id":"."}', 'id: expected an id other than "." and ".."'],
  ['{"id":".."}', 'id: expected an id other than "." and ".."'],
  ['{"id":"key=a"}', 'id: expected an id that does not begin with key='],
  ['{"id":"images"}', 'id: images is the name of an endpoint; choose another id'],
  ['{"id":"a\\u0007"}', 'id: expected a string without control characters'],
  ['{"id":"a\\u0085"}', 'id: expected a string without control characters'],
  ['{"key":[]}', 'key: expected a string'],
  ['{"key":""}', 'key: expected a string of 1 to 256 characters'],
  ['{"key":"a\\nb"}', 'key: expected a string without control characters'],
  ['{"version":"3"}', 'version: expected an integer'],
  ['{"version":true}', 'version: expected an integer'],
  ['{"version":-1}', 'version: expected an integer of at least 0'],
  ['{"version":1.5}', 'version: expected an integer'],
];

describe('a draft', () => {
  for (const [body, problem] of refused) {
    test(`${body.slice(0, 90)} is refused: ${problem}`, () => {
      assert.equal(
        problemOf(() => checkDraft(parseJson(body))),
        problem,
      );
    });
  }

  const accepted: readonly string[] = [
    '{}',
    '{"objectTypeProperty":null,"id":null,"key":null,"version":null}',
    nested('"arrayOfIntExample":null,"arrayOfTwonumbersExample":null'),
    nested('"arrayOfIntExample":[1,1,1.0,9223372036854775807,-9223372036854775808]'),
    nested('"arrayOfUniqueIntExample":[9007199254740992,9007199254740993]'),
    nested('"arrayOfTwonumbersExample":[0.5,9007199254740993]'),
    nested(
      '"arrayOfObjectType":[{},{"integerExample":null,"integerExampleInt32":2147483647},{"integerExampleInt32":-2147483648}]',
    ),
    nested('"other":{"arrayOfIntExample":"free"}'),
    `{"id":"${'😀'.repeat(256)}","key":"[a b]/c"}`,
    '{"id":"key","arrayOfIntExample":"free","__proto__":{"id":""}}',
  ];
  for (const body of accepted) {
    test(`${body.slice(0, 90)} is accepted`, () => {
      assert.doesNotThrow(() => checkDraft(parseJson(body)));
    });
  }

  test('keeps unknown fields, and leaves out those that only the service sets', () => {
    const draft = checkDraft(
      parseJson('{"b":1,"createdAt":"x","createdBy":2,"hasStagedChanges":true,"__proto__":{"c":1},"version":2}'),
    );
    assert.equal(stringifyJson(draft.fields), '{"b":1,"__proto__":{"c":1}}');
    assert.equal(draft.version, 2n);
  });

  test('with a hundred thousand unique integers is checked, and its one repetition is found', () => {
    const integers = Array.from({ length: 99_999 }, (_, i) => i);
    assert.match(
      String(problemOf(() => checkDraft({ objectTypeProperty: { arrayOfUniqueIntExample: [...integers, 5] } }))),
      /\[99999\].*item 5 too/,
    );
  });
});

describe('an update request', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['[]', 'body: expected an object'],
    ['{}', 'version: Missing required value'],
    ['{"version":null,"actions":[]}', 'version: Missing required value'],
    ['{"version":"3","actions":[]}', 'version: expected an integer'],
    ['{"version":[3],"actions":[]}', 'version: expected an integer'],
    ['{"version":true,"actions":[]}', 'version: expected an integer'],
    ['{"version":1.5,"actions":[]}', 'version: expected an integer'],
    ['{"version":1,"action":[]}', 'action: unknown field; expected version, actions'],
    ['{"version":1}', 'actions: Missing required value'],
    ['{"version":1,"actions":{}}', 'actions: expected an array'],
    ['{"version":1,"actions":[5]}', 'actions[0]: expected an object'],
    ['{"version":1,"actions":[{}]}', 'actions[0].action: Missing required value'],
    ['{"version":1,"actions":[{"action":5}]}', 'actions[0].action: expected a string'],
    [`{"version":1,"actions":[${Array(501).fill('{}').join()}]}`, 'actions: expected at most 500 actions, not 501'],
  ];
  for (const [body, problem] of cases) {
    test(`${body.slice(0, 60)} is refused: ${problem}`, () => {
      assert.equal(
        problemOf(() => checkActions(checkUpdate(parseJson(body)).actions)),
        problem,
      );
    });
  }
  test('takes any integer as a version, so that a wrong one is a conflict', () => {
    for (const version of [-1n, 0n, 9007199254740993n]) {
      assert.equal(checkUpdate(parseJson(`{"version":${version},"actions":[]}`)).version, version);
    }
  });
});

describe('a body of E9', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"version":3.5}', 'version: expected a string or an integer'],
    ['{"custom":{}}', 'custom: expected a string'],
    ['{"twelthProperty":1}', 'twelthProperty: expected a string'],
    ['{"twelfthProperty":1}', 'twelfthProperty: expected a string'],
    ['{"createdAt":5}', 'createdAt: expected a string'],
    ['{"createdBy":"me"}', 'createdBy: expected an object'],
    ['{"lastModifiedBy":{"lastName":1}}', 'lastModifiedBy.lastName: expected a string'],
    ['{"objectTypeProperty":{"arrayOfIntExample":1}}', 'objectTypeProperty.arrayOfIntExample: expected an array'],
    ['{"id":"."}', 'id: expected an id other than "." and ".."'],
  ];
  for (const [body, problem] of cases) {
    test(`${body} is refused: ${problem}`, () => {
      assert.equal(
        problemOf(() => checkComplexDraft(parseJson(body))),
        problem,
      );
    });
  }
});
