import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { parseStoredJson } from '../../../src/domain/json/parse.ts';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import type { Literal, Predicate } from '../../../src/domain/predicate/ast.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import { existenceDefaults, parseConditions } from '../../../src/domain/resource/read/conditions.ts';

type Values = Readonly<Record<string, ParameterValue>>;
const parse = (values: Values, defaults = {}) => parseConditions(new Map(Object.entries(values)), defaults);
const at = (name: string) => ['objectTypeProperty', name];
const string = (value: string): Literal => ({ type: 'string', value });
const number = (value: bigint | number): Literal => ({ type: 'number', value });
const equals = (path: readonly string[], value: Literal): Predicate => ({ kind: 'compare', path, op: '=', value });
const containsAll = (...texts: readonly string[]): Predicate => ({
  kind: 'and',
  of: texts.map((text) => equals(at('arrayOfStringExample'), string(text))),
});
const containsAny = (...texts: readonly string[]): Predicate => ({
  kind: 'in',
  path: at('arrayOfStringExample'),
  values: texts.map(string),
});
const integerIs = (value: bigint): Predicate => ({
  kind: 'or',
  of: [equals(at('arrayOfIntExample'), number(value)), equals(at('arrayOfUniqueIntExample'), number(value))],
});
const anyNumberIs = (value: bigint | number): Predicate => ({
  kind: 'or',
  of: [
    'arrayOfIntExample',
    'arrayOfUniqueIntExample',
    'arrayOfTwonumbersExample',
    'arrayOfFloatExample',
    'arrayOfNumberNoDefaultsExample',
  ].map((name) => equals(at(name), number(value))),
});

const asPredicates: readonly (readonly [Values, readonly Predicate[]])[] = [
  [{}, []],
  [{ limit: 3, where: ['a = 1'], unknown: 'x' }, []],
  [{ stringParameter: 'key = "k"' }, [equals(['key'], string('k'))]],
  [{ stringParameter: 'key = :k', 'var.k': ['v'] }, [equals(['key'], { type: 'untyped', value: 'v' })]],
  [{ stringParameter: 'red' }, [equals(at('arrayOfStringExample'), string('red'))]],
  [{ stringParameter: 'two words' }, [equals(at('arrayOfStringExample'), string('two words'))]],
  [{ stringParameter: '' }, [equals(at('arrayOfStringExample'), string(''))]],
  [{ booleanParameter: true }, [equals(['hasStagedChanges'], { type: 'boolean', value: true })]],
  [{ booleanParameter: false }, []],
  [{ integerParameter: '6' }, [integerIs(6n)]],
  [{ integerParameter: '6.0' }, [integerIs(6n)]],
  [{ integerParameter: 6 }, [integerIs(6n)]],
  [{ integerParameter: '9007199254740993' }, [integerIs(9007199254740993n)]],
  [{ integerParameter: '-9223372036854775808' }, [integerIs(-9223372036854775808n)]],
  [{ floatParameter: '1.5' }, [equals(at('arrayOfFloatExample'), number(1.5))]],
  [{ floatParameter: '15e-1' }, [equals(at('arrayOfFloatExample'), number(1.5))]],
  [{ floatParameter: '10' }, [equals(at('arrayOfFloatExample'), number(10n))]],
  [{ withMarkdownDescription: '1500' }, [equals(at('arrayOfNumberNoDefaultsExample'), number(1500n))]],
  [{ arrayOfString: ['a', 'b'] }, [containsAll('a', 'b')]],
  [{ arrayOfString: 'a' }, [containsAll('a')]],
  [{ arrayOfStringWithDescription: ['a', 'b'] }, [containsAny('a', 'b')]],
  [
    { objectParameter: { arrayOfString: ['a', 'b'], arrayOfStringWithDescription: ['c'] } },
    [containsAll('a', 'b'), containsAny('c')],
  ],
  [{ objectParameter: { arrayOfString: [], arrayOfStringWithDescription: null } }, []],
  [{ objectParameter: {} }, []],
  [{ unionParameter: '6' }, [anyNumberIs(6n)]],
  [{ unionParameter: '9007199254740993' }, [anyNumberIs(9007199254740993n)]],
  [{ unionParameter: '-0.5' }, [anyNumberIs(-0.5)]],
  [
    { unionParameter: '2026-01-01T00:00:00+01:00' },
    [{ kind: 'compare', path: ['lastModifiedAt'], op: '>=', value: string('2026-01-01T00:00:00+01:00') }],
  ],
  [{ unionParameter: '{}' }, []],
  [
    { unionParameter: '{"version":3,"key":null}' },
    [equals(['version'], number(3n)), { kind: 'not', of: { kind: 'defined', path: ['key'] } }],
  ],
  [
    { unionParameter: '{"objectTypeProperty":{"arrayOfIntExample":[6,9007199254740993],"arrayOfStringExample":[]}}' },
    [
      {
        kind: 'and',
        of: [equals(at('arrayOfIntExample'), number(6n)), equals(at('arrayOfIntExample'), number(9007199254740993n))],
      },
    ],
  ],
  [
    { unionParameter: '{"objectTypeProperty":{"arrayOfObjectType":[{"integerExample":1,"integerExampleInt32":2}]}}' },
    [
      {
        kind: 'embedded',
        path: at('arrayOfObjectType'),
        of: {
          kind: 'and',
          of: [equals(['integerExample'], number(1n)), equals(['integerExampleInt32'], number(2n))],
        },
      },
    ],
  ],
  [
    { unionParameter: '{"name":{"en":"x"},"__proto__":{"a":true}}' },
    [
      { kind: 'embedded', path: ['name'], of: equals(['en'], string('x')) },
      { kind: 'embedded', path: ['__proto__'], of: equals(['a'], { type: 'boolean', value: true }) },
    ],
  ],
  [
    { stringParameter: 'red', integerParameter: '6', arrayOfString: ['a'] },
    [equals(at('arrayOfStringExample'), string('red')), integerIs(6n), containsAll('a')],
  ],
];

