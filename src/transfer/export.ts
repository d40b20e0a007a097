import { createHash } from 'node:crypto';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { type Header, namespaces, writeHeader, writeRecord, writeTrailer } from './file-format.ts';
import { placeOf } from './namespace.ts';

interface ExportOptions extends Header {
  readonly store: Pick<ResourceStore, 'scan'>;
  /** Told after each portion how many records were written so far. */
  readonly onProgress: (records: number) => void;
}

/** Records asked for at a time. */
const portion = 500;

/**
 * The file of a project (format.ts), in chunks of whole lines; memory holds one portion at a time. Each record is as it
 * was at one moment, but not all of them as of the same moment where something writes meanwhile.
 */
export async function* exportProject(options: ExportOptions): AsyncGenerator<string> {
  const { store, project, onProgress } = options;
  const digest = createHash('sha256');
  let records = 0;
  const header = writeHeader(options);
  digest.update(header);
  yield header;
  for (const namespace of namespaces) {
    const { projectKey, idPrefix } = placeOf(namespace, project);
    for (let last = idPrefix === '' ? undefined : idPrefix; ; ) {
      const scanned = await store.scan(projectKey, last, portion);
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
