import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type ChangeFilter,
  type ChangeLog,
  type LoggedChange,
  noResource,
  type Origin,
} from '../../src/domain/ports/change-log.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { messageIdOf } from '../../src/webhooks/message/events.ts';
import { until } from '../until.ts';
import { changeLogProperties } from './change-log-properties.ts';
import { changesBy, documentWrites, originBy, readLog } from './logged-changes.ts';
import { document } from './records.ts';

/** An engine under test. */
export interface LogUnderTest {
  readonly name: string;
  /** Opens a new, empty store, which keeps a history or does not. */
  open(keepsHistory: boolean): Promise<Store>;
}

const versions = (changes: readonly LoggedChange[]) =>
  changes.map(({ origin, version }) => `${origin.type} ${version}`);
const never = Number.MAX_SAFE_INTEGER;

/** The contract of the ChangeLog port (domain/ports/change-log.ts). Every engine runs it. */
export function changeLogSuite({ name, open }: LogUnderTest): void {
  describe(`ChangeLog on ${name}`, () => {
    let store: Store;
    let log: ChangeLog;
    before(async () => {
      store = await open(true);
      log = store.changes;
    });
    after(() => store.close());

    const write = (projectKey: string, more?: Partial<Origin>) => changesBy(store, projectKey, more);

    it('a project without changes has an empty log', async () => {
      const bounds = await log.bounds('empty');
      assert.equal(bounds.last, bounds.pruned);
      assert.match(bounds.epoch, /^[\w-]{8,}$/);
      assert.deepEqual(await log.changesAfter('empty', bounds.last, 10), { changes: [], upTo: bounds.last });
      assert.deepEqual(await log.changesOf('empty', 'a', undefined, 10), []);
      assert.deepEqual(await log.deletions('empty', undefined, 10), []);
      assert.equal(await log.deletionByKey('empty', 'k'), undefined);
      assert.equal(await log.forget('empty', 'a', originBy('forgotten')), false);
    });

    it('a change is logged as it was made: of what, by whom, how and when', async () => {
      const { create, update, remove } = write('made');
      const actions = ['setKey', 'publish', 'setFoo é "x"'];
      const made: readonly Origin[] = [
        { ...originBy('created', 'import', '2026-03-04T05:06:07.089Z'), externalUserId: 'Zoë\n"1"' },
        { ...originBy('published', 'actions', '2026-03-04T05:06:07.090Z'), actions, correlationId: 'c/1' },
        { ...originBy('imageUploaded', 'image', '2026-03-04T05:06:08.000Z'), externalUserId: 'u', correlationId: 'c' },
        originBy('deleted', 'delete', '2026-03-04T05:06:09.999Z'),
      ];
      await create('a', { n: 1 }, { key: 'k1', incarnation: '00c0ffee00', origin: made[0] });
      await update('a', { n: 2 }, { key: 'k2', origin: made[1] });
      await update('a', { n: 2 }, { key: undefined, origin: made[2] });
      await remove('a', { origin: made[3] });
      const changes = await readLog(log, 'made');
      assert.deepEqual(
        changes.map(({ id, key, version, incarnation, before }) => [id, key, version, incarnation, before === null]),
        [
          ['a', 'k1', 1, '00c0ffee00', true],
          ['a', 'k2', 2, '00c0ffee00', false],
          ['a', undefined, 3, '00c0ffee00', false],
          ['a', undefined, 3, '00c0ffee00', false],
        ],
      );
      const known = (origin: Origin) => JSON.parse(JSON.stringify(origin)) as Origin;
      assert.deepEqual(
        changes.map(({ origin }) => known(origin)),
        made.map(known),
      );
    });

    it('a change without an origin is logged as of no client', async () => {
      const { create, update, remove } = write('bare');
      await create('a', {}, { origin: undefined });
      await update('a', { n: 1 }, { origin: undefined });
      await remove('a', { origin: undefined });
      const changes = await readLog(log, 'bare');
      assert.deepEqual(versions(changes), ['created 1', 'updated 2', 'deleted 2']);
      for (const { origin, incarnation } of changes) {
        assert.equal(origin.clientId, '');
        assert.ok(Math.abs(Date.parse(origin.at) - Date.now()) < 3_600_000);
        assert.equal(incarnation, undefined);
      }
    });

    it('a change that was refused is not logged, nor is one of a companion project or of another project', async () => {
      const { create, update } = write('refused');
      await create('a', {}, { key: 'k' });
      assert.equal(await create('a', {}, { expect: 'idTaken' }), 'idTaken');
      assert.equal(await create('b', {}, { key: 'k', expect: 'keyTaken' }), 'keyTaken');
      assert.equal(await update('a', {}, { expectedVersion: 7, expect: 'versionMoved' }), 'versionMoved');
      await write('refused~images').create('a', {});
      await write('refused2').create('a', {});
      assert.deepEqual(versions(await readLog(log, 'refused')), ['created 1']);
      const bounds = await log.bounds('refused~images');
      assert.equal(bounds.last, bounds.pruned);
      assert.deepEqual((await log.changesAfter('refused~images', 0, 10)).changes, []);
    });

    it('writes of documents of a companion are changes of its project, each one, in one order with those of resources', async () => {
      const [companion, project] = [write('docs~backend'), write('docs')];
      let [called, stop] = [0, () => {}];
      const heard = new Promise<void>((resolve) => {
        stop = log.follow('docs', () => {
          called += 1;
          resolve();
        });
      });
      await companion.create('cart', { n: 1 }, { documentWrites: documentWrites('cart', 1, 1) });
      await heard;
      stop();
      assert.ok(called > 0);
      await project.create('cart', { name: 'a resource of that name' });
      await companion.update('cart', { n: 4 }, { documentWrites: documentWrites('cart', 2, 3) });
      const refused = {
        expectedVersion: 7,
        expect: 'versionMoved',
        documentWrites: documentWrites('cart', 5, 2),
      } as const;
      assert.equal(await companion.update('cart', { n: 9 }, refused), 'versionMoved');
      await companion.create('other', { n: 0 }, { documentWrites: [] });
      await project.remove('cart');
      const changes = await readLog(log, 'docs');
      const told = changes.map(({ id, key, version, origin: { type, clientId } }) => [
        type,
        id,
        key,
        version,
        clientId,
      ]);
      const ofDocument = (version: number) => ['backendDocumentWritten', noResource, 'cart', version, `by-${version}`];
      assert.deepEqual(told, [
        ofDocument(1),
        ['created', 'cart', undefined, 1, 'test-client'],
        ...[2, 3, 4].map(ofDocument),
        ['deleted', 'cart', undefined, 1, 'test-client'],
      ]);
      const [first] = changes;
      assert.deepEqual(first!.origin, documentWrites('cart', 1, 1)[0]!.origin);
      assert.equal(first!.before, null);
      const types = ['backendDocumentWritten'] as const;
      assert.equal((await readLog(log, 'docs', 2, { types })).length, 4);
      assert.equal((await readLog(log, 'docs', 2, { types, clientId: 'by-3' })).length, 1);
      // A resource with the name of a document is another thing.
      assert.deepEqual(versions(await readLog(log, 'docs', 2, { id: 'cart' })), ['created 1', 'deleted 1']);
      assert.deepEqual(versions(await log.changesOf('docs', 'cart', undefined, 10)), ['deleted 1', 'created 1']);
      assert.equal((await log.deletionByKey('docs', 'cart'))?.id, undefined);
      assert.equal(await log.forget('docs', 'cart', originBy('forgotten')), true);
      assert.equal((await readLog(log, 'docs', 9, { types })).filter(({ key }) => key === 'cart').length, 4);
      const { last, pruned } = await log.bounds('docs~backend');
      assert.equal(last, pruned);
    });

    it('writers of documents beside writers of resources: a reader misses none, and meets those of a document in order', async () => {
      const met: LoggedChange[] = [];
      let writing = true;
      const reader = (async () => {
        for (let after = 0; ; ) {
          const isLast = !writing;
          const page = await log.changesAfter('mixed', after, 7);
          met.push(...page.changes);
          if (isLast && page.upTo === after) return;
          after = page.upTo;
          await new Promise(setImmediate);
        }
      })();
      const writers = Array.from({ length: 6 }, async (_, n) => {
        const isOfDocument = n % 2 === 0;
        const { create, update } = write(isOfDocument ? 'mixed~backend' : 'mixed');
        const writes = (version: number) =>
          isOfDocument ? { documentWrites: documentWrites(`r${n}`, version, 2) } : {};
        await create(`r${n}`, {}, writes(1));
        for (let at = 1; at < 10; at += 1) await update(`r${n}`, { at }, writes(1 + 2 * at));
      });
      await Promise.all(writers).finally(() => {
        writing = false;
      });
      await reader;
      const sequences = met.map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => a - b),
      );
      for (let n = 0; n < 6; n += 1) {
        const ofOne = met.filter(({ id, key }) =>
          n % 2 === 0 ? key === `r${n}` && id === noResource : id === `r${n}`,
        );
        const expected = Array.from({ length: n % 2 === 0 ? 20 : 10 }, (_, at) => at + 1);
        assert.deepEqual(
          ofOne.map(({ version }) => version),
          expected,
        );
      }
      assert.equal(met.length, 3 * 20 + 3 * 10);
      assert.deepEqual(await readLog(log, 'mixed', 5), met);
    });

    it('a reader beside many writers meets each change once, in order, and those of a resource version by version', async () => {
      const project = 'order';
      const met: LoggedChange[] = [];
      let writing = true;
      const reader = (async () => {
        for (let after = 0; ; ) {
          const isLast = !writing;
          const page = await log.changesAfter(project, after, 7);
          met.push(...page.changes);
          if (isLast && page.upTo === after) return;
          after = page.upTo;
          await new Promise(setImmediate);
        }
      })();
      const writers = Array.from({ length: 8 }, async (_, n) => {
        const { create, update, remove } = write(n % 4 === 3 ? 'order-other' : project);
        for (let life = 0; life < 2; life += 1) {
          await create(`r${n}`, { life });
          for (let at = 0; at < 10; at += 1) await update(`r${n}`, { life, at });
          await remove(`r${n}`);
        }
      });
      await Promise.all(writers).finally(() => {
        writing = false;
      });
      await reader;
      const sequences = met.map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => a - b),
      );
      assert.equal(met.length, 6 * 24);
      for (const ofOne of Map.groupBy(met, ({ id }) => id).values()) {
        const life = ['created 1', ...Array.from({ length: 10 }, (_, at) => `updated ${at + 2}`), 'deleted 11'];
        assert.deepEqual(versions(ofOne), [...life, ...life]);
      }
      assert.deepEqual(await readLog(log, project, 5), met);
    });

    it('a filter returns what passes all of its conditions, and a page says how far it was read', async () => {
      const { create, update, remove } = write('filter');
      for (const id of ['a', 'b', 'c'])
        await create(id, {}, { origin: { ...originBy('created'), clientId: `by-${id}` } });
      for (const id of ['a', 'b', 'a', 'c']) await update(id, { n: Math.random() });
      await remove('b');
      const found = async (filter: ChangeFilter) => {
        const one = await readLog(log, 'filter', 500, filter);
        for (const limit of [1, 2]) assert.deepEqual(await readLog(log, 'filter', limit, filter), one);
        return one.map(({ id, origin }) => `${origin.type} ${id}`);
      };
      assert.deepEqual(await found({ types: ['created'] }), ['created a', 'created b', 'created c']);
      assert.deepEqual(await found({ types: ['created', 'deleted'], id: 'b' }), ['created b', 'deleted b']);
      assert.deepEqual(await found({ id: 'a' }), ['created a', 'updated a', 'updated a']);
      assert.deepEqual(await found({ clientId: 'by-c' }), ['created c']);
      assert.deepEqual(await found({ clientId: 'by-c', id: 'a' }), []);
      assert.deepEqual(await found({ types: [] }), []);
      assert.equal((await found({})).length, 8);
      const { last } = await log.bounds('filter');
      assert.deepEqual(await log.changesAfter('filter', last, 10), { changes: [], upTo: last });
      const ahead = await log.changesAfter('filter', last + 1000, 10);
      assert.deepEqual(ahead.changes, []);
      const none = await log.changesAfter('filter', 0, 10, { types: ['restored'] });
      assert.deepEqual(none, { changes: [], upTo: last });
    });

    it('the bounds of a log are those of its project, and grow with each change', async () => {
      const { create, update } = write('bounds');
      const first = await log.bounds('bounds');
      await create('a', {});
      const second = await log.bounds('bounds');
      await update('a', { n: 1 });
      const third = await log.bounds('bounds');
      assert.ok(first.last < second.last && second.last < third.last);
      assert.deepEqual([second.pruned, third.pruned], [first.pruned, first.pruned]);
      assert.equal(third.epoch, first.epoch);
      assert.equal((await readLog(log, 'bounds')).at(-1)?.sequence, third.last);
    });

    it('the ids of events of two projects differ, though their documents were written at the same moment', async () => {
      const projects = ['twin-a', 'twin-b'];
      for (const projectKey of projects) {
        const own = write(`${projectKey}~backend`);
        await own.create('value', {}, { documentWrites: documentWrites('value', 1, 2) });
      }
      const logs = await Promise.all(
        projects.map(async (projectKey) => {
          const { epoch } = await log.bounds(projectKey);
          const changes = await readLog(log, projectKey);
          return changes.map((change) => messageIdOf(epoch, change));
        }),
      );
      assert.deepEqual(
        logs.map(({ length }) => length),
        [2, 2],
      );
      assert.equal(new Set(logs.flat()).size, 4);
    });

    it('the changes of a resource are those of all its lives, newest first, in pages', async () => {
      const { create, update, remove } = write('lives');
      for (const incarnation of ['aaaaaaaaa1', 'aaaaaaaaa2', 'aaaaaaaaa3']) {
        await create('a', {}, { incarnation });
        await create(`b-${incarnation}`, {});
        await update('a', { n: 1 });
        if (incarnation !== 'aaaaaaaaa3') await remove('a');
      }
      const all = await log.changesOf('lives', 'a', undefined, 500);
      const life = ['deleted 2', 'updated 2', 'created 1'];
      assert.deepEqual(versions(all), [...life.slice(1), ...life, ...life]);
      assert.deepEqual(
        all.map(({ incarnation }) => incarnation?.at(-1)),
        [...'33222111'],
      );
      const paged: LoggedChange[] = [];
      for (;;) {
        const page = await log.changesOf('lives', 'a', paged.at(-1)?.sequence, 3);
        paged.push(...page);
        if (page.length < 3) break;
      }
      assert.deepEqual(paged, all);
      assert.deepEqual(await log.changesOf('lives', 'a', all.at(-1)!.sequence, 3), []);
      assert.deepEqual(await log.changesOf('lives', 'nothing', undefined, 3), []);
      await remove('a');
      assert.deepEqual(versions(await log.changesOf('lives', 'a', undefined, 2)), ['deleted 2', 'updated 2']);
      assert.deepEqual(await log.changesOf('lives', 'a', all[0]!.sequence + 1, 500), all);
    });

    it('what continues a deleted resource gives versionMoved once it has lived again, or was forgotten', async () => {
      const projectKey = 'lives-on';
      const { create, update, remove } = write(projectKey);
      const lastOf = async (id: string) => (await log.changesOf(projectKey, id, undefined, 1))[0]!.sequence;
      const incarnation = 'aaaa';
      const restored = (continues: number, version: number) => {
        return { continues, version, incarnation, origin: originBy('restored') };
      };
      await create('a', { n: 1 }, { incarnation });
      await remove('a');
      const first = await lastOf('a');
      await create('a', { n: 1 }, { key: 'k', ...restored(first, 2) });
      assert.equal(await lastOf('a'), first + 1);
      await create('a', { n: 1 }, { ...restored(first, 2), expect: 'idTaken' });
      await update('a', { n: 2 });
      await remove('a');
      const second = await lastOf('a');
      await create('a', { n: 1 }, { ...restored(first, 2), expect: 'versionMoved' });

      await create('a', { n: 3 }, { incarnation: 'bbbb' });
      await remove('a');
      const third = await lastOf('a');
      await create('a', { n: 2 }, { ...restored(second, 4), expect: 'versionMoved' });
      assert.equal(await log.forget(projectKey, 'a', originBy('forgotten')), true);
      await create('a', { n: 3 }, { ...restored(third, 2), expect: 'versionMoved' });
      assert.equal((await log.changesOf(projectKey, 'a', undefined, 100)).length, 8);
      assert.equal(await store.resources.get(projectKey, 'a'), undefined);
      await create('a', { n: 4 }, { key: 'k' });
    });

    it('the deletions are the last ones of the resources that do not exist', async () => {
      const { create, remove, update } = write('gone');
      for (const id of ['a', 'b', 'c', 'd']) await create(id, {}, { key: `key-${id}` });
      await update('d', {}, { key: 'other' });
      for (const id of ['a', 'b', 'c', 'd']) await remove(id);
      await create('a', {}, { key: 'again' });
      await create('b', {}, { key: 'key-b' });
      await remove('b');
      const ids = (changes: readonly LoggedChange[]) => changes.map(({ id }) => id).join();
      const all = await log.deletions('gone', undefined, 500);
      assert.equal(ids(all), 'b,d,c');
      assert.deepEqual(await log.deletions('gone', all[0]!.sequence, 1), [all[1]]);
      assert.deepEqual(await log.deletions('gone', all[1]!.sequence, 5), [all[2]]);
      assert.deepEqual(await log.deletions('gone', all[2]!.sequence, 5), []);
      assert.deepEqual(await log.deletionByKey('gone', 'key-b'), all[0]);
      assert.deepEqual(await log.deletionByKey('gone', 'other'), all[1]);
      assert.equal(await log.deletionByKey('gone', 'key-d'), undefined);
      assert.equal(await log.deletionByKey('elsewhere', 'key-c'), undefined);
    });

    it('a listener is called soon after a change of its project, until it ends', async () => {
      const { create, update } = write('followed');
      await create('a', {});
      let [here, there, ended] = [0, 0, 0];
      const stop = log.follow('followed', () => {
        here += 1;
      });
      const stopThere = log.follow('followed', () => {
        there += 1;
      });
      log.follow('followed', () => {
        ended += 1;
      })();
      for (let n = 1; n <= 3; n += 1) {
        const seen = [here, there];
        await update('a', { n });
        await until(() => here > seen[0]! && there > seen[1]!);
      }
      stop();
      const [lastHere, lastThere] = [here, there];
      await update('a', { n: 9 });
      await until(() => there > lastThere);
      stopThere();
      stopThere();
      assert.equal(here, lastHere);
      assert.equal(ended, 0);
    });

    it('a forgotten resource leaves its changes without content, key and user, and one that says so', async () => {
      const { create, update, remove } = write('forget');
      const user = { externalUserId: 'somebody' };
      for (const id of ['a', 'b']) {
        for (let life = 0; life < 2; life += 1) {
          await create(id, { secret: life }, { key: `key-${id}`, origin: { ...originBy('created'), ...user } });
          await update(id, { secret: 'x' }, { origin: { ...originBy('updated'), ...user, correlationId: 'c1' } });
          await remove(id, { origin: { ...originBy('deleted'), ...user } });
        }
      }
      const others = await log.changesOf('forget', 'b', undefined, 500);
      assert.equal(await log.forget('forget', 'a', { ...originBy('forgotten'), ...user }), true);
      const left = await log.changesOf('forget', 'a', undefined, 500);
      const life = ['deleted 2', 'updated 2', 'created 1'];
      assert.deepEqual(versions(left), ['forgotten 2', ...life, ...life]);
      for (const { before, key } of left) assert.deepEqual([before, key], [null, undefined]);
      for (const { origin } of left.slice(1)) assert.equal(origin.externalUserId, undefined);
      assert.equal(left[0]?.origin.externalUserId, 'somebody');
      assert.equal(left[0]?.origin.cause, 'forget');
      assert.equal(left[2]?.origin.correlationId, 'c1');
      assert.equal(left[0]?.sequence, (await log.bounds('forget')).last);
      assert.deepEqual(await log.changesOf('forget', 'b', undefined, 500), others);
      assert.deepEqual(
        (await log.deletions('forget', undefined, 9)).map(({ id }) => id),
        ['b'],
      );
      assert.equal(await log.deletionByKey('forget', 'key-a'), undefined);
      assert.equal((await log.deletionByKey('forget', 'key-b'))?.id, 'b');
      assert.equal((await readLog(log, 'forget')).length, 13);

      // Its id can be used again, and its changes are then those before as well.
      await create('a', { n: 1 });
      const again = await log.changesOf('forget', 'a', undefined, 2);
      assert.deepEqual(versions(again), ['created 1', 'forgotten 2']);
      const code = { code: 'InvalidOperation' };
      await assert.rejects(log.forget('forget', 'a', originBy('forgotten')), code);
      assert.deepEqual(versions(await log.changesOf('forget', 'a', undefined, 1)), ['created 1']);
      await remove('a');
      assert.equal(await log.forget('forget', 'a', originBy('forgotten')), true);
      assert.equal(await log.deletionByKey('forget', 'key-a'), undefined);
      await assert.rejects(
        write('forget')
          .create('b', {})
          .then(() => log.forget('forget', 'b', originBy('forgotten'))),
        code,
      );
    });

    it('a long history is forgotten as a whole', async () => {
      const { create, update, remove } = write('forget-long');
      await create('a', {});
      for (let n = 0; n < 600; n += 1) await update('a', { n });
      await remove('a');
      assert.equal(await log.forget('forget-long', 'a', originBy('forgotten')), true);
      const newest = await log.changesOf('forget-long', 'a', undefined, 500);
      const left = [...newest, ...(await log.changesOf('forget-long', 'a', newest.at(-1)!.sequence, 500))];
      assert.equal(left.length, 603);
      assert.ok(left.every(({ before }) => before === null));
    });

    it('changes are pruned by age: the oldest ones, but never the last of a project', async () => {
      const { create, update, remove } = write('aged');
      const at = (day: number) => originBy('updated', 'draft', `2020-01-0${day}T00:00:00.000Z`);
      await create('a', {}, { key: 'a', origin: at(1) });
      await create('gone', {}, { key: 'gone', origin: at(1) });
      await remove('gone', { origin: { ...at(1), type: 'deleted' } });
      for (let day = 2; day <= 5; day += 1) await update('a', { day }, { origin: at(day) });
      const all = await readLog(log, 'aged');
      assert.equal(await log.prune(Date.parse('2020-01-01T00:00:00.000Z'), never), 0);
      assert.equal(await log.prune(Date.parse('2020-01-03T00:00:00.001Z'), never), 5);
      const bounds = await log.bounds('aged');
      assert.equal(bounds.pruned, all[4]?.sequence);
      assert.equal(bounds.last, all[6]?.sequence);
      assert.deepEqual(await readLog(log, 'aged'), all.slice(5));
      assert.deepEqual(await log.changesOf('aged', 'a', undefined, 500), [all[6], all[5]]);
      assert.deepEqual(await log.changesOf('aged', 'gone', undefined, 500), []);
      assert.deepEqual(await log.deletions('aged', undefined, 500), []);
      assert.equal(await log.deletionByKey('aged', 'gone'), undefined);
      assert.equal(await log.forget('aged', 'gone', originBy('forgotten')), false);
      assert.equal(await log.prune(Date.parse('2021-01-01'), never), 1);
      assert.deepEqual(await readLog(log, 'aged'), [all[6]]);
      assert.equal(await log.prune(Date.parse('2021-01-01'), never), 0);
      // What was pruned is no history of a later life.
      await create('gone', {});
      assert.deepEqual(versions(await log.changesOf('aged', 'gone', undefined, 500)), ['created 1']);
      await update('a', { day: 9 });
      assert.deepEqual(versions(await log.changesOf('aged', 'a', undefined, 500)), ['updated 6', 'updated 5']);
    });

    it('changes are pruned by bytes, of each project for itself', async () => {
      const { create, update } = write('large');
      await create('a', { text: '0'.repeat(1000) });
      for (let n = 1; n < 100; n += 1) await update('a', { text: String(n % 10).repeat(1000) });
      await write('small').create('a', {});
      const all = await readLog(log, 'large');
      assert.equal(await log.prune(0, 10_000_000), 0);
      await log.prune(0, 40_000);
      const left = await readLog(log, 'large');
      assert.ok(left.length >= 8 && left.length <= 40, `${left.length} of 100 are left`);
      assert.deepEqual(left, all.slice(-left.length));
      assert.equal((await log.bounds('large')).pruned, all.at(-left.length - 1)?.sequence);
      assert.equal((await readLog(log, 'small')).length, 1);
      await log.prune(0, 1);
      assert.deepEqual(await readLog(log, 'large'), all.slice(-1));
      assert.equal(await log.prune(0, 1), 0);
    });

    changeLogProperties(() => store);
  });

  describe(`ChangeLog on ${name}, switched off`, () => {
    it('keeps nothing and says so; the resources are stored all the same', async () => {
      const store = await open(false);
      try {
        const { create, update, remove } = changesBy(store, 'off');
        await create('a', {}, { key: 'k' });
        await create('b', {}, { key: 'b' });
        await update('a', { n: 1 });
        await remove('b');
        const bounds = await store.changes.bounds('off');
        assert.equal(bounds.last, bounds.pruned);
        assert.deepEqual((await store.changes.changesAfter('off', 0, 10)).changes, []);
        assert.deepEqual(await store.changes.changesOf('off', 'a', undefined, 10), []);
        assert.deepEqual(await store.changes.deletions('off', undefined, 10), []);
        assert.equal(await store.changes.deletionByKey('off', 'b'), undefined);
        assert.equal(await store.changes.forget('off', 'b', originBy('forgotten')), false);
        assert.equal(await store.changes.prune(never, 1), 0);
        const { current } = (await store.resources.get('off', 'a'))!;
        assert.equal(current, JSON.stringify(document('a', 2, { n: 1 }, 'k')));
      } finally {
        await store.close();
      }
    });
  });
}