for (const [values, predicates] of asPredicates) {
  test(`conditions ${JSON.stringify(values)} are the expected predicates`, () => {
    assert.deepEqual(parse(values), predicates);
  });
}

const atDefaults: Values = {
  stringParameter: 'test',
  booleanParameter: false,
  floatParameter: '10',
  integerParameter: '5',
  withMarkdownDescription: '1500',
};

test('existence: all parameters at their defaults constrain nothing', () => {
  assert.deepEqual(parse(atDefaults, existenceDefaults), []);
});

test('existence: default numbers written in another way are no condition either', () => {
  const written = { floatParameter: '10.0', integerParameter: 5, withMarkdownDescription: '1.5e3' };
  assert.deepEqual(parse(written, existenceDefaults), []);
});

test('existence: parameters that are not at their defaults constrain', () => {
  assert.deepEqual(parse({ ...atDefaults, stringParameter: 'Test', integerParameter: '6' }, existenceDefaults), [
    equals(at('arrayOfStringExample'), string('Test')),
    integerIs(6n),
  ]);
});

test('list: the defaults of the existence check are ordinary values', () => {
  assert.equal(parse(atDefaults).length, 4);
});

test('existence: a malformed value is 400 although there is a default', () => {
  assert.throws(() => parse({ floatParameter: 'ten' }, existenceDefaults), refused('floatParameter', 'number'));
});

const deep = (levels: number) => '{"a":'.repeat(levels) + 1 + '}'.repeat(levels);
const wide = (values: number) => `{"a":[${Array.from({ length: values }, (_, n) => n).join(',')}]}`;

for (const [name, value, expected] of [
  ['integerParameter', '1.5', 'expected a 64-bit integer'],
  ['integerParameter', '9223372036854775808', 'expected a 64-bit integer'],
  ['integerParameter', '', 'expected a finite number'],
  ['integerParameter', '0x10', 'expected a finite number'],
  ['integerParameter', '05', 'expected a finite number'],
  ['floatParameter', '1e400', 'expected a finite number'],
  ['floatParameter', 'NaN', 'expected a finite number'],
  ['floatParameter', Number.POSITIVE_INFINITY, 'expected a finite number'],
  ['withMarkdownDescription', '1,5', 'expected a finite number'],
  ['unionParameter', '', 'or a JSON object'],
  ['unionParameter', 'red', 'date-time'],
  ['unionParameter', '2026-02-30', 'date-time'],
  ['unionParameter', '2026-01-01T00:00:00 01:00', '%2B'],
  ['unionParameter', '[1]', 'or a JSON object'],
  ['unionParameter', '{"a":1', 'or a JSON object'],
  ['unionParameter', '{"a":1,"a":2}', 'or a JSON object'],
  ['unionParameter', '{"a":[[1]]}', 'a: items of arrays must be'],
  ['unionParameter', '{"a":[null]}', 'a: items of arrays must be'],
  ['unionParameter', '{"version":"x"}', 'version: expected an integer'],
  ['unionParameter', '{"objectTypeProperty":[]}', 'objectTypeProperty: expected an object'],
  ['unionParameter', '1e400', 'expected a finite number'],
  ['unionParameter', deep(33), 'expected nesting of at most 32'],
  ['unionParameter', wide(201), 'expected at most 200 values'],
  ['objectParameter', 'red', 'expected an object with arrayOfString and arrayOfStringWithDescription'],
  ['objectParameter', ['red'], 'expected an object with arrayOfString and arrayOfStringWithDescription'],
  ['objectParameter', { arrayOfStrings: ['a'] }, 'not arrayOfStrings'],
  ['objectParameter', { arrayOfString: [1] }, 'arrayOfString: expected an array of strings'],
  ['objectParameter', { arrayOfString: 'dog' }, 'arrayOfString: expected an array of strings'],
  ['objectParameter', { arrayOfString: { a: 'b' } }, 'arrayOfString: expected an array of strings'],
  ['objectParameter', { arrayOfString: Array(501).fill('a') }, 'expected at most 500 strings'],
] as const) {
  test(`condition ${name}=${JSON.stringify(value).slice(0, 50)} is 400: ${expected}`, () => {
    assert.throws(() => parse({ [name]: value as ParameterValue }), refused(name, expected));
  });
}

