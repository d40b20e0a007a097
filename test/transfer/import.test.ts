import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import type { Store } from '../../src/domain/ports/store.ts';
import { parseRecord, serializeResource } from '../../src/domain/resource/resource.ts';
import { exportProject } from '../../src/transfer/export.ts';
import { ExportFileError, writeHeader, writeRecord, writeTrailer } from '../../src/transfer/file-format.ts';
import { createImport, type ImportOptions } from '../../src/transfer/import.ts';
import { document } from '../storage/records.ts';
import { openTestStore, temporaryFolder } from '../storage/sqlite/open-test-store.ts';
import { allRecords, createRecords, inOrder, projectRecords } from './project.ts';

/** The rules of a move, store to store in one process. The source is made once, each test has a new target. */
const records = projectRecords('shop');
let whole = '';
let folder = temporaryFolder();
let target: Store;

async function* chunksOf(text: string, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function fileOf(store: Store): Promise<string> {
  let text = '';
  const options = { store: store.resources, project: 'shop', exportedAt: '2026-01-02T03:04:05.678Z' };
  for await (const chunk of exportProject({ ...options, onProgress: () => {} })) text += chunk;
  return text;
}

function importInto(more: Partial<ImportOptions> = {}) {
  const options = { store: target.resources, project: 'shop', overwrite: false };
  return createImport({
    ...options,
    nowMs: () => 1_800_000_000_000,
    onHeader: () => {},
    onProgress: () => {},
    ...more,
  });
}

before(async () => {
  const source = temporaryFolder();
  const store = await openTestStore(source.file);
  await createRecords(store, [...records, ...projectRecords('other')]);
  whole = await fileOf(store);
  await store.close();
  source.remove();
});
beforeEach(async () => {
  await target?.close();
  folder.remove();
  folder = temporaryFolder();
  target = await openTestStore(folder.file);
});
after(async () => {
  await target.close();
  folder.remove();
});

test('import of a whole file: every record is as it was, and an export of it has the same bytes', async () => {
  for (const size of [1, 4096, 1_000_000]) {
    const work = importInto();
    await work.run(chunksOf(whole, size));
    const created = size === 1 ? records.length : 0;
    assert.deepEqual([work.counts.created, work.counts.unchanged], [created, records.length - created]);
  }
  assert.deepEqual(await allRecords(target, 'shop'), inOrder(records));
  assert.deepEqual(await allRecords(target, 'other'), []);
  assert.equal(await fileOf(target), whole);
});

test('import: the log of the project begins with the records that were created, by an import of no client', async () => {
  await importInto().run(chunksOf(whole));
  const { changes } = await target.changes.changesAfter('shop', 0, 500);
  assert.ok(changes.length > 0);
  const at = new Date(1_800_000_000_000).toISOString();
  for (const { origin, before } of changes) {
    assert.deepEqual([origin, before], [{ type: 'created', cause: 'import', at, clientId: '' }, null]);
  }
});

const lines = () => whole.trimEnd().split('\n');
const withLines = (change: (all: string[]) => void) => {
  const all = lines();
  change(all);
  return `${all.join('\n')}\n`;
};
const changed = (text: string, from: string, to: string) => {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
};

interface Damage {
  readonly name: string;
  readonly file: () => string;
  readonly message: RegExp;
  /** Records before the damage. */
  readonly imported: number;
}

const damages: readonly Damage[] = [
  { name: 'empty', file: () => '', message: /^the file is empty$/, imported: 0 },
  { name: 'no export', file: () => '{"id":"a"}\n', message: /^line 1: not a file of/, imported: 0 },
  {
    name: 'of another format version',
    file: () => changed(whole, '"formatVersion":3', '"formatVersion":4'),
    message: /^line 1: the file has format version 4, but this version of the service reads 3;/,
    imported: 0,
  },
  {
    name: 'cut in the middle of a line',
    file: () => withLines((all) => all.splice(11)).slice(0, -30),
    message: /^the file ends in the middle of line 11: it is truncated$/,
    imported: 9,
  },
  {
    name: 'cut at the end of a line',
    file: () => withLines((all) => all.splice(11)),
    message: /^the file ends after line 11 without its last line: it is truncated$/,
    imported: 10,
  },
  {
    name: 'with a line that is no JSON',
    file: () => withLines((all) => all.splice(6, 1, '{"crc32":')),
    message: /^line 7: expected a JSON object$/,
    imported: 5,
  },
  {
    name: 'with an edited document',
    file: () => withLines((all) => all.splice(6, 1, changed(all[6] ?? '', 'key', 'kex'))),
    message: /^line 7: the record does not match its checksum/,
    imported: 5,
  },
  {
    name: 'with a document that is no object',
    file: () => withLines((all) => all.splice(6, 1, writeRecord('', { ...records[0]!, current: '[1]' }).trimEnd())),
    message: /^line 7: the document of n-0 is not a JSON object$/,
    imported: 5,
  },
  {
    name: 'with a createdAt that is no point in time',
    file: () => withLines((all) => all.splice(6, 1, writeRecord('', { ...records[0]!, createdAt: 'May' }).trimEnd())),
    message: /^line 7: createdAt of n-0: expected a point in time, such as 2026-01-02T03:04:05Z$/,
    imported: 5,
  },
  ...(
    [
      [
        'with a NUL',
        { current: '{"id":"n-0","version":1,"key":"k","a":"\\u0000"}' },
        /a \(line 1, column \d+\): expected a string without NUL/,
      ],
      ['that says a name twice', { current: '{"id":"n-0","version":1,"key":"k","a":1,"a":2}' }, /duplicate key "a"$/],
      ['of another resource', { current: '{"id":"n-1","version":1,"key":"k"}' }, /n-0 has another id than its record$/],
    ] as const
  ).map(([name, fields, message]) => ({
    name: `with a document ${name}`,
    file: () =>
      withLines((all) =>
        all.splice(6, 1, writeRecord('', { ...records[0]!, key: 'k', version: 1, ...fields }).trimEnd()),
      ),
    message,
    imported: 5,
  })),
  {
    name: 'without one of its lines',
    file: () => withLines((all) => all.splice(6, 1)),
    message: /^the file should have 45 records and has 44/,
    imported: 44,
  },
  {
    name: 'with two lines swapped',
    file: () => withLines((all) => all.splice(6, 2, all[7] ?? '', all[6] ?? '')),
    message: /^the file does not match its checksum/,
    imported: 45,
  },
  {
    name: 'with more after its end',
    file: () => `${whole}{}\n`,
    message: /^line 48: the file should have ended before it$/,
    imported: 45,
  },
];

for (const { name, file, message, imported } of damages) {
  test(`import of a file ${name}: refused with the line, what was imported before it stays, a complete file continues`, async () => {
    const work = importInto();
    await assert.rejects(
      work.run(chunksOf(file())),
      (error) => error instanceof ExportFileError && message.test(error.message),
    );
    assert.equal(work.counts.created, imported);
    assert.equal((await allRecords(target, 'shop')).length, imported);
    const again = importInto();
    await again.run(chunksOf(whole));
    assert.deepEqual([again.counts.unchanged, again.counts.created], [imported, records.length - imported]);
    assert.deepEqual(await allRecords(target, 'shop'), inOrder(records));
  });
}

test('import of points in time in other forms: documents keep them, lists order by them, updates are read back', async () => {
  const forms = ['2026-01-02T00:30:00+01:00', '2026-01-02', '2026-01-02T00:00:00.250Z', '2026-01-02T01:00Z'];
  const given = forms.map((form, n) => {
    const current = JSON.stringify({ ...document(`form-${n}`, 1), createdAt: form, lastModifiedAt: form });
    return { ...records[0]!, id: `form-${n}`, key: undefined, createdAt: form, lastModifiedAt: form, current };
  });
  const lines =
    writeHeader({ project: 'shop', exportedAt: forms[0]! }) + given.map((each) => writeRecord('', each)).join('');
  const sha256 = createHash('sha256').update(lines).digest('hex');
  await importInto().run(chunksOf(lines + writeTrailer({ records: given.length, sha256 })));

  const canonical = ['2026-01-01T23:30:00', '2026-01-02T00:00:00', '2026-01-02T00:00:00.25', '2026-01-02T01:00:00'];
  const expected = given.map((each, n) => ({ ...each, createdAt: canonical[n]!, lastModifiedAt: canonical[n]! }));
  assert.deepEqual(await allRecords(target, 'shop'), expected);
  for (const path of ['createdAt', 'lastModifiedAt']) {
    const sort = [{ path: [path], direction: 'desc' }] as const;
    const list = { projectKey: 'shop', where: [], sort, limit: 9, offset: 0, withTotal: true, staged: false };
    const found = JSON.parse(`[${(await target.resources.list(list)).results}]`) as { readonly id: string }[];
    assert.deepEqual(
      found.map(({ id }) => id),
      ['form-3', 'form-2', 'form-1', 'form-0'],
    );
  }
  for (const each of expected) {
    const { resource, documents: before } = parseRecord(each);
    const { record: next, documents: after } = serializeResource({ ...resource, version: 2, current: { n: 1 } });
    const expected = { expectedVersion: 1, expectedIncarnation: resource.incarnation };
    const change = { kind: 'update', ...expected, next, before, after } as const;
    assert.equal(await target.resources.commit(change), 'committed');
  }
  assert.deepEqual(
    (await allRecords(target, 'shop')).map(({ version, createdAt }) => [version, createdAt]),
    canonical.map((createdAt) => [2, createdAt]),
  );
});

test('import under another project name: the same records in that project, found by predicates and keys', async () => {
  await importInto({ project: 'copy' }).run(chunksOf(whole));
  assert.deepEqual(await allRecords(target, 'copy'), inOrder(projectRecords('copy')));
  assert.deepEqual(await allRecords(target, 'shop'), []);
  assert.equal((await target.resources.getByKey('copy', 'Schlüssel [1]'))?.id, 'id with 🦜/%2F');
});

test('import onto records that differ: they are refused by name and stay; with overwrite they are replaced', async () => {
  const [first, second] = records as [(typeof records)[0], (typeof records)[0]];
  const newer = { ...first, version: 9, current: changed(first.current, '"version":1', '"version":9') };
  const holder = { ...second, id: 'holder', current: changed(second.current, 'n-1', 'holder') };
  await createRecords(target, [newer, holder]);
  const work = importInto();
  await work.run(chunksOf(whole));
  assert.deepEqual([work.counts.created, work.counts.refused], [records.length - 2, 2]);
  assert.deepEqual(work.counts.refusals.toSorted(), [
    'resource n-0: it exists and differs (version 9 there, 1 in the file)',
    'resource n-1: another resource has its key “key 1”',
  ]);
  assert.equal((await target.resources.get('shop', 'n-0'))?.current, newer.current);

  const over = importInto({ overwrite: true });
  await over.run(chunksOf(whole));
  assert.deepEqual([over.counts.replaced, over.counts.refused], [1, 1]);
  assert.deepEqual({ ...(await target.resources.get('shop', 'n-0')) }, first);
  const before = parseRecord(holder).documents;
  const expected = { expectedVersion: holder.version, expectedIncarnation: holder.incarnation };
  const gone = { kind: 'delete', projectKey: 'shop', id: 'holder', ...expected, before } as const;
  assert.equal(await target.resources.commit(gone), 'committed');
  await importInto().run(chunksOf(whole));
  assert.deepEqual(await allRecords(target, 'shop'), inOrder(records));
});

test('import: an error of the store ends it after the writes under way, with the counts of what is stored', async () => {
  let commits = 0;
  const failing: ImportOptions['store'] = {
    get: (projectKey, id) => target.resources.get(projectKey, id),
    getByKey: () => undefined,
    async commit(change) {
      commits += 1;
      if (commits > 10) throw new Error('the disk is gone');
      return target.resources.commit(change);
    },
  };
  const work = importInto({ store: failing });
  await assert.rejects(work.run(chunksOf(whole)), /the disk is gone/);
  assert.equal(work.counts.created, 10);
  assert.equal((await allRecords(target, 'shop')).length, 10);
});
