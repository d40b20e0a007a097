import { createHash } from 'node:crypto';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { type Header, namespaces, writeHeader, writeRecord, writeTrailer } from './file-format.ts';
import { locationOf } from './namespace.ts';

interface ExportOptions extends Header {
  readonly store: Pick<ResourceStore, 'scan'>;
  /** Called after each batch with the number of records written so far. */
  readonly onProgress: (records: number) => void;
}

/** True if there is something to export. */
export async function hasRecords(store: ExportOptions['store'], project: string): Promise<boolean> {
  for (const namespace of namespaces) {
    const { projectKey, idPrefix } = locationOf(namespace, project);
    const [first] = await store.scan(projectKey, idPrefix === '' ? undefined : idPrefix, 1);
    if (first?.id.startsWith(idPrefix)) return true;
  }
  return false;
}

/** Records per scan. */
const batchSize = 500;

/**
 * The file of a project (file-format.ts), in chunks of whole lines, one batch in memory at a time. Each record is
 * consistent; all of them together are only if nothing writes meanwhile.
 */
export async function* exportProject(options: ExportOptions): AsyncGenerator<string> {
  const { store, project, onProgress } = options;
  const digest = createHash('sha256');
  let records = 0;
  const header = writeHeader(options);
  digest.update(header);
  yield header;
  for (const namespace of namespaces) {
    const { projectKey, idPrefix } = locationOf(namespace, project);
    for (let last = idPrefix === '' ? undefined : idPrefix; ; ) {
      const scanned = await store.scan(projectKey, last, batchSize);
      const found = scanned.filter(({ id }) => id.startsWith(idPrefix));
      if (found.length === 0) break;
      const lines = found.map((record) => writeRecord(namespace, record)).join('');
      digest.update(lines);
      yield lines;
      last = found.at(-1)?.id;
      records += found.length;
      onProgress(records);
    }
  }
  yield writeTrailer({ records, sha256: digest.digest('hex') });
}
