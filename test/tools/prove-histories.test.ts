import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History, type Shown, type Step } from '../../tools/prove/histories/history.ts';

const isThere = ({ kind }: Step) => kind !== undefined;

/** Two resources: `r` was created and updated, `s` was created after both writes were acknowledged, and is being deleted. */
function written(): History {
  const history = new History('p');
  const write = (id: string, version: number, n: number, kind: string | undefined, isAcknowledged = true) => {
    const story = history.story(id);
    story.steps.push({ sent: history.now(), version, n, kind });
    if (isAcknowledged) history.raise(story, story.steps.length - 1);
  };
  write('r', 1, 1, 'k0');
  write('r', 2, 2, 'k1');
  write('s', 1, 3, 'k0');
  write('s', 1, 4, undefined, false);
  return history;
}

const [r1, r2, s1]: readonly Shown[] = [
  { id: 'r', version: 1, n: 1, kind: 'k0' },
  { id: 'r', version: 2, n: 2, kind: 'k1' },
  { id: 's', version: 1, n: 3, kind: 'k0' },
];
type Case = readonly [name: string, isAskedFirst: boolean, results: readonly Shown[], found: RegExp | undefined];
const cases: readonly Case[] = [
  ['the last state', false, [r2!, s1!], undefined],
  ['that without what is being deleted', false, [r2!], undefined],
  ['an earlier version', false, [r1!, s1!], /^stale: p\/r: .* shows version 1 \(k0, 1\) after version 2/],
  ['nothing of a resource', false, [s1!], /^missing: p\/r: /],
  ['another value', false, [{ ...r2!, n: 7 }], /^unknown: p\/r: /],
  ['a resource twice', false, [r2!, r2!], /^twice: p\/r/],
  ['nothing, to a query that was sent before all writes', true, [], undefined],
  ['an earlier version, to a query that was sent before', true, [r1!], undefined],
  ['an earlier version beside what was sent after it was replaced', true, [r1!, s1!], /^mixed: p\/r: /],
];
for (const [name, isAskedFirst, results, found] of cases) {
  test(`History: an answer shows ${name}: ${found ?? 'no violation'}`, () => {
    const history = written();
    const violations = history.judgeAll('list', isAskedFirst ? 1 : history.now(), results, isThere);
    if (found) assert.match(violations.join('\n'), found);
    else assert.deepEqual(violations, []);
  });
}

test('History: what one query shows, no later one may lack; a count may lack only what is under way', () => {
  const history = written();
  const asked = history.now();
  assert.deepEqual(history.judgeAll('list', asked, [r2!], isThere), []);
  for (const [total, count] of [
    [0, 1],
    [1, 0],
    [2, 0],
    [3, 1],
  ] as const) {
    assert.equal(history.judgeCount('all', asked, total, isThere).length, count, String(total));
  }
  history.raise(history.story('s'), 2);
  assert.match(history.judgeAll('list', history.now(), [r2!, s1!], isThere).join(), /^stale: p\/s/);
  assert.match(history.withdraw(history.story('s')).join(), /^refused: p\/s/);
});
