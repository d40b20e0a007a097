import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Change, CommitOutcome, GroupOutcome, IdempotentResponse } from '../../src/domain/ports/resource-store.ts';
import type { ChangeRules } from '../../src/domain/ports/rule-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { creation, deletion, document, record, replacement } from './records.ts';
import { rulesHoldInGroups } from './rule-store-properties.ts';

/** An engine under test: two stores on one database, which know as little of each other as two processes do. */
export interface RulesUnderTest {
  readonly name: string;
  /** Races for a value. */
  readonly rounds: number;
  open(): Promise<readonly [Store, Store]>;
}

const noRules: ChangeRules = { version: 1, marks: [], unique: [], needs: [], forbidden: [] };
const ruled = (change: Change, rules: Partial<ChangeRules>): Change => ({ ...change, rules: { ...noRules, ...rules } });
/** With marks of which all are unique. */
const unique = (change: Change, ...marks: readonly string[]) => ruled(change, { marks, unique: marks });
const create = (project: string, id: string, ...marks: readonly string[]) =>
  unique(creation(project, document(id, 1)), ...marks);
const update = (project: string, id: string, from: number, ...marks: readonly string[]) =>
  unique(replacement(project, document(id, from), document(id, from + 1)), ...marks);
const remove = (project: string, id: string, version: number, forbidden: readonly string[] = []) =>
  ruled(deletion(project, document(id, version)), { forbidden });

const counted = (outcomes: readonly CommitOutcome[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, (outcome) => outcome)].map(([outcome, all]) => [outcome, all.length]));

