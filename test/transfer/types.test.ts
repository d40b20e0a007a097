import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSettings } from '../../src/configured-types.ts';
import type { JsonObject, JsonValue } from '../../src/contract/json.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import type { Write } from '../../src/domain/resource/write/commit.ts';
import { serviceContext } from '../../src/domain/resource/write/companion-record.ts';
import { writeDraft } from '../../src/domain/resource/write/draft.ts';
import { noPreconditions } from '../../src/domain/resource/write/preconditions.ts';
import { writeSettings } from '../../src/domain/settings/stored-settings.ts';
import { referenceMark, uniqueBeginning } from '../../src/domain/types/marks.ts';
import { typeSettings } from '../../src/domain/types/settings.ts';
import { exportProject } from '../../src/transfer/export.ts';
import { createImport } from '../../src/transfer/import.ts';
import { openTestStore, temporaryFolder } from '../storage/sqlite/open-test-store.ts';

/** A project that moves takes its types along, and one that moves into types has to fit them. */

const folders = Array.from({ length: 3 }, temporaryFolder);
const stores: Store[] = [];
const onFailed = (event: string, error: unknown) => assert.fail(`${event} ${error}`);
const project = 'shop';
const types = {
  product: { unique: ['sku'], references: { parent: { type: 'product' } }, schema: { required: ['sku'] } },
};
let file = '';

before(async () => {
  for (const { file } of folders) stores.push(await openTestStore(file));
});
after(async () => {
  for (const store of stores) await store.close();
  for (const folder of folders) folder.remove();
});

function openWrites(store: Store) {
  const settings = openSettings(store, [], Date.now, onFailed);
  const write = {
    ...{ store: store.resources, projectKey: project, gate: settings.gate, context: serviceContext('test') },
    ...{ preconditions: noPreconditions, responseOf: () => ({ status: 200, headers: {}, body: '' }) },
  } satisfies Write;
  return {
    ...settings,
    draft: (body: JsonObject) => writeDraft(write, 'overwrite', body),
    async declare(body: JsonValue) {
      await writeSettings(typeSettings, write, { types: body });
      settings.types.forget(project);
      await settings.marksBuilder.build(project);
    },
  };
}

const importInto = (store: Store, overwrite = false) => {
  const settings = openSettings(store, [], Date.now, onFailed);
  const options = { store: store.resources, project, overwrite, gate: settings.gate, nowMs: Date.now };
  const work = createImport({ ...options, onHeader: () => {}, onProgress: () => {} });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(file);
  }
  return { work, run: () => work.run(chunks()), build: () => settings.marksBuilder.build(project) };
};

test('a project that moves takes its types along: they hold at once, and its marks are made again', async () => {
  const [source, target] = stores as [Store, Store, Store];
  const { declare, draft } = openWrites(source);
  await declare({});
  await declare(types as unknown as JsonObject);
  await draft({ id: 'a', type: 'product', sku: '1' });
  await draft({ id: 'b', type: 'product', sku: '2', parent: { id: 'a' } });
  const options = { store: source.resources, project, exportedAt: '2026-01-02T03:04:05.678Z', onProgress: () => {} };
  for await (const chunk of exportProject(options)) file += chunk;
  const { work, run, build } = importInto(target);
  await run();
  await build();
  assert.deepEqual([work.counts.created, work.counts.refused], [3, 0], work.counts.refusals.join());
  assert.equal(await target.rules.rulesVersion(project), await source.rules.rulesVersion(project));
  for (const mark of [`${uniqueBeginning('product', 'sku')}="1`, referenceMark('restrict', { by: 'id', name: 'a' })]) {
    const found = await target.rules.marked(project, mark, 5);
    assert.deepEqual(found, await source.rules.marked(project, mark, 5), mark);
    assert.equal(found.length, 1, mark);
  }
  await assert.rejects(openWrites(target).draft({ type: 'product', sku: '1' }), { code: 'DuplicateField' });
  // Once more: nothing is new.
  const again = importInto(target);
  await again.run();
  assert.deepEqual([again.work.counts.unchanged, again.work.counts.created], [3, 0]);
});

test('resources that move into a project with types have to fit them; its settings go on with their versions', async () => {
  const target = stores[2]!;
  const { declare, draft } = openWrites(target);
  for (let n = 0; n < 4; n += 1) {
    await declare({ product: { unique: ['sku'], schema: { properties: { sku: { minLength: n } } } } } as never);
  }
  await declare({ product: { unique: ['sku'], schema: { required: ['sku'] } } });
  await draft({ id: 'taken', type: 'product', sku: '2' });
  const { work, run, build } = importInto(target, true);
  await run();
  await build();
  const { created, replaced, refusals } = work.counts;
  assert.deepEqual(
    [created, replaced, refusals],
    [1, 1, [`resource b: A duplicate value "2" exists for field 'sku'.`]],
  );
  assert.equal(await target.rules.rulesVersion(project), 6);
  await openWrites(target).draft({ id: 'c', type: 'product', sku: '3', parent: { id: 'a' } });
});
