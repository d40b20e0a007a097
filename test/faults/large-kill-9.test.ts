import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { readPartlyIndexed } from '../../src/storage/sqlite/open/partly-indexed.ts';
import { dataFolder, runCommand, type ServiceProcess, startService } from './service-process.ts';

const folder = dataFolder();
let service: ServiceProcess | undefined;
after(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
  folder.remove();
});

/** A document of which each word is its own. */
function textOf(name: string): string {
  return Array.from({ length: 30_000 }, (_, at) => `${name}x${at.toString(36)}e`).join(' ');
}

async function totalOf(token: string, word: string): Promise<number> {
  const { status, text } = await service!.request({ path: `/shop/resource/searchApiPattern?text.en=${word}`, token });
  assert.equal(status, 200, text);
  return (JSON.parse(text) as { total: number }).total;
}

async function assertHealthy(): Promise<void> {
  const check = await runCommand(['check'], { DATA_DIR: folder.path });
  assert.deepEqual([check.code, check.stdout.trim()], [0, 'All is well.'], check.stderr);
}

type Kind = 'created' | 'updated' | 'deleted';

const path = '/shop/resource';
const changes: Record<
  Kind,
  (id: string) => { readonly method: string; readonly path: string; readonly body?: object }
> = {
  created: (id) => ({ method: 'POST', path, body: { id, name: { en: textOf(`${id}made`) } } }),
  updated: (id) => ({
    ...{ method: 'POST', path: `${path}/${id}` },
    body: { version: 1, actions: [{ action: 'setField', path: 'name.en', value: textOf(`${id}changed`) }] },
  }),
  deleted: (id) => ({ method: 'DELETE', path: `${path}/${id}` }),
};

async function kill(running: ServiceProcess): Promise<void> {
  running.kill('SIGKILL');
  await running.ended;
  service = undefined;
}

/**
 * Has a document changed, and kills the service when the change is acknowledged and its terms are written in part. False where
 * they were all written before the test had looked.
 */
async function killWhilePartly(kind: Kind, id: string, token: string): Promise<boolean> {
  const running = service!;
  using database = new DatabaseSync(join(folder.path, 'grs.db'), { readOnly: true });
  const isPartly = () => readPartlyIndexed(database).length > 0;
  const send = async (request: ReturnType<(typeof changes)[Kind]>) => {
    const { status, text } = await running.request({ ...request, token });
    assert.ok(status === 200 || status === 201, text);
  };
  if (kind !== 'created') {
    await send(changes.created(id));
    // Waits for the whole.
    assert.equal(await totalOf(token, `${id}madex0e`), 1);
  }
  await send(changes[kind](id));
  await kill(running);
  return isPartly();
}

for (const kind of ['created', 'updated', 'deleted'] as const) {
  test(`SIGKILL while a large document that was ${kind} is indexed in part: the next start finishes it`, async () => {
    let [id, token] = ['', ''];
    for (let attempt = 0, isPartly = false; !isPartly; attempt += 1) {
      id = `${kind}${attempt}`;
      service ??= await startService(folder.path);
      token = await service.token('manage_test:shop');
      isPartly = await killWhilePartly(kind, id, token);
    }
    // What is there in part is told from what is wrong.
    await assertHealthy();
    service = await startService(folder.path);
    using database = new DatabaseSync(join(folder.path, 'grs.db'), { readOnly: true });
    assert.deepEqual(readPartlyIndexed(database), []);
    const expected = { made: kind === 'created' ? 1 : 0, changed: kind === 'updated' ? 1 : 0 };
    // The first of its words, the last, and one of the middle.
    for (const at of ['0', 'n5b', '7ps']) {
      for (const [name, total] of Object.entries(expected)) {
        assert.equal(await totalOf(token, `${id}${name}x${at}e`), total, `${name} ${at}`);
      }
    }
    await assertHealthy();
  });
}
