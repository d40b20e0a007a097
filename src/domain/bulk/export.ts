import type { ResourceRecord, ResourceStore } from '../ports/resource-store.ts';
import type { Predicate } from '../predicate/ast.ts';
import { match } from '../predicate/match.ts';
import { DamagedResource } from '../resource/damaged.ts';
import { parseRecord } from '../resource/resource.ts';
import { projectionOf } from '../resource/target.ts';
import { type Column, headerText, recordText } from './csv-columns.ts';

export interface ExportOptions {
  readonly store: Pick<ResourceStore, 'scan'>;
  readonly projectKey: string;
  /** All must hold. */
  readonly where: readonly Predicate[];
  readonly staged: boolean;
  /** The columns of CSV; undefined for NDJSON. */
  readonly columns: readonly Column[] | undefined;
  /** Only resources with a greater id. */
  readonly afterId: string | undefined;
  /** Called for each resource that was written. */
  readonly onResource: () => void;
}

/** Records that are read together, on the thread that serves other requests too: less than a millisecond. */
const portion = 50;
/** Texts are handed on in pieces of about so many characters. */
const pieceCharacters = 65_536;

/**
 * The resources of a project by id, as text: one line each. It walks in portions, so that no snapshot is held open: each
 * resource is as it is when it is read. Damaged ones are left out; then it throws `DamagedResource` at the end, so that nobody takes
 * the others for all.
 */
export async function* exportLines(options: ExportOptions): AsyncGenerator<string> {
  const { store, projectKey, columns, onResource } = options;
  let piece = columns ? headerText(columns) : '';
  let afterId = options.afterId;
  let damaged: DamagedResource | undefined;
  for (;;) {
    const records = await scan(afterId);
    if (records instanceof DamagedResource) {
      damaged ??= records;
      afterId = records.remains.id;
      continue;
    }
    if (records.length === 0) break;
    for (const record of records) {
      if (!isWanted(record, options)) continue;
      piece += textOf(record, options);
      onResource();
      if (piece.length < pieceCharacters) continue;
      yield piece;
      piece = '';
    }
    afterId = records.at(-1)!.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (piece !== '') yield piece;
  if (damaged) throw damaged;

  async function scan(after: string | undefined): Promise<readonly ResourceRecord[] | DamagedResource> {
    try {
      return await store.scan(projectKey, after, portion);
    } catch (error) {
      // An id that is damaged itself might lead back.
      if (error instanceof DamagedResource && error.remains.id > (after ?? '')) return error;
      throw error;
    }
  }
}

function documentOf(record: ResourceRecord, staged: boolean) {
  const { current, staged: other } = parseRecord(record).documents;
  return staged ? (other ?? current) : current;
}

function isWanted(record: ResourceRecord, { where, staged }: ExportOptions): boolean {
  if (where.length === 0) return true;
  const document = documentOf(record, staged);
  return where.every((predicate) => match(predicate, document));
}

function textOf(record: ResourceRecord, { columns, staged }: ExportOptions): string {
  if (columns) return recordText(documentOf(record, staged), columns);
  return `${projectionOf(record, staged)}\n`;
}
