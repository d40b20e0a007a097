import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSettings } from '../../src/configured-types.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { serviceContext } from '../../src/domain/resource/write/companion-record.ts';
import { writeDraft } from '../../src/domain/resource/write/draft.ts';
import { noPreconditions } from '../../src/domain/resource/write/preconditions.ts';
import { defineHook } from '../../src/extensions/define-hook.ts';
import { exportProject } from '../../src/transfer/export.ts';
import { createImport } from '../../src/transfer/import.ts';
import { openTestStore, temporaryFolder } from '../storage/sqlite/open-test-store.ts';

const folders = [temporaryFolder(), temporaryFolder()];
const stores: Store[] = [];
before(async () => {
  for (const { file } of folders) stores.push(await openTestStore(file));
});
after(async () => {
  for (const store of stores) await store.close();
  for (const folder of folders) folder.remove();
});

const onFailed = (event: string, error: unknown) => assert.fail(`${event} ${error}`);
const project = 'shop';
const hook = defineHook({
  name: 'double',
  before({ current, staged, refuse }) {
    if (current.n === 0) refuse('n: expected another number than 0');
    const doubled = (own: typeof current) => ({ ...own, twice: Number(own.n) * 2 });
    return { current: doubled(current), staged: staged && doubled(staged) };
  },
});

test('a project that moves in passes the hooks, and is unchanged where it is moved in again', async () => {
  const [source, target] = stores as [Store, Store];
  for (const n of [0, 1, 2]) {
    const context = serviceContext('test');
    const response = { responseOf: () => ({ status: 200, headers: {}, body: '' }), preconditions: noPreconditions };
    const write = { store: source.resources, projectKey: project, context, ...response };
    await writeDraft(write, 'overwrite', { id: `r${n}`, n });
  }
  let file = '';
  const options = { store: source.resources, project, exportedAt: '2026-01-02T03:04:05.678Z', onProgress: () => {} };
  for await (const chunk of exportProject(options)) file += chunk;

  async function moveIn() {
    const { gate } = openSettings(target, [hook], Date.now, onFailed);
    const into = { store: target.resources, project, overwrite: false, gate, nowMs: Date.now };
    const work = createImport({ ...into, onHeader: () => {}, onProgress: () => {} });
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(file);
    }
    await work.run(chunks());
    return work.counts;
  }

  const first = await moveIn();
  assert.deepEqual([first.created, first.refused], [2, 1]);
  assert.match(first.refusals.join(), /n: expected another number than 0/);
  const stored = await target.resources.get(project, 'r2');
  assert.deepEqual([stored?.version, JSON.parse(stored!.current).twice], [1, 4]);
  const second = await moveIn();
  assert.deepEqual([second.created, second.replaced, second.refused, second.unchanged], [0, 0, 1, 2]);
});
