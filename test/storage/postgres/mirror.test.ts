import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Change } from '../../../src/domain/ports/resource-store.ts';
import type { ApiRequest } from '../../../src/http/route.ts';
import { repeatedReads } from '../../../src/http/routes/resources/repeated-reads.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { assertFilesHave, untilNoFileHas } from '../files-without.ts';
import { originBy } from '../logged-changes.ts';
import { creation, deletion, document, record, replacement } from '../records.ts';
import { allOf, assertMirrors, createFolder, createMany, listIds, type Node, openNode } from './mirrored.ts';
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(3, '0')}`);
const commit = async ({ store }: Node, change: Change) => {
  assert.equal(await store.resources.commit(change), 'committed');
};
const tables = ['resource', 'event', 'event_head'];

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % below;
  };
}

test('a repeated list comes from memory until any node writes to its project', async (t) => {
  const nodes = [await openNode(t, postgres, createFolder(t)), await openNode(t, postgres, createFolder(t))] as const;
  let reads = 0;
  const respond = repeatedReads<string>(
    { metrics: createMetrics(), cursors: { sealedWith: () => nodes } },
    {
      name: 'lists',
      parse: ({ projectKey }) => projectKey,
      async read(store, projectKey) {
        reads += 1;
        return { status: 200, body: String((await store.list(allOf(projectKey))).total) };
      },
      dependsOnProject: () => true,
    },
  );
  const total = async () => {
    const request = { projectKey: 'repeated', url: '/repeated' } as ApiRequest;
    const { body } = await respond(nodes[0].store.resources, request, undefined);
    return Number(Buffer.from(body as string).toString());
  };
  await commit(nodes[0], creation('repeated', document('a', 1)));
  for (let n = 0; n < 4; n += 1) assert.equal(await total(), 1);
  assert.equal(reads, 2);
  await commit(nodes[1], creation('elsewhere', document('a', 1)));
  assert.equal(await total(), 1);
  assert.equal(reads, 2);
  await commit(nodes[1], creation('repeated', document('b', 1)));
  assert.equal(await total(), 2);
  for (let round = 0; round < 30; round += 1) {
    await commit(nodes[round % 2]!, creation('repeated', document(`c${round}`, 1)));
    assert.deepEqual([await total(), await total()], [round + 3, round + 3]);
  }
  await commit(nodes[0], deletion('repeated', document('a', 1)));
  assert.equal(await total(), 31);
});

test('two nodes: each lists at once what the other acknowledged, whatever becomes of ids and keys', async (t) => {
  const nodes = [await openNode(t, postgres, createFolder(t)), await openNode(t, postgres, createFolder(t))];
  const random = createRandom(7);
  const known = new Map<string, JsonObject>();
  for (let round = 0; round < 400; round += 1) {
    const node = nodes[random(2)]!;
    const id = `r${random(12)}`;
    const held = known.get(id);
    const key = random(3) > 0 ? `k${random(6)}` : undefined;
    const holder = [...known].find(([other, document]) => other !== id && key && document.key === key);
    // The key passes on in the same pull.
    if (holder) {
      const freed = document(holder[0], Number(holder[1].version) + 1, { n: round });
      await commit(node, replacement('random', holder[1], freed));
      known.set(holder[0], freed);
    }
    const next = document(id, Number(held?.version ?? 0) + 1, { n: round, name: { en: `word${random(4)}` } }, key);
    if (held && random(4) === 0) {
      await commit(node, deletion('random', held));
      known.delete(id);
    } else if (held) {
      const change = replacement('random', held, next) as Change & { kind: 'update' };
      const staged = random(3) === 0 ? { ...next, n: -1 } : undefined;
      await commit(node, { ...change, next: record('random', next, staged) });
      known.set(id, next);
    } else {
      await commit(node, creation('random', next));
      known.set(id, next);
    }
    if (random(5) > 0) continue;
    const found = await listIds(nodes[random(2)]!, allOf('random'));
    assert.deepEqual([...found].sort(), [...known.keys()].sort());
  }
  const [one, other] = await Promise.all(nodes.map((node) => listIds(node, allOf('random'))));
  assert.deepEqual(one, other);
  for (const node of nodes) await assertMirrors(postgres, node, 'random');
  for (const node of nodes) await node.close();
});

test('pages of a list from two nodes by turns: what is left alone is met exactly once', async (t) => {
  const first = await openNode(t, postgres, createFolder(t));
  await createMany(first, 'pages', names('old', 300));
  for (const id of names('old', 100)) await commit(first, deletion('pages', document(id, 1)));
  // This one copies what is left, and so has other rows.
  const nodes = [first, await openNode(t, postgres, createFolder(t))];
  const met: string[] = [];
  for (
    let page = 0, position = undefined as Awaited<ReturnType<typeof first.store.resources.list>>['next'];
    ;
    page += 1
  ) {
    const query = allOf('pages', { limit: 20, after: position });
    const { results, next } = await nodes[page % 2]!.store.resources.list(query);
    met.push(...(JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id));
    position = next;
    if (!next) break;
    if (page < 5) {
      await commit(nodes[0]!, creation('pages', document(`new${page}`, 1)));
      await commit(nodes[1]!, deletion('pages', document(met[page * 20 + 19]!, 1)));
    }
  }
  const expected = names('old', 300).slice(100);
  assert.deepEqual(new Set(met.filter((id) => id.startsWith('old'))), new Set(expected));
  assert.equal(met.length, new Set(met).size);
  const [one, other] = await Promise.all(nodes.map((node) => listIds(node, allOf('pages'))));
  assert.deepEqual(one, other);
  for (const node of nodes) await assertMirrors(postgres, node, 'pages');
  for (const node of nodes) await node.close();
});

/** Replaces what the record has of a project by an earlier copy of it. */
async function copyAside(projectKey: string): Promise<() => Promise<void>> {
  for (const table of tables) {
    await postgres.run(`DROP TABLE IF EXISTS aside_${table}`);
    await postgres.run(`CREATE TABLE aside_${table} AS SELECT * FROM ${table} WHERE project_key = '${projectKey}'`);
  }
  const put = (table: string) =>
    `DELETE FROM ${table} WHERE project_key = '${projectKey}'; INSERT INTO ${table} SELECT * FROM aside_${table}`;
  // Statements of one query are one transaction: a mirror that follows meanwhile sees no log that is half there.
  return async () => void (await postgres.run(tables.map(put).join('; ')));
}

const anew = /is made anew/;

test('a log that went back: the project is made anew', async (t) => {
  const node = await openNode(t, postgres, createFolder(t));
  await createMany(node, 'back', names('a', 20));
  const restore = await copyAside('back');
  await createMany(node, 'back', names('b', 10));
  await assertMirrors(postgres, node, 'back');
  await t.test('restored', async () => {
    await restore();
    assert.deepEqual(new Set(await listIds(node, allOf('back'))), new Set(names('a', 20)));
    assert.match(node.notes.join('\n'), anew);
    await assertMirrors(postgres, node, 'back');
  });
  await t.test('restored and written on to the same number', async () => {
    await createMany(node, 'back', names('c', 10));
    await assertMirrors(postgres, node, 'back');
    const generation = await node.store.resources.generation!('back');
    assert.equal(await node.store.resources.generation!('back'), generation);
    await restore();
    await createMany(node, 'back', names('d', 10));
    assert.notEqual(await node.store.resources.generation!('back'), generation);
    assert.deepEqual(new Set(await listIds(node, allOf('back'))), new Set([...names('a', 20), ...names('d', 10)]));
    await assertMirrors(postgres, node, 'back');
  });
  await t.test('restored and written on beyond it', async () => {
    await restore();
    await createMany(node, 'back', names('e', 15));
    assert.equal((await listIds(node, allOf('back'))).length, 35);
    await assertMirrors(postgres, node, 'back');
  });
  await t.test('another epoch', async () => {
    const before = node.notes.length;
    await postgres.run(`UPDATE event_head SET epoch = 'another' WHERE project_key = 'back'`);
    await assertMirrors(postgres, node, 'back');
    assert.equal(node.notes.length, before + 1);
  });
  await t.test('pruned beyond the position', async () => {
    await node.close();
    const other = await openNode(t, postgres, createFolder(t));
    await createMany(other, 'back', names('f', 10));
    await other.store.changes.prune(Date.now() + 1000, 1);
    await other.close();
    const again = await openNode(t, postgres, node.folder);
    assert.equal((await listIds(again, allOf('back'))).length, 45);
    await assertMirrors(postgres, again, 'back');
    assert.match(again.notes.join('\n'), anew);
    await again.close();
  });
});

test('a head that is missing, and a log of which nothing is left', async (t) => {
  const node = await openNode(t, postgres, createFolder(t));
  await createMany(node, 'bare', names('a', 5));
  await assertMirrors(postgres, node, 'bare');
  await postgres.run(`DELETE FROM event_head WHERE project_key = 'bare'`);
  assert.deepEqual(await listIds(node, allOf('bare')), names('a', 5));
  await createMany(node, 'bare', ['b']);
  assert.deepEqual(await listIds(node, allOf('bare')), [...names('a', 5), 'b']);
  await assertMirrors(postgres, node, 'bare');
  for (const table of tables) await postgres.run(`DELETE FROM ${table} WHERE project_key = 'bare'`);
  assert.deepEqual(await listIds(node, allOf('bare')), []);
  await assertMirrors(postgres, node, 'bare');
  await createMany(node, 'bare', ['c']);
  assert.deepEqual(await listIds(node, allOf('bare')), ['c']);
  await node.close();
});

test('far behind: pages of events, hot resources, deleted and created again within and across pages', async (t) => {
  const node = await openNode(t, postgres, createFolder(t));
  await createMany(node, 'far', names('r', 50));
  await assertMirrors(postgres, node, 'far');
  await node.close();
  const other = await openNode(t, postgres, createFolder(t));
  // Many resources are hot at a time, so that the changes of a round are one commit.
  let hot = names('r', 50)
    .slice(10, 32)
    .map((id) => document(id, 1));
  let life = document('r001', 1, {}, undefined);
  for (let round = 0; round < 100; round += 1) {
    const next = hot.map(({ id }, at) => document(String(id), round + 2, { round }, `k${at}-${round % 2}`));
    await Promise.all(hot.map((before, at) => commit(other, replacement('far', before, next[at]!))));
    hot = next;
    if (round % 5 !== 0) continue;
    await commit(other, deletion('far', life));
    life = document('r001', 1, { round }, `life${round % 3}`);
    await commit(other, creation('far', life));
    await commit(other, creation('far', document(`n${round}`, 1)));
  }
  await commit(other, deletion('far', document('r002', 1)));
  const again = await openNode(t, postgres, node.folder);
  const [one, two] = await Promise.all([again, other].map((each) => listIds(each, allOf('far'))));
  assert.deepEqual(one, two);
  await assertMirrors(postgres, again, 'far');
  assert.deepEqual(
    again.notes.filter((note) => anew.test(note)),
    [],
  );
  await again.close();
  await other.close();
});

const damages: Readonly<Record<string, (file: string) => void>> = {
  deleted: (file) => rmSync(file),
  truncated: (file) => truncateSync(file, 5000),
  empty: (file) => truncateSync(file, 0),
  garbage: (file) => writeFileSync(file, Buffer.alloc(200_000, 'garbage')),
  'garbage in the middle': (file) => {
    const opened = openSync(file, 'r+');
    writeSync(opened, Buffer.alloc(40_000, 'x'), 0, 40_000, 8192);
    closeSync(opened);
  },
  'a newer schema': (file) => change(file, 'PRAGMA user_version = 9999'),
  'without its table': (file) => change(file, 'DROP TABLE mirrored'),
  'without resources': (file) => change(file, 'DROP TABLE resource'),
};

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

for (const [name, damage] of Object.entries(damages)) {
  test(`the file of the mirror between two starts: ${name}`, async (t) => {
    const projectKey = `file-${Object.keys(damages).indexOf(name)}`;
    const node = await openNode(t, postgres, createFolder(t));
    await createMany(node, projectKey, names('r', 30), { name: { en: 'shoe' } });
    await assertMirrors(postgres, node, projectKey);
    await node.close();
    damage(node.file);
    const again = await openNode(t, postgres, node.folder);
    assert.deepEqual(await listIds(again, allOf(projectKey)), names('r', 30));
    await assertMirrors(postgres, again, projectKey);
    if (name !== 'deleted' && name !== 'empty') assert.match(again.notes.join('\n'), anew);
    await again.close();
  });
}

test('what is forgotten leaves the tables, and the mirror follows on', async (t) => {
  const node = await openNode(t, postgres, createFolder(t));
  const secret = 'Zanzibar-secret';
  const kept = document('kept', 1);
  await commit(node, creation('forget', kept));
  const gone = document(
    'gone',
    1,
    { text: `${secret} ${'x'.repeat(9000)}`, name: { en: 'Quetzalcoatl' } },
    'key-Xylophone',
  );
  await commit(node, creation('forget', gone));
  await listIds(node, allOf('forget'));
  await commit(node, deletion('forget', gone));
  await listIds(node, allOf('forget'));
  const origin = { type: 'forgotten', cause: 'forget', at: new Date().toISOString(), clientId: 'c' } as const;
  assert.equal(await node.store.changes.forget('forget', 'gone', origin), true);
  await assertMirrors(postgres, node, 'forget');
  assert.deepEqual(
    node.notes.filter((note) => anew.test(note)),
    [],
  );
  for (const table of tables) {
    const rows = await postgres.run(`SELECT 1 FROM ${table} t WHERE t::text ~* 'zanzibar|quetzal|xylophone'`);
    assert.deepEqual(rows, [], table);
  }
  await node.close();
});

test('what was forgotten is in no file of a mirror, whether it follows the log or copies the project anew', async (t) => {
  const [writing, mirroring] = [
    await openNode(t, postgres, createFolder(t)),
    await openNode(t, postgres, createFolder(t)),
  ];
  const mark = 'zebrafinkenhof';
  await createMany(writing, 'forgetting', names('f', 200));
  const secret = document('secret', 1, { name: { en: mark }, text: mark });
  await commit(writing, creation('forgetting', secret));
  for (const node of [writing, mirroring]) assert.equal((await listIds(node, allOf('forgetting'))).length, 201);
  await commit(writing, deletion('forgetting', secret));
  assert.equal((await listIds(mirroring, allOf('forgetting'))).length, 200);
  for (const { folder } of [writing, mirroring]) assertFilesHave(folder, mark);
  assert.equal(await writing.store.changes.forget('forgetting', 'secret', originBy('forgotten')), true);
  for (const node of [writing, mirroring]) {
    assert.equal((await listIds(node, allOf('forgetting'))).length, 200);
    await untilNoFileHas(node.folder, mark);
  }
  // The log of another past says nothing of what was forgotten.
  await commit(writing, creation('forgetting', document('gone', 1, { name: { en: mark } })));
  assert.equal((await listIds(mirroring, allOf('forgetting'))).length, 201);
  await postgres.run("DELETE FROM resource WHERE project_key = 'forgetting' AND id = 'gone'");
  await postgres.run("UPDATE event_head SET epoch = 'another' WHERE project_key = 'forgetting'");
  assert.equal((await listIds(mirroring, allOf('forgetting'))).length, 200);
  await untilNoFileHas(mirroring.folder, mark);
});
