import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Draft } from '../../../src/contract/resource.ts';
import { type ImportLine, type ImportOptions, runImport } from '../../../src/domain/bulk/import.ts';
import { createPace } from '../../../src/domain/bulk/pace.ts';
import type { BulkThreads } from '../../../src/domain/ports/bulk-threads.ts';
import { createUuidV7 } from '../../../src/domain/uuid.ts';
import type { ImportThreadData } from '../../../src/http/routes/bulk/import-messages.ts';
import type { ImportTask } from '../../../src/http/routes/bulk/import-task.ts';
import { createImports } from '../../../src/http/routes/bulk/imports.ts';
import { noLog } from '../../../src/telemetry/log.ts';
import { startTestApi } from '../../start-test-api.ts';
import { overriding } from '../../storage/overriding.ts';
import { openTestStore, temporaryFolder } from '../../storage/sqlite/open-test-store.ts';

const folder = temporaryFolder();
const store = await openTestStore(folder.file);
after(async () => {
  await store.close();
  folder.remove();
});

const newId = createUuidV7(Date.now, (bytes) => crypto.getRandomValues(bytes));
const deps = { isDraining: () => false, requests: () => 0, share: undefined, nowMs: Date.now, newId };

const task: ImportTask = {
  ...{
    projectKey: 'p',
    isCsv: false,
    isCompressed: false,
    charset: undefined,
    delimiter: undefined,
    maxLineBytes: 100_000,
    from: 1,
    mode: 'merge',
  },
  ...{ checksVersions: false, dryRun: false, stopOnError: false, refusedOnly: false },
  context: { clientId: 'tester', maxDocumentBytes: 100_000 },
};

const contextOf = () => ({ ...task.context, nowIso: new Date().toISOString(), newId });

async function* bodyOf(...drafts: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (const draft of drafts) yield Buffer.from(`${JSON.stringify(draft)}\n`);
}

async function linesOf(results: AsyncIterable<Uint8Array>): Promise<readonly Record<string, unknown>[]> {
  let text = '';
  for await (const chunk of results) text += String(chunk);
  return text.split('\n', -1).flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

for (const [name, used] of [
  ['in a thread', store],
  ['where the store knows no threads', { resources: store.resources }],
] as const) {
  test(`an import ${name} creates, updates and leaves alone, and says so`, async () => {
    const imports = createImports({ ...deps, store: used });
    const at = name.length;
    const long = { key: `long-${at}`, text: 'many words '.repeat(4000) };
    const drafts = [{ key: `a-${at}`, n: 1 }, { key: `a-${at}`, n: 2 }, { key: `a-${at}`, n: 2 }, [], long];
    const open = await imports.prepare(task, bodyOf(...drafts));
    const lines = await linesOf(open());
    assert.deepEqual(
      lines.map(({ status, version, complete }) => status ?? complete ?? version),
      ['created', 'updated', 'unchanged', 'refused', 'created', true],
    );
    const record = await store.resources.getByKey('p', `a-${at}`);
    assert.equal(record?.version, 2);
    assert.equal(JSON.parse(record.current).lastModifiedBy.clientId, 'tester');
    await imports.close();
  });
}

test('a thread that fails ends its imports, and the next import gets another one', async () => {
  let starts = 0;
  const threads: BulkThreads = {
    ...store.bulkThreads!,
    start(file, workerData, ports) {
      starts += 1;
      if (starts > 1) return store.bulkThreads!.start(file, workerData, ports);
      return new Worker('throw new Error("no memory left")', { eval: true });
    },
  };
  const imports = createImports({ ...deps, store: { resources: store.resources, bulkThreads: threads } });
  await assert.rejects(imports.prepare(task, bodyOf({ key: 'f' })), /no memory left/);
  const open = await imports.prepare(task, bodyOf({ key: 'f' }));
  assert.deepEqual((await linesOf(open())).at(-1)?.complete, true);
  assert.equal(starts, 2);
  await imports.close();
});

test('a wrong header, and a body that fails, refuse an import in a thread with their own error', async () => {
  const imports = createImports({ ...deps, store });
  async function* csv() {
    yield Buffer.from('a,a\n1,2\n');
  }
  await assert.rejects(imports.prepare({ ...task, isCsv: true }, csv()), { code: 'InvalidInput', status: 400 });
  const gone = new Error('the client has gone');
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"key":"g"}\n');
    throw gone;
  }
  const open = await imports.prepare(task, broken());
  await assert.rejects(linesOf(open()), gone);
  await imports.close();
});

