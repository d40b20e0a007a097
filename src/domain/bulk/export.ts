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
  /** Called for each resource that is left out because it is damaged. */
  readonly onDamaged: (damaged: DamagedResource) => void;
}

/** Records that are read together, on the thread that serves other requests too: less than a millisecond. */
const portion = 50;
/** Texts are handed on in pieces of about so many characters. */
const pieceCharacters = 65_536;

/**
 * The resources of a project by id, as text: one line each. It walks in portions, so that no snapshot is held open: each
 * resource is as it is when it is read. Damaged ones are left out.
 */
export async function* exportLines(options: ExportOptions): AsyncGenerator<string> {
  const { store, projectKey, columns, onResource, onDamaged } = options;
  let piece = columns ? headerText(columns, 'comma') : '';
  let afterId = options.afterId;
  for (;;) {
    const records = await scan(afterId);
    if (records instanceof DamagedResource) {
      onDamaged(records);
      afterId = records.remains.id;
      continue;
    }
    if (records.length === 0) break;
    for (const record of records) {
      const text = textUnlessDamaged(record);
      if (text === undefined) continue;
      piece += text;
      onResource();
      if (piece.length < pieceCharacters) continue;
      yield piece;
      piece = '';
    }
    afterId = records.at(-1)!.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (piece !== '') yield piece;

  function textUnlessDamaged(record: ResourceRecord): string | undefined {
    try {
      return isWanted(record, options) ? textOf(record, options) : undefined;
    } catch (error) {
      if (!(error instanceof DamagedResource)) throw error;
      onDamaged(error);
      return undefined;
    }
  }

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
  if (columns) return recordText(documentOf(record, staged), columns, 'comma');
  return `${projectionOf(record, staged)}\n`;
}
