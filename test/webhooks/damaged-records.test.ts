import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { startTestPostgres } from '../storage/postgres/start-test-postgres.ts';
import { withDatabase } from '../storage/sqlite/open-test-store.ts';
import { until } from '../until.ts';
import { newPlace, openHooks, type Place } from './open-hooks.ts';
import { startReceiver } from './receiver.ts';

/** Damaged records that the service keeps of a project beside its resources: others go on, and each can be replaced or deleted. */

const huge = '1152921504606846977';

/** Damages all records of the service's own for a project. */
type Damage = (set: string) => Promise<void>;

const ofProject = "project_key LIKE 'p~%' OR (project_key LIKE '~%' AND id = 'p')";

async function assertContained(t: TestContext, place: Place, damage: Damage): Promise<void> {
  const receiver = await startReceiver();
  let hooks = await openHooks({}, {}, place);
  t.after(() => hooks.close());
  const search = (project: string) => hooks.send('GET', `/${project}/resource/searchApiPattern?text.en=shoe`);
  const settings = { excludedPaths: ['note'] };
  for (const [n, set] of ['checksum = checksum + 1', "current = '{'", `version = ${huge}`].entries()) {
    const ids: Record<string, string> = {};
    for (const project of ['p', 'q']) {
      ids[project] = (await hooks.subscribe(project, { key: `s${n}`, url: receiver.url })).id;
      await hooks.subscribe(project, { key: `t${n}`, url: receiver.url, enabled: false });
      assert.equal((await hooks.send('PUT', `/${project}/settings/search`, settings)).status, 200);
      await hooks.write(project, { id: `${project}-${n}`, name: { en: 'shoe' } });
    }
    await hooks.close();
    await damage(set);
    hooks = await openHooks({}, {}, place);

    const q = await hooks.send('GET', '/q/subscriptions');
    assert.deepEqual([q.status, q.json.total, (await search('q')).status], [200, 2 * (n + 1), 200], set);
    await hooks.write('q', { id: `q-${n}-after` });
    await until(
      () => receiver.accepted.some(([id]) => id === `q-${n}-after`),
      () => [set, receiver.accepted],
    );

    const left = await hooks.send('GET', '/p/subscriptions');
    assert.deepEqual([left.status, left.json.total], [200, 0], set);
    const one = await hooks.send('GET', `/p/subscriptions/${ids.p}`);
    assert.deepEqual([one.status, one.json.errors[0].code], [500, 'DataCorruption'], set);
    const searched = await search('p');
    assert.equal(searched.status, 500, set);
    assert.match(searched.json.message, /search settings of the project are damaged.*PUT \/p\/settings\/search/, set);

    assert.equal((await hooks.send('PUT', '/p/settings/search', settings)).status, 200, set);
    assert.equal((await search('p')).json.count, n + 1, set);
    assert.equal((await hooks.send('DELETE', `/p/subscriptions/${ids.p}`)).status, 200, set);
    assert.equal((await hooks.send('DELETE', `/p/subscriptions/key=t${n}`)).status, 200, set);
    await hooks.subscribe('p', { key: `s${n}`, url: receiver.url });
    await hooks.write('p', { id: `p-${n}-after` });
    await until(
      () => receiver.accepted.some(([id]) => id === `p-${n}-after`),
      () => [set, receiver.accepted],
    );
    assert.equal((await hooks.send('DELETE', `/p/subscriptions/key=s${n}`)).status, 200, set);
  }
}

test('SQLite: damaged subscriptions, deliveries and search settings of a project stop no other, and are replaced', async (t) => {
  const place: Place = { ...(await newPlace()), DATABASE_URL: '' };
  await assertContained(t, place, async (set) => {
    withDatabase(`${place.DATA_DIR}/grs.db`, (db) => {
      assert.ok(Number(db.prepare(`UPDATE resource SET ${set} WHERE ${ofProject}`).run().changes) > 4);
    });
  });
});

test('PostgreSQL: damaged subscriptions, deliveries and search settings of a project stop no other, and are replaced', async (t) => {
  const postgres = await startTestPostgres();
  const beside = new Client({ connectionString: postgres.url });
  await beside.connect();
  t.after(async () => {
    await beside.end();
    await postgres.close();
  });
  await assertContained(t, { ...(await newPlace()), DATABASE_URL: postgres.url }, async (set) => {
    assert.ok((await beside.query(`UPDATE resource SET ${set} WHERE ${ofProject}`)).rowCount! > 4);
  });
});