test('a thread ends after the groups under way of an import whose client has gone', async () => {
  const imports = createImports({ ...deps, store });
  const keys = Array.from({ length: 100 }, (_, n) => ({ key: `gone-${n}` }));
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* bodyOf(...keys);
    await new Promise(() => {});
  }
  const results = (await imports.prepare(task, body()))();
  await new Promise((resolve) => results.once('readable', resolve));
  results.destroy();
  await imports.close();
  assert.ok(await store.resources.getByKey('p', 'gone-0'));
});

test('an import that gives way decides no group while another one is committed; else it does', async () => {
  async function mostAtOnce(givesWay: boolean): Promise<number> {
    let [running, most] = [0, 0];
    /** Not before the next group could have been decided. */
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
    const slow: ImportOptions['store'] = overriding(store.resources, {
      async commitAll(changes) {
        running += 1;
        most = Math.max(most, running);
        await settled();
        running -= 1;
        return store.resources.commitAll(changes);
      },
      groupSize: () => 16,
    });
    async function* source(): AsyncGenerator<readonly ImportLine[]> {
      const lines = Array.from({ length: 160 }, (_, line): ImportLine => {
        const draft: Draft = { id: undefined, key: `${givesWay}-${line}`, version: undefined, fields: {} };
        return { line: line + 1, draft, size: 10 };
      });
      yield lines;
    }
    const written: string[] = [];
    await runImport(source(), {
      ...{ ...task, store: slow, pace: createPace(new Int32Array([givesWay ? 1 : 0])), stopReason: () => undefined },
      contextOf,
      write: (texts) => written.push(...texts) > 0,
    });
    assert.equal(JSON.parse(written.at(-1)!).created, 160);
    return most;
  }
  assert.equal(await mostAtOnce(true), 1);
  assert.equal(await mostAtOnce(false), 2);
});

test('while others call no group begins before its turn, which ends when the group is reported', async () => {
  const steps: string[] = [];
  async function* source(): AsyncGenerator<readonly ImportLine[]> {
    yield Array.from({ length: 32 }, (_, line): ImportLine => {
      return {
        line: line + 1,
        draft: { id: undefined, key: `turn-${line}`, version: undefined, fields: {} },
        size: 10,
      };
    });
  }
  await runImport(source(), {
    ...{ ...task, stopReason: () => undefined, contextOf },
    store: overriding(store.resources, {
      commitAll(changes) {
        steps.push('commit');
        return store.resources.commitAll(changes);
      },
      groupSize: () => 16,
    }),
    pace: {
      givesWay: () => true,
      async takeTurn() {
        steps.push('wait');
        await new Promise((resolve) => setTimeout(resolve, 20));
        steps.push('turn');
        return () => void steps.push('end');
      },
    },
    write: (texts) => steps.push(texts.length === 1 ? 'summary' : 'results') > 0,
  });
  const group = ['wait', 'turn', 'commit', 'results', 'end'];
  assert.deepEqual(steps, [...group, ...group, 'summary']);
});

