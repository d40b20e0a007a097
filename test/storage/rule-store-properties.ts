import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Change, GroupOutcome } from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { roundsOf } from '../rounds.ts';
import { testSeed } from '../seed.ts';
import { creation, deletion, document, replacement } from './records.ts';

const ids = ['a', 'b', 'c', 'd'];
const marks = ['sku 1', 'sku 2', 'sku 3', 'ref a'];

/** A change that is decided on what those before it make of the project, or on something else. */
interface Step {
  readonly id: string;
  readonly what: 'put' | 'create' | 'delete';
  readonly marks: readonly string[];
  readonly isUnique: boolean;
  readonly forbidden: readonly string[];
  readonly needs: string | undefined;
  /** The version that it was decided on, or that it needs, is another one. */
  readonly isStale: boolean;
}

const someMarks = fc.subarray(marks, { maxLength: 2 });
/** One value, and another one of so many times. */
function seldom<T>(often: T, other: T | fc.Arbitrary<T>, oneOf: number): fc.Arbitrary<T> {
  const arbitrary = other instanceof fc.Arbitrary ? other : fc.constant(other);
  return fc.oneof({ weight: oneOf - 1, arbitrary: fc.constant(often) }, { weight: 1, arbitrary });
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  id: fc.constantFrom(...ids),
  what: seldom<Step['what']>('put', fc.constantFrom('delete', 'delete', 'delete', 'create'), 5),
  marks: someMarks,
  isUnique: fc.boolean(),
  forbidden: seldom<readonly string[]>([], someMarks, 8),
  needs: seldom(undefined, fc.constantFrom(...ids), 8),
  isStale: seldom(false, true, 40),
});

interface Stored {
  readonly version: number;
  readonly marks: readonly string[];
}

/** The rules of changes as the port says them, one change after the other. */
class Model {
  stored = new Map<string, Stored>();

  /** Makes the changes of a group, and says what comes of it. */
  commit(project: string, steps: readonly Step[]): { changes: readonly Change[]; outcome: GroupOutcome } {
    const next = new Map(this.stored);
    const changes: Change[] = [];
    let outcome: GroupOutcome = 'committed';
    for (const [at, step] of steps.entries()) {
      const [now, needed] = [next.get(step.id)?.version ?? 0, next.get(step.needs ?? '')?.version ?? 0];
      const decided = now + (step.isStale ? 1 : 0);
      const needs = step.needs === undefined ? [] : [{ id: step.needs, version: needed + (step.isStale ? 1 : 0) }];
      const isCreate = step.what === 'create' || (step.what === 'put' && now === 0);
      const own = step.what === 'delete' ? [] : step.marks;
      const unique = step.isUnique ? own : [];
      const change = isCreate
        ? creation(project, document(step.id, 1))
        : step.what === 'delete'
          ? deletion(project, document(step.id, decided))
          : replacement(project, document(step.id, decided), document(step.id, decided + 1));
      changes.push({ ...change, rules: { version: 1, marks: own, unique, needs, forbidden: step.forbidden } });
      if (outcome !== 'committed') continue;
      const others = [...next].flatMap(([id, { marks: theirs }]) => (id === step.id ? [] : theirs));
      const isNeedMet = needs.every(({ version }) => version === needed && needed > 0);
      if (!isNeedMet || [...unique, ...step.forbidden].some((mark) => others.includes(mark))) {
        outcome = { outcome: 'rulesBroken', at };
      } else if (isCreate && now > 0) outcome = { outcome: 'idTaken', at };
      else if (!isCreate && (now === 0 || decided !== now)) outcome = { outcome: 'versionMoved', at };
      else if (step.what === 'delete') next.delete(step.id);
      else next.set(step.id, { version: isCreate ? 1 : decided + 1, marks: own });
    }
    if (outcome === 'committed') this.stored = next;
    return { changes, outcome };
  }
}

/** Random groups of changes: the outcomes and the marks are those of changes that are made one after the other. */
export function rulesHoldInGroups(openStore: () => Store): void {
  it('random groups of changes with rules: outcomes and marks as if the changes were made one after the other', async () => {
    let [run, committed, broken] = [0, 0, 0];
    const property = fc.asyncProperty(
      fc.array(fc.array(anyStep, { minLength: 1, maxLength: 4 }), { minLength: 6, maxLength: 12 }),
      async (groups) => {
        run += 1;
        const { resources, rules } = openStore();
        const [project, model] = [`model-${run}`, new Model()];
        for (const steps of groups) {
          const { changes, outcome } = model.commit(project, steps);
          assert.deepEqual(await resources.commitAll(changes), outcome);
          if (outcome === 'committed') committed += 1;
          else if (outcome.outcome === 'rulesBroken') broken += 1;
          for (const mark of marks) {
            const expected = ids.filter((id) => model.stored.get(id)?.marks.includes(mark));
            assert.deepEqual(await rules.marked(project, mark, 10), expected, mark);
          }
        }
      },
    );
    await fc.assert(property, { seed: testSeed, numRuns: roundsOf(300, 60), endOnFailure: true });
    assert.ok(committed > run && broken > run, `${run} runs: ${committed} committed, ${broken} broken`);
  });
}