/** The contract of the RuleStore port (domain/ports/rule-store.ts), and of `rules` in changes. Every engine runs it. */
export function ruleStoreSuite({ name, rounds, open }: RulesUnderTest): void {
  describe(`RuleStore on ${name}`, () => {
    let store: Store;
    let other: Store;
    before(async () => {
      [store, other] = await open();
    });
    after(async () => {
      await other.close();
      await store.close();
    });

    const commit = (change: Change) => store.resources.commit(change);
    const commitAll = (...changes: readonly Change[]): Promise<GroupOutcome> => store.resources.commitAll(changes);
    const marked = async (project: string, mark: string, limit = 100, afterId?: string) => {
      const ids = await store.rules.marked(project, mark, limit, afterId);
      assert.deepEqual(await other.rules.marked(project, mark, limit, afterId), ids);
      return ids;
    };

    it('once a version of the types is set, only changes that know it are committed', async () => {
      assert.equal(await commit(creation('v', document('a', 1))), 'committed');
      assert.equal(await store.rules.rulesVersion('v'), 0);
      await store.rules.setRules('v', 3);
      await store.rules.setRules('v', 2);
      for (const each of [store, other]) {
        assert.equal(await each.rules.rulesVersion('v'), 3);
        const next = replacement('v', document('a', 1), document('a', 2));
        const changes = [creation('v', document('b', 1)), next, deletion('v', document('a', 1))];
        for (const change of [...changes, ...changes.map((one) => ruled(one, { version: 2 }))]) {
          assert.equal(await each.resources.commit(change), 'rulesBroken');
        }
        const group = [ruled(creation('v', document('b', 1)), { version: 3 }), next];
        assert.deepEqual(await each.resources.commitAll(group), { outcome: 'rulesBroken', at: 1 });
      }
      assert.equal((await store.resources.get('v', 'a'))?.version, 1);
      assert.equal(await store.resources.get('v', 'b'), undefined);
      assert.equal(await commit(ruled(creation('v', document('b', 1)), { version: 3 })), 'committed');
      assert.equal(await commit(ruled(creation('v', document('c', 1)), { version: 4 })), 'committed');
      // Of other projects, companions among them, the version says nothing.
      for (const project of ['v~carts', 'v-2', 'w']) {
        assert.equal(await commit(creation(project, document('a', 1))), 'committed');
      }
    });

    it('a response alone changes nothing, so that no version of the types refuses it', async () => {
      await store.rules.setRules('v-response', 1);
      const response = { scope: 'v-response', requestHash: 'h', status: 200, headers: {}, body: '', expiresAtMs: 4e12 };
      assert.equal(await store.resources.storeResponse('v-response', response), 'committed');
    });

    it('no change that began after a version was set is committed by an earlier one, whoever writes', async () => {
      for (let version = 2; version <= 12; version += 1) {
        const of = (n: number) => ruled(creation('fence', document(`${version}-${n}`, 1)), { version: version - 1 });
        const beside = Promise.all(
          Array.from({ length: 16 }, (_, n) => [store, other][n % 2]!.resources.commit(of(n))),
        );
        await other.rules.setRules('fence', version);
        const late = [store, other].map(({ resources }, n) => resources.commit(of(100 + n)));
        assert.deepEqual(await Promise.all(late), ['rulesBroken', 'rulesBroken']);
        const early = await beside;
        assert.ok(early.every((outcome) => outcome === 'committed' || outcome === 'rulesBroken'));
        for (const [n, outcome] of early.entries()) {
          const found = await store.resources.get('fence', `${version}-${n}`);
          assert.equal(found !== undefined, outcome === 'committed');
        }
      }
    });

    it('a project that has nothing but a version of types is listed', async () => {
      await store.rules.setRules('only-types', 1);
      assert.deepEqual(await store.projects(1, 'only-type'), ['only-types']);
    });

    it('a mark that must be unique is of one resource of a project: it keeps it, gives it up, and a deletion frees it', async () => {
      assert.equal(await commit(create('u', 'a', 'sku 1', 'sku 2')), 'committed');
      const scope = { scope: 'u', requestHash: 'h', status: 201, headers: {}, body: '', expiresAtMs: 4e12 };
      assert.equal(await commit({ ...create('u', 'b', 'sku 0', 'sku 2'), idempotency: scope }), 'rulesBroken');
      assert.equal(await store.resources.get('u', 'b'), undefined);
      assert.equal(await store.resources.getIdempotentResponse(scope.scope, 0), undefined);
      assert.deepEqual(await marked('u', 'sku 0'), []);
      assert.equal((await store.changes.changesAfter('u', 0, 10)).changes.length, 1);

      assert.equal(await commit(create('u', 'b', 'sku 3')), 'committed');
      assert.equal(await commit(update('u', 'b', 1, 'sku 3', 'sku 1')), 'rulesBroken');
      assert.equal((await store.resources.get('u', 'b'))?.version, 1);
      assert.equal(await commit(update('u', 'a', 1, 'sku 2', 'sku 4')), 'committed');
      assert.deepEqual(await marked('u', 'sku 1'), []);
      assert.equal(await commit(update('u', 'b', 1, 'sku 3', 'sku 1')), 'committed');
      assert.equal(await commit(remove('u', 'a', 2)), 'committed');
      for (const mark of ['sku 2', 'sku 4']) assert.deepEqual(await marked('u', mark), []);
      assert.equal(await commit(create('u', 'c', 'sku 2', 'sku 4')), 'committed');
      // A resource may have a mark twice; another project has marks of its own, and so has a text that only begins so.
      assert.equal(await commit(create('u', 'd', 'sku', 'sku 11', 'sku 11')), 'committed');
      assert.equal(await commit(create('u-2', 'a', 'sku 1')), 'committed');
      assert.deepEqual(await marked('u', 'sku 1'), ['b']);
      assert.deepEqual(await marked('u-2', 'sku 1'), ['a']);
    });

    it('marks that need not be unique are of any number of resources, listed by id in portions', async () => {
      const mark = 'colour "żółć 🦜"';
      const ids = ['Z', 'a', 'é', '\uffee', '🦜'];
      for (const id of ids) {
        assert.equal(await commit(ruled(creation('s', document(id, 1)), { marks: [mark, `${mark}+`] })), 'committed');
      }
      assert.deepEqual(await marked('s', mark), ids);
      assert.deepEqual(await marked('s', mark, 2), ids.slice(0, 2));
      assert.deepEqual(await marked('s', mark, 2, ids[1]), ids.slice(2, 4));
      assert.deepEqual(await marked('s', mark, 9, ids[4]), []);
      assert.deepEqual(await marked('s', 'colour'), []);
      // Where they become unique, those that are there are in the way of each.
      assert.equal(await commit(create('s', 'new', mark)), 'rulesBroken');
      assert.equal(await commit(update('s', 'a', 1, mark)), 'rulesBroken');
      assert.equal(await commit(update('s', 'a', 1, 'colour "red"')), 'committed');
    });

    it('of eight writers of a value one gets it, in each of many rounds', async () => {
      const writer = async (round: number, n: number): Promise<CommitOutcome> => {
        const { resources } = [store, store, store, other][n % 4]!;
        return resources.commit(create('race', `${round}-${n}`, `ean ${round}`, `own ${round}-${n}`));
      };
      for (let round = 0; round < rounds; round += 10) {
        const races = Array.from({ length: 10 }, (_, at) =>
          Promise.all(Array.from({ length: 8 }, (__, n) => writer(round + at, n))),
        );
        for (const outcomes of await Promise.all(races)) {
          assert.deepEqual(counted(outcomes), { committed: 1, rulesBroken: 7 });
        }
      }
      assert.deepEqual(await store.rules.contested('race', 'ean ', 1), { count: 0, first: [] });
      assert.deepEqual((await store.projects(1, 'rac')) as readonly string[], ['race']);
    });

    it('writers that take the last value of each other: every value is of one resource at any time', async () => {
      const values = 5;
      const versions = new Map<string, number>();
      let committed = 0;
      await Promise.all(
        Array.from({ length: 8 }, async (_, n) => {
          const { resources } = [store, other][n % 2]!;
          const id = `r${n}`;
          for (let step = 0; step < 20; step += 1) {
            const version = versions.get(id) ?? 0;
            const mark = `slot ${(n + step) % values}`;
            const change =
              version === 0
                ? create('slots', id, mark)
                : step % 7 === 6
                  ? remove('slots', id, version)
                  : update('slots', id, version, mark);
            const outcome = await resources.commit(change);
            if (outcome !== 'committed') continue;
            committed += 1;
            versions.set(id, change.kind === 'delete' ? 0 : version + 1);
            assert.ok((await store.rules.contested('slots', 'slot', 1)).count === 0);
          }
        }),
      );
      assert.ok(committed > 20, `${committed}`);
    });

    it('the changes of a group take what those before them leave, all or none', async () => {
      assert.equal(await commit(create('g', 'a', 'sku 1')), 'committed');
      assert.equal(await commitAll(remove('g', 'a', 1), create('g', 'b', 'sku 1')), 'committed');
      assert.deepEqual(await marked('g', 'sku 1'), ['b']);
      const twice = await commitAll(create('g', 'c', 'sku 2'), create('g', 'd', 'sku 2'));
      assert.deepEqual(twice, { outcome: 'rulesBroken', at: 1 });
      assert.deepEqual(await marked('g', 'sku 2'), []);
      assert.equal(await store.resources.get('g', 'c'), undefined);
      assert.equal(
        await commitAll(create('g', 'c', 'sku 3'), update('g', 'c', 1, 'sku 4'), create('g', 'd', 'sku 3')),
        'committed',
      );
      assert.deepEqual([await marked('g', 'sku 3'), await marked('g', 'sku 4')], [['d'], ['c']]);
      // A change that is refused for another reason leaves the marks as they were.
      const taken = await commitAll(update('g', 'c', 2, 'sku 5'), create('g', 'd', 'sku 6'));
      assert.deepEqual(taken, { outcome: 'idTaken', at: 1 });
      assert.deepEqual([await marked('g', 'sku 4'), await marked('g', 'sku 5')], [['c'], []]);
      assert.equal(
        await commitAll(
          ...Array.from({ length: 500 }, (_, n) => create('g', `m${n}`, `sku ${n}m`, `all ${n % 7} ${n}`)),
        ),
        'committed',
      );
      assert.deepEqual(await marked('g', 'sku 499m'), ['m499']);
    });

    it('a change is committed if what it needs exists in the version that was looked at', async () => {
      const category = document('c', 1);
      const needing = (id: string, version: number, incarnation?: string) =>
        ruled(creation('n', document(id, 1)), { marks: ['ref c'], needs: [{ id: 'c', version, incarnation }] });
      assert.equal(await commit(needing('p1', 1)), 'rulesBroken');
      assert.equal(await commit(ruled(creation('n', category), {})), 'committed');
      assert.equal(await commit(needing('p1', 1)), 'committed');
      assert.equal(await commit(needing('p2', 2)), 'rulesBroken');
      assert.equal(await commit(needing('p2', 1, 'of another')), 'rulesBroken');
      const changed = ruled(replacement('n', category, document('c', 2)), {});
      assert.deepEqual(await commitAll(changed, needing('p2', 1)), { outcome: 'rulesBroken', at: 1 });
      assert.equal(await commitAll(changed, needing('p2', 2)), 'committed');
      assert.equal(await commit(needing('p3', 1)), 'rulesBroken');
      assert.deepEqual(await commitAll(remove('n', 'c', 2, ['other']), needing('p3', 2)), {
        ...{ outcome: 'rulesBroken', at: 1 },
      });
      assert.equal(await commit(remove('n', 'c', 2, ['ref c'])), 'rulesBroken');
      for (const id of ['p1', 'p2']) assert.equal(await commit(remove('n', id, 1)), 'committed');
      assert.equal(await commit(remove('n', 'c', 2, ['ref c'])), 'committed');
      assert.equal(await commit(needing('p3', 2)), 'rulesBroken');
      // It is another one that has the same id and version.
      const again = { ...record('n', category), incarnation: 'again' };
      assert.equal(
        await commit({ kind: 'create', next: again, after: { current: category }, rules: noRules }),
        'committed',
      );
      assert.equal(await commit(needing('p3', 1)), 'rulesBroken');
      assert.equal(await commit(needing('p3', 1, 'again')), 'committed');
      // A reference to itself is not in its own way.
      const self = { marks: ['ref s'], forbidden: ['ref s'] };
      assert.equal(await commit(ruled(creation('n', document('s', 1)), self)), 'committed');
      assert.equal(await commit(remove('n', 's', 1, ['ref s'])), 'committed');
    });

    it('a deletion and a new reference to what is deleted: never both, in each of many rounds', async () => {
      let deleted = 0;
      for (let round = 0; round < rounds / 5; round += 1) {
        const [target, ref] = [`c${round}`, `ref c${round}`];
        assert.equal(await commit(ruled(creation('d', document(target, 1)), {})), 'committed');
        const refer = (n: number) =>
          [store, other][n % 2]!.resources.commit(
            ruled(creation('d', document(`${target}-${n}`, 1)), { marks: [ref], needs: [{ id: target, version: 1 }] }),
          );
        const drop = () => [other, store][round % 2]!.resources.commit(remove('d', target, 1, [ref]));
        const [first, second] = round % 3 === 0 ? [refer(0), refer(1)] : [undefined, undefined];
        const dropping = drop();
        const outcomes = await Promise.all([first ?? refer(0), second ?? refer(1)]);
        const isDeleted = (await dropping) === 'committed';
        deleted += isDeleted ? 1 : 0;
        assert.deepEqual(outcomes, isDeleted ? ['rulesBroken', 'rulesBroken'] : outcomes);
        if (!isDeleted) assert.ok(outcomes.includes('committed'));
        assert.equal((await store.resources.get('d', target)) === undefined, isDeleted);
        assert.equal((await marked('d', ref)).length > 0, !isDeleted);
      }
      assert.ok(deleted > 0 && deleted < rounds / 5, `${deleted}`);
    });

    rulesHoldInGroups(() => store);

    it('two requests of one key with rules: one is carried out, the other gets its response', async () => {
      const response: IdempotentResponse = {
        ...{ scope: 'k', requestHash: 'h', status: 201, headers: {}, body: 'first', expiresAtMs: 4e12 },
      };
      const change = (id: string): Change => ({ ...create('k', id, 'sku 1'), idempotency: response });
      const outcomes = await Promise.all([store.resources.commit(change('a')), other.resources.commit(change('b'))]);
      // The repeat finds the response before it finds the value taken.
      assert.deepEqual(outcomes.sort(), ['committed', 'responseExists']);
      assert.equal((await store.resources.getIdempotentResponse('k', 0))?.body, 'first');
      assert.equal((await marked('k', 'sku 1')).length, 1);
    });

    it('marks are made beside writes, of the versions that are still there', async () => {
      const fields = { id: 'a', version: 1 };
      for (const id of ['a', 'b', 'c']) assert.equal(await commit(creation('m', document(id, 1))), 'committed');
      await store.rules.mark('m', [{ ...fields, marks: ['sku 1', 'ref x'] }], ['sku ', 'ref ']);
      assert.deepEqual([await marked('m', 'sku 1'), await marked('m', 'ref x')], [['a'], ['a']]);
      // Only those with the beginning are replaced.
      await other.rules.mark('m', [{ ...fields, marks: ['sku 2', 'sku 3'] }], ['sku ']);
      assert.deepEqual(await Promise.all(['sku 1', 'sku 2', 'sku 3', 'ref x'].map((mark) => marked('m', mark))), [
        [],
        ['a'],
        ['a'],
        ['a'],
      ]);
      assert.equal(await commit(update('m', 'b', 1, 'sku 4')), 'committed');
      assert.equal(await commit(ruled(deletion('m', document('c', 1)), {})), 'committed');
      const stale = ['a', 'b', 'c', 'd'].map((id) => ({ id, version: 1, marks: [`sku ${id}`] }));
      await store.rules.mark('m', [...stale, { ...fields, incarnation: 'of another', marks: ['sku i'] }], ['sku ']);
      assert.deepEqual(
        await Promise.all(['sku a', 'sku b', 'sku c', 'sku d', 'sku i', 'sku 4'].map((mark) => marked('m', mark))),
        [['a'], [], [], [], [], ['b']],
      );
      assert.equal((await store.resources.get('m', 'a'))?.version, 1);
      await store.rules.mark('m', [{ ...fields, marks: [] }], ['sku ', 'ref ']);
      assert.deepEqual([await marked('m', 'sku a'), await marked('m', 'ref x')], [[], []]);
      await store.rules.mark('m', [], ['sku ']);
    });

    it('marks that are made while writers change the resources are in the end those of the last versions', async () => {
      const ids = Array.from({ length: 20 }, (_, n) => `r${n}`);
      assert.equal(await commitAll(...ids.map((id) => creation('b', document(id, 1)))), 'committed');
      const versions = new Map(ids.map((id) => [id, 1]));
      let isOver = false;
      const making = (async () => {
        for (let round = 0; !isOver || round === 0; round += 1) {
          const looked = ids.map((id) => ({ id, version: versions.get(id)!, marks: [`at ${id} ${versions.get(id)}`] }));
          await [store, other][round % 2]!.rules.mark('b', looked, ['at ']);
        }
      })();
      try {
        for (let step = 0; step < 10; step += 1) {
          const changes = ids
            .filter((_, n) => (n + step) % 3 !== 0)
            .map(async (id, n) => {
              const version = versions.get(id)!;
              const { resources } = [store, other][n % 2]!;
              assert.equal(await resources.commit(update('b', id, version, `at ${id} ${version + 1}`)), 'committed');
              versions.set(id, version + 1);
            });
          await Promise.all(changes);
        }
      } finally {
        isOver = true;
      }
      await making;
      for (const [id, version] of versions) {
        for (let each = 1; each <= version; each += 1) {
          assert.deepEqual(await marked('b', `at ${id} ${each}`), each === version ? [id] : []);
        }
      }
    });

    it('contested marks are counted, the first of them told, and removed with their rule, in portions', async () => {
      const many = Array.from({ length: 1500 }, (_, n) => `r${String(n).padStart(4, '0')}`);
      const marksOf = (n: number) => [
        `sku ${n % 500 === 7 ? 'x' : n}`,
        ...(n < 1200 ? ['sku2 same'] : []),
        ...(n === 3 || n === 4 ? ['sku 🦜', 'sku zz'] : []),
      ];
      for (let at = 0; at < many.length; at += 500) {
        const changes = many
          .slice(at, at + 500)
          .map((id, n) => ruled(creation('c', document(id, 1)), { marks: marksOf(at + n) }));
        assert.equal(await commitAll(...changes), 'committed');
      }
      const [x, both] = [
        ['r0007', 'r0507', 'r1007'],
        ['r0003', 'r0004'],
      ];
      const all = [
        { mark: 'sku x', ids: x },
        { mark: 'sku zz', ids: both },
        { mark: 'sku 🦜', ids: both },
      ];
      assert.deepEqual(await store.rules.contested('c', 'sku ', 10), { count: 3, first: all });
      assert.deepEqual(await store.rules.contested('c', 'sku ', 2), { count: 3, first: all.slice(0, 2) });
      const same = [{ mark: 'sku2 same', ids: many.slice(0, 5) }];
      assert.deepEqual(await store.rules.contested('c', 'sku2 ', 10), { count: 1, first: same });
      assert.equal((await store.rules.contested('c', 'sku', 10)).count, 4);
      assert.deepEqual(await store.rules.contested('c', 'skv', 10), { count: 0, first: [] });
      assert.deepEqual(await store.rules.contested('c-2', 'sku', 10), { count: 0, first: [] });

      assert.equal(await store.rules.unmark('c', 'sku2 ', 1000), 1000);
      assert.equal(await store.rules.unmark('c', 'sku2 ', 1000), 200);
      assert.equal(await store.rules.unmark('c', 'sku2 ', 1000), 0);
      assert.deepEqual(await store.rules.contested('c', 'sku ', 10), { count: 3, first: all });
      assert.equal(await other.rules.unmark('c', 'sku ', 10_000), 1504);
      assert.deepEqual(await store.rules.contested('c', '', 10), { count: 0, first: [] });
    });
  });
}
