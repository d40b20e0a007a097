import { createHash } from 'node:crypto';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { builtState } from '../domain/types/built-state.ts';
import { type Header, namespaces, writeHeader, writeRecord, writeTrailer } from './file-format.ts';

interface ExportOptions extends Header {
  readonly store: Pick<ResourceStore, 'scan'>;
  /** Called after each batch with the number of records written so far. */
  readonly onProgress: (records: number) => void;
}

/** True if there is something to export. */
export async function hasRecords(store: ExportOptions['store'], project: string): Promise<boolean> {
  for (const namespace of namespaces) {
    if ((await store.scan(project + namespace, undefined, 1)).length > 0) return true;
  }
  return false;
}

/** Records per scan. What was built for the types of a project is built again elsewhere. */
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
    for (let last: string | undefined; ; ) {
      const found = await store.scan(project + namespace, last, batchSize);
      if (found.length === 0) break;
      const moved = found.filter(({ id }) => namespace !== '~settings' || id !== builtState.id);
      const lines = moved.map((record) => writeRecord(namespace, record)).join('');
      digest.update(lines);
      yield lines;
      last = found.at(-1)?.id;
      records += moved.length;
      onProgress(records);
    }
  }
  yield writeTrailer({ records, sha256: digest.digest('hex') });
}
