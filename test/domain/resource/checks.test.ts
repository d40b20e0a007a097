import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkComplexDraft } from '../../../src/contract/complex.ts';
import { checkDraft } from '../../../src/contract/resource.ts';
import { checkActions, checkUpdate } from '../../../src/contract/update.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { problemOf } from './fixtures.ts';

const nested = (fields: string) => `{"objectTypeProperty":{${fields}}}`;

const refused: readonly (readonly [string, string])[] = [
  ['null', 'body: object expected'],
  ['[]', 'body: object expected'],
  ['"x"', 'body: object expected'],
  ['9007199254740993', 'body: object expected'],
  ['{"objectTypeProperty":[]}', 'objectTypeProperty: object expected'],
  ['{"objectTypeProperty":9007199254740993}', 'objectTypeProperty: object expected'],
  [nested('"arrayOfIntExample":{}'), 'objectTypeProperty.arrayOfIntExample: array expected'],
  [nested('"arrayOfIntExample":[1,2,"3"]'), 'objectTypeProperty.arrayOfIntExample[2]: integer expected'],
  [nested('"arrayOfIntExample":[1.5]'), 'objectTypeProperty.arrayOfIntExample[0]: integer expected'],
  [nested('"arrayOfIntExample":[null]'), 'objectTypeProperty.arrayOfIntExample[0]: integer expected'],
  [
    nested('"arrayOfIntExample":[9223372036854775808]'),
    'objectTypeProperty.arrayOfIntExample[0]: integer of 64 bits expected',
  ],
  [nested('"arrayOfIntExample":[1e30]'), 'objectTypeProperty.arrayOfIntExample[0]: integer expected'],
  [
    nested('"arrayOfUniqueIntExample":[1,2,1.0]'),
    'objectTypeProperty.arrayOfUniqueIntExample[2]: unique items expected, 1 is item 0 too',
  ],
  [
    nested('"arrayOfUniqueIntExample":[0,-0]'),
    'objectTypeProperty.arrayOfUniqueIntExample[1]: unique items expected, 0 is item 0 too',
  ],
  [
    nested('"arrayOfUniqueIntExample":[9007199254740993,9007199254740993]'),
    'objectTypeProperty.arrayOfUniqueIntExample[1]: unique items expected, 9007199254740993 is item 0 too',
  ],
  [
    nested('"arrayOfTwonumbersExample":[1]'),
    'objectTypeProperty.arrayOfTwonumbersExample: exactly two numbers expected, not 1',
  ],
  [
    nested('"arrayOfTwonumbersExample":[1,2,3]'),
    'objectTypeProperty.arrayOfTwonumbersExample: exactly two numbers expected, not 3',
  ],
  [nested('"arrayOfTwonumbersExample":[1,true]'), 'objectTypeProperty.arrayOfTwonumbersExample[1]: number expected'],
  [nested('"arrayOfFloatExample":["1"]'), 'objectTypeProperty.arrayOfFloatExample[0]: number expected'],
  [
    nested('"arrayOfNumberNoDefaultsExample":[[1]]'),
    'objectTypeProperty.arrayOfNumberNoDefaultsExample[0]: number expected',
  ],
  [nested('"arrayOfStringExample":["a",1]'), 'objectTypeProperty.arrayOfStringExample[1]: string expected'],
  [nested('"arrayOfObjectType":[{},1]'), 'objectTypeProperty.arrayOfObjectType[1]: object expected'],
  [
    nested('"arrayOfObjectType":[{"integerExample":"1"}]'),
    'objectTypeProperty.arrayOfObjectType[0].integerExample: integer expected',
  ],
  ...['2147483648', '-2147483649', '9007199254740993'].map(
    (value) =>
      [
        nested(`"arrayOfObjectType":[{"integerExampleInt32":${value}}]`),
        'objectTypeProperty.arrayOfObjectType[0].integerExampleInt32: integer from -2147483648 to 2147483647 expected',
      ] as const,
  ),
  ['{"id":1}', 'id: string expected'],
  ['{"id":""}', 'id: string of 1 to 256 characters expected'],
  [`{"id":"${'x'.repeat(257)}"}`, 'id: string of 1 to 256 characters expected'],
  [`{"id":"${'😀'.repeat(257)}"}`, 'id: string of 1 to 256 characters expected'],
  ['{"id":"."}', 'id: an id other than . and .. expected'],
  ['{"id":".."}', 'id: an id other than . and .. expected'],
  ['{"id":"key=a"}', 'id: an id that does not begin with key= expected'],
  ['{"id":"images"}', 'id: an id that is no endpoint expected, images is one'],
  ['{"id":"a\\u0007"}', 'id: string without control characters expected'],
  ['{"id":"a\\u0085"}', 'id: string without control characters expected'],
  ['{"key":[]}', 'key: string expected'],
  ['{"key":""}', 'key: string of 1 to 256 characters expected'],
  ['{"key":"a\\nb"}', 'key: string without control characters expected'],
  ['{"version":"3"}', 'version: integer expected'],
  ['{"version":true}', 'version: integer expected'],
  ['{"version":-1}', 'version: integer of at least 0 expected'],
  ['{"version":1.5}', 'version: integer expected'],
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
    ['[]', 'body: object expected'],
    ['{}', 'version: Missing required value'],
    ['{"version":null,"actions":[]}', 'version: Missing required value'],
    ['{"version":"3","actions":[]}', 'version: integer expected'],
    ['{"version":[3],"actions":[]}', 'version: integer expected'],
    ['{"version":true,"actions":[]}', 'version: integer expected'],
    ['{"version":1.5,"actions":[]}', 'version: integer expected'],
    ['{"version":1,"action":[]}', 'action: unknown field, version and actions expected'],
    ['{"version":1}', 'actions: Missing required value'],
    ['{"version":1,"actions":{}}', 'actions: array expected'],
    ['{"version":1,"actions":[5]}', 'actions[0]: object expected'],
    ['{"version":1,"actions":[{}]}', 'actions[0].action: Missing required value'],
    ['{"version":1,"actions":[{"action":5}]}', 'actions[0].action: string expected'],
    [`{"version":1,"actions":[${Array(501).fill('{}').join()}]}`, 'actions: at most 500 actions expected, not 501'],
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
    ['{"version":3.5}', 'version: string or integer expected'],
    ['{"custom":{}}', 'custom: string expected'],
    ['{"twelthProperty":1}', 'twelthProperty: string expected'],
    ['{"twelfthProperty":1}', 'twelfthProperty: string expected'],
    ['{"createdAt":5}', 'createdAt: string expected'],
    ['{"createdBy":"me"}', 'createdBy: object expected'],
    ['{"lastModifiedBy":{"lastName":1}}', 'lastModifiedBy.lastName: string expected'],
    ['{"objectTypeProperty":{"arrayOfIntExample":1}}', 'objectTypeProperty.arrayOfIntExample: array expected'],
    ['{"id":"."}', 'id: an id other than . and .. expected'],
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
