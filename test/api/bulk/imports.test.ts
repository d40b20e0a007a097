import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Draft } from '../../../src/contract/resource.ts';
import { type ImportLine, type ImportOptions, runImport } from '../../../src/domain/bulk/import.ts';
import { createPace } from '../../../src/domain/bulk/pace.ts';
import { createUuidV7 } from '../../../src/domain/uuid.ts';
import { createImports, type ImportTask } from '../../../src/http/routes/bulk/imports.ts';
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

const newId = createUuidV7(Date.now);
const prepare = createImports({
  store: store.resources,
  pace: createPace(() => 0),
  nowMs: Date.now,
  newId,
});

const task: ImportTask = {
  ...{
    projectKey: 'p',
    isCsv: false,
    isCompressed: false,
    charset: undefined,
    delimiter: undefined,
    maxLineBytes: 100_000,
    draining: new AbortController().signal,
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

test('an import creates, updates and leaves alone, and says so', async () => {
  const long = { key: 'long', text: 'many words '.repeat(4000) };
  const drafts = [{ key: 'a', n: 1 }, { key: 'a', n: 2 }, { key: 'a', n: 2 }, [], long];
  const open = await prepare(task, bodyOf(...drafts));
  const lines = await linesOf(open());
  assert.deepEqual(
    lines.map(({ status, version, complete }) => status ?? complete ?? version),
    ['created', 'updated', 'unchanged', 'refused', 'created', true],
  );
  const record = await store.resources.getByKey('p', 'a');
  assert.equal(record?.version, 2);
  assert.equal(JSON.parse(record.current).lastModifiedBy.clientId, 'tester');
});

test('a wrong header, and a body that fails, refuse an import with their own error', async () => {
  async function* csv() {
    yield Buffer.from('a,a\n1,2\n');
  }
  await assert.rejects(prepare({ ...task, isCsv: true }, csv()), { code: 'InvalidInput', status: 400 });
  const gone = new Error('the client has gone');
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"key":"g"}\n');
    throw gone;
  }
  const open = await prepare(task, broken());
  await assert.rejects(linesOf(open()), gone);
});

test('an import whose client has gone ends, although its body does not', async () => {
  const keys = Array.from({ length: 100 }, (_, n) => ({ key: `gone-${n}` }));
  let isClosed = false;
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* bodyOf(...keys);
    await new Promise(() => {});
  }
  const results = (await prepare(task, body()))();
  results.once('close', () => {
    isClosed = true;
  });
  await new Promise((resolve) => results.once('readable', resolve));
  results.destroy();
  assert.ok(await store.resources.getByKey('p', 'gone-0'));
  while (!isClosed) await new Promise((resolve) => setImmediate(resolve));
});

/** Bytes of a line of which 16 are a group. */
const sixteenth = 65_536;

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
    });
    async function* source(): AsyncGenerator<readonly ImportLine[]> {
      const lines = Array.from({ length: 160 }, (_, line): ImportLine => {
        const draft: Draft = { id: undefined, key: `${givesWay}-${line}`, version: undefined, fields: {} };
        return { line: line + 1, draft, size: sixteenth };
      });
      yield lines;
    }
    const written: string[] = [];
    await runImport(source(), {
      ...{ ...task, store: slow, stopReason: () => undefined },
      pace: { givesWay: () => givesWay, takeTurn: async () => () => {} },
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
        size: sixteenth,
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