test('the thread of imports is told while others call', async () => {
  let calls: Int32Array = new Int32Array();
  let requests = 1;
  const threads: BulkThreads = {
    ...store.bulkThreads!,
    start(file, workerData, ports) {
      calls = (workerData as ImportThreadData).calls;
      return store.bulkThreads!.start(file, workerData, ports);
    },
  };
  const watched = { resources: store.resources, bulkThreads: threads };
  const imports = createImports({ ...deps, requests: () => requests, store: watched });
  const end = Promise.withResolvers<void>();
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* bodyOf({ key: 'shared' });
    await end.promise;
  }
  const results = (await imports.prepare(task, body()))();
  const seen = [calls[0]];
  requests += 1;
  while (calls[0] === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  seen.push(calls[0]);
  while (calls[0] === 1) await new Promise((resolve) => setTimeout(resolve, 5));
  seen.push(calls[0]);
  assert.deepEqual(seen, [0, 1, 0]);
  end.resolve();
  assert.equal((await linesOf(results)).at(-1)?.complete, true);
  await imports.close();
});

test('an import leaves the thread of requests alone', async () => {
  const imports = createImports({ ...deps, store });
  const draft = (n: number) => ({ key: `c-${n}`, words: Array.from({ length: 40 }, (_, at) => `word ${n * at}`) });
  const lines = Array.from({ length: 3000 }, (_, n) => `${JSON.stringify(draft(n))}\n`);
  async function* body() {
    for (let at = 0; at < lines.length; at += 50) yield Buffer.from(lines.slice(at, at + 50).join(''));
  }
  // The thread has started.
  await linesOf((await imports.prepare(task, bodyOf({ key: 'first' })))());
  const [before, ownBefore] = [process.cpuUsage(), process.threadCpuUsage()];
  // What is left without the writer: lines are read, decided and told.
  const results = (await imports.prepare({ ...task, dryRun: true, refusedOnly: true }, body()))();
  assert.equal((await linesOf(results)).at(-1)?.created, 3000);
  const [all, own] = [process.cpuUsage(before), process.threadCpuUsage(ownBefore)];
  const share = (own.user + own.system) / (all.user + all.system);
  assert.ok(share < 0.4, `${share} of the processor time is that of the thread of requests`);
  await imports.close();
});

test('what was imported is read at once where the version before is cached, by the clock of the service', async () => {
  const world = { nowMs: () => Date.now() - 86_400_000 * 3650, newId };
  const api = await startTestApi({}, noLog, { world });
  after(() => api.close());
  const send = (body: string) =>
    api.call({
      ...{ method: 'POST', path: '/p/resource/import', body },
      headers: { 'content-type': 'application/x-ndjson' },
    });
  assert.equal((await send('{"id":"x","n":1}\n')).status, 200);
  for (let at = 0; at < 4; at += 1) assert.equal((await api.call({ path: '/p/resource/x' })).json.n, 1);
  for (let n = 2; n < 6; n += 1) {
    assert.match((await send(`{"id":"x","n":${n}}\n`)).text, /"updated"/);
    for (let at = 0; at < 3; at += 1) assert.equal((await api.call({ path: '/p/resource/x' })).json.n, n);
  }
  const { json } = await api.call({ path: '/p/resource/x' });
  assert.ok(Math.abs(Date.parse(json.lastModifiedAt) - world.nowMs()) < 600_000, json.lastModifiedAt);
});

test('an import that is stopped while its next lines are read ends in order, however these fail', async () => {
  let hasGone = false;
  async function* source(): AsyncGenerator<readonly ImportLine[]> {
    const draft: Draft = { id: undefined, key: 'stopped', version: undefined, fields: {} };
    hasGone = true;
    yield [{ line: 1, draft, size: 10 }];
    throw new Error('nobody sends the rest');
  }
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const written: string[] = [];
  let looks = 0;
  await runImport(source(), {
    ...{ ...task, store: store.resources, contextOf },
    // Not before the first lines are there.
    stopReason() {
      if (hasGone) looks += 1;
      return looks > 1 ? new ServiceError('ResponseNotRead', 'The client has gone.') : undefined;
    },
    write: (texts) => written.push(...texts) > 0,
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
  assert.equal(JSON.parse(written.at(-1)!).complete, false);
});