test('a JSON object of 32 levels or 200 values is a condition', () => {
  assert.equal(parse({ unionParameter: deep(32) }).length, 1);
  assert.equal(parse({ unionParameter: wide(200) }).length, 1);
});

const document = parseStoredJson(
  `{"id":"x","version":3,"key":"k","lastModifiedAt":"2026-05-01T12:00:00.000Z","hasStagedChanges":true,
    "name":{"en":"Cup","de":"Tasse"},"parts":[{"n":1,"c":"red"},{"n":2,"c":"blue"}],
    "objectTypeProperty":{"arrayOfIntExample":[6,6,9007199254740993],"arrayOfUniqueIntExample":[7],
      "arrayOfTwonumbersExample":[0.25,8],"arrayOfFloatExample":[1.5,2],"arrayOfNumberNoDefaultsExample":[1500],
      "arrayOfStringExample":["red","green","two words"],
      "arrayOfObjectType":[{"integerExample":1,"integerExampleInt32":2},{"integerExample":3}]}}`,
) as JsonObject;

const meanings: readonly (readonly [Values, boolean])[] = [
  [{ stringParameter: '6 in arrayOfIntExample' }, true],
  [{ stringParameter: '7 in arrayOfIntExample' }, false],
  [{ stringParameter: 'green' }, true],
  [{ stringParameter: 'gree' }, false],
  [{ stringParameter: 'two words' }, true],
  [{ stringParameter: '' }, false],
  [{ booleanParameter: true }, true],
  [{ integerParameter: '6' }, true],
  [{ integerParameter: '7' }, true],
  [{ integerParameter: '8' }, false],
  [{ integerParameter: '9007199254740993' }, true],
  [{ integerParameter: '9007199254740992' }, false],
  [{ floatParameter: '1.5' }, true],
  [{ floatParameter: '2.0' }, true],
  [{ floatParameter: '0.25' }, false],
  [{ withMarkdownDescription: '1500' }, true],
  [{ withMarkdownDescription: '1501' }, false],
  [{ arrayOfString: ['red', 'green'] }, true],
  [{ arrayOfString: ['red', 'blue'] }, false],
  [{ arrayOfStringWithDescription: ['red', 'blue'] }, true],
  [{ arrayOfStringWithDescription: ['blue'] }, false],
  [{ objectParameter: { arrayOfString: ['red'], arrayOfStringWithDescription: ['green', 'blue'] } }, true],
  [{ objectParameter: { arrayOfString: ['red'], arrayOfStringWithDescription: ['blue'] } }, false],
  [{ unionParameter: '0.25' }, true],
  [{ unionParameter: '1' }, false],
  [{ unionParameter: '2026-05-01T14:00:00.000+02:00' }, true],
  [{ unionParameter: '2026-05-01T12:00:00.001Z' }, false],
  [{ unionParameter: '2026-04-30' }, true],
  [{ unionParameter: '{"version":3}' }, true],
  [{ unionParameter: '{"version":4}' }, false],
  [{ unionParameter: '{"none":null}' }, true],
  [{ unionParameter: '{"key":null}' }, false],
  [{ unionParameter: '{"name":{"de":"Tasse","en":"Cup"}}' }, true],
  [{ unionParameter: '{"name":{"de":"Cup"}}' }, false],
  [{ unionParameter: '{"parts":[{"c":"blue","n":2},{"c":"red"}]}' }, true],
  [{ unionParameter: '{"parts":[{"c":"blue","n":1}]}' }, false],
  [{ unionParameter: '{"version":3,"objectTypeProperty":{"arrayOfIntExample":[9007199254740993,6]}}' }, true],
  [{ unionParameter: '{"version":3,"objectTypeProperty":{"arrayOfIntExample":[9007199254740992]}}' }, false],
  [{ unionParameter: '{"objectTypeProperty":{"arrayOfObjectType":[{"integerExample":3}]}}' }, true],
  [
    { unionParameter: '{"objectTypeProperty":{"arrayOfObjectType":[{"integerExample":3,"integerExampleInt32":2}]}}' },
    false,
  ],
];

for (const [values, expected] of meanings) {
  test(`conditions ${JSON.stringify(values)} ${expected ? 'hold' : 'do not hold'} on the sample`, () => {
    assert.equal(
      parse(values).every((predicate) => match(predicate, document)),
      expected,
    );
  });
}

function refused(name: string, problem: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof ServiceError &&
    error.code === 'InvalidInput' &&
    error.message.startsWith(`Malformed parameter: ${name}: `) &&
    error.message.includes(problem);
}
