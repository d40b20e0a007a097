import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simplifyTerms, type TermExpression } from '../../src/index/plan/term-expression.ts';

const term = (name: string): TermExpression => ({ kind: 'term', term: name });
const or = (...of: TermExpression[]): TermExpression => ({ kind: 'or', of });
const and = (...of: TermExpression[]): TermExpression => ({ kind: 'and', of });

test('terms that stand twice are looked for once', () => {
  assert.deepEqual(simplifyTerms(or(term('a'), term('b'), term('a'))), or(term('a'), term('b')));
  assert.deepEqual(simplifyTerms(and(term('a'), term('a'))), term('a'));
});

test('what another part of an AND says already is left out', () => {
  const shirts = or(term('shirt'), term('shirts'));
  const beginning = or(term('shoe'), term('shirts'), term('shirt'));
  assert.deepEqual(simplifyTerms(and(shirts, beginning)), shirts);
  assert.deepEqual(simplifyTerms(and(beginning, shirts)), shirts);
  assert.deepEqual(simplifyTerms(and(shirts, shirts)), shirts);
  assert.deepEqual(simplifyTerms(and(term('shirt'), beginning, term('red'))), and(term('shirt'), term('red')));
});

test('parts with more to them than terms stay', () => {
  const marked = and(term('shirt'), { kind: 'not', of: term('rule') });
  for (const kept of [
    and(or(term('a'), term('b')), or(term('a'), term('c'))),
    and(or(term('a'), term('b')), or(term('a'), term('b'), marked)),
    and(
      or(term('a'), { kind: 'term', term: 'p', prefix: true }),
      or(term('b'), { kind: 'term', term: 'p', prefix: true }),
    ),
    or(term('a'), and(term('b'), term('c'))),
  ])
    assert.deepEqual(simplifyTerms(kept), kept);
});

test('every expression means the same as before', () => {
  const names = ['a', 'b', 'c'];
  const holds = (expression: TermExpression, has: ReadonlySet<string>): boolean => {
    if (expression.kind === 'constant') return expression.value;
    if (expression.kind === 'term') return has.has(expression.term);
    if (expression.kind === 'not') return !holds(expression.of, has);
    return expression.kind === 'and'
      ? expression.of.every((each) => holds(each, has))
      : expression.of.some((each) => holds(each, has));
  };
  let seed = 7;
  const below = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const random = (depth: number): TermExpression => {
    const kind = depth === 0 ? 0 : below(4);
    if (kind === 0) return term(names[below(3)]!);
    if (kind === 1) return { kind: 'not', of: random(depth - 1) };
    return { kind: kind === 2 ? 'and' : 'or', of: Array.from({ length: 1 + below(4) }, () => random(depth - 1)) };
  };
  for (let n = 0; n < 2000; n += 1) {
    const expression = random(3);
    for (let bits = 0; bits < 8; bits += 1) {
      const has = new Set(names.filter((_, at) => bits & (1 << at)));
      assert.equal(holds(simplifyTerms(expression), has), holds(expression, has), JSON.stringify(expression));
    }
  }
});
