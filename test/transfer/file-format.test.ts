import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { ResourceRecord } from '../../src/domain/ports/resource-store.ts';
import {
  ExportFileError,
  namespaces,
  readHeader,
  readLine,
  writeHeader,
  writeRecord,
  writeTrailer,
} from '../../src/transfer/file-format.ts';
import { createImport, type ImportOptions } from '../../src/transfer/import.ts';
import { projectRecords } from './project.ts';

const refuses = (work: () => unknown, message: RegExp) =>
  assert.throws(work, (error) => error instanceof ExportFileError && message.test(error.message));

/** A line whose checksum holds, whatever it says. */
function lineOf(record: unknown): string {
  const text = JSON.stringify(record);
  return `{"crc32":"${crc32(text).toString(16).padStart(8, '0')}","record":${text}}`;
}

test('export file: what is written is read back, in every namespace', () => {
  const header = { project: 'my-shop_1', exportedAt: '2026-01-02T03:04:05.678Z' };
  assert.deepEqual(readHeader(writeHeader(header).trimEnd()), header);
  const trailer = { records: 3, sha256: 'ab' };
  assert.deepEqual(readLine(writeTrailer(trailer)), { kind: 'trailer', trailer });
  for (const namespace of namespaces) {
    for (const { projectKey: _, ...record } of projectRecords('shop')) {
      const text = writeRecord(namespace, { projectKey: 'shop', ...record });
      assert.equal(text.indexOf('\n'), text.length - 1);
      assert.deepEqual(readLine(text), { kind: 'record', namespace, record });
    }
  }
});

test('export file: a header without a project, and an end without a count, are refused', () => {
  const head = '{"format":"grs-project","formatVersion":3';
  for (const rest of ['}', ',"project":"a b","exportedAt":""}', ',"project":"shop"}']) {
    refuses(() => readHeader(head + rest), /expected a header with project and exportedAt/);
  }
  for (const end of ['{}', '{"records":"3","sha256":""}'])
    refuses(() => readLine(`{"end":${end}}`), /an end with records/);
  for (const line of ['[]', '7', '{']) refuses(() => readLine(line), /expected a JSON object/);
  refuses(() => readLine('{"other":1}'), /expected a record or the end/);
});

test('export file: a record of an unknown namespace or with fields of wrong types is refused, though its checksum holds', () => {
  const time = '2026-01-02T03:04:05Z';
  const record = {
    ...{ namespace: '', id: 'a', version: 1, createdAt: time, lastModifiedAt: time, current: '{}', history: [] },
  };
  assert.equal(readLine(lineOf(record)).kind, 'record');
  refuses(() => readLine(lineOf({ ...record, namespace: '~other' })), /unknown namespace "~other"/);
  const wrong = [
    { id: '' },
    { id: 7 },
    { key: '' },
    { version: 0 },
    { version: 1.5 },
    { createdAt: 7 },
    { current: {} },
    { staged: null },
  ];
  for (const fields of wrong) refuses(() => readLine(lineOf({ ...record, ...fields })), /a record with id, version/);
  for (const name of ['createdAt', 'lastModifiedAt']) {
    refuses(() => readLine(lineOf({ ...record, [name]: 't' })), new RegExp(`${name} of a: expected a point in time`));
  }
  for (const history of [{}, [1], [['1', []]], [[1, [2]]]]) {
    refuses(() => readLine(lineOf({ ...record, history })), /expected a history of versions/);
  }
});

test('export file: a line longer than any record is refused before it fills the memory', async () => {
  const part = Buffer.alloc(1024 * 1024, 'x');
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; given < 1000; given += 1) yield part;
  }
  const options = { project: 'shop', overwrite: false, nowMs: Date.now, onHeader: () => {}, onProgress: () => {} };
  const store: ImportOptions['store'] = {
    get: () => undefined,
    getByKey: () => undefined,
    commit: async () => 'committed',
  };
  await assert.rejects(createImport({ store, ...options }).run(endless()), /longer than any record/);
  assert.ok(given < 100);
});

test('import: a record that another writer changes at every try is refused, and the import goes on', async () => {
  const [first, second] = projectRecords('shop') as [ResourceRecord, ResourceRecord];
  const records = [first, second];
  const work = createImport({
    store: {
      get: () => undefined,
      getByKey: () => undefined,
      commit: async (change) => (change.kind === 'create' && change.next.id === first.id ? 'idTaken' : 'committed'),
    },
    ...{ project: 'shop', overwrite: false, nowMs: Date.now, onHeader: () => {}, onProgress: () => {} },
  });
  async function* file(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(writeHeader({ project: 'shop', exportedAt: 't' }));
    for (const record of records) yield Buffer.from(writeRecord('', record));
  }
  await assert.rejects(work.run(file()), /without its last line/);
  assert.deepEqual(
    [work.counts.created, work.counts.refusals],
    [1, ['resource n-0: another process keeps changing it']],
  );
});
