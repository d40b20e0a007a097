import { malformedParameter, ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ActorNames } from '../history/actor-names.ts';
import type { ResourceRecord, ResourceStore } from '../ports/resource-store.ts';
import type { Predicate } from '../predicate/ast.ts';
import { match } from '../predicate/match.ts';
import { DamagedResource } from '../resource/damaged.ts';
import { scanIntact } from '../resource/read/scan-intact.ts';
import { parseRecord } from '../resource/resource.ts';
import { projectionOf } from '../resource/target.ts';
import { type Column, headerText, maxColumns, recordText } from './csv/csv-columns.ts';
import type { Delimiter } from './csv/delimiter.ts';
import { type ColumnFinder, createColumnFinder, TooManyColumns } from './csv/found-columns.ts';

export interface ExportOptions {
  readonly store: Pick<ResourceStore, 'scan'>;
  readonly projectKey: string;
  /** All must hold. */
  readonly where: readonly Predicate[];
  readonly staged: boolean;
  /** Undefined for NDJSON. */
  readonly csv: CsvOptions | undefined;
  /** Only resources with a greater id. */
  readonly afterId: string | undefined;
  /** For readers who may see clients. */
  readonly names?: ActorNames | undefined;
  /** Called for each resource that is left out because it is damaged. */
  readonly onDamaged: (damaged: DamagedResource) => void;
}

interface CsvOptions {
  readonly columns: readonly Column[];
  /** True if a document has no value that the columns lack. */
  readonly covers: (document: JsonObject) => boolean;
  readonly delimiter: Delimiter;
  /** True if the text begins with a byte order mark: Excel reads UTF-8 by that. */
  readonly withMark: boolean;
}

/** Records that are read together, on the thread that serves other requests too: less than a millisecond. */
const portion = 50;
/** Size of the pieces of text that are passed on, in characters. */
const pieceCharacters = 65_536;

/**
 * The resources of a project by id, as text: one line each. It walks in portions, so that no snapshot is held open: each
 * resource is as it is when it is read. Damaged ones are left out.
 */
export async function* exportLines(
  options: ExportOptions & { readonly onResource: () => void },
): AsyncGenerator<string> {
  const { csv, onResource } = options;
  let piece = csv ? (csv.withMark ? '\ufeff' : '') + headerText(csv.columns, csv.delimiter) : '';
  for await (const texts of walk(options, (record) => textOf(record, options))) {
    for (const text of texts) {
      piece += text;
      onResource();
      if (piece.length < pieceCharacters) continue;
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

/**
 * The columns of all fields that occur in the resources of an export. Reads each of them. Throws 400 where there are too
 * many fields.
 */
export async function findColumns(
  options: Omit<ExportOptions, 'csv' | 'onDamaged'>,
  goesOn: () => void,
): Promise<ColumnFinder> {
  const finder = createColumnFinder();
  const { staged } = options;
  try {
    const walked = walk({ ...options, onDamaged() {} }, (record) => finder.add(documentOf(record, staged)));
    for await (const _ of walked) goesOn();
  } catch (error) {
    if (!(error instanceof TooManyColumns)) throw error;
    throw malformedParameter(
      'fields',
      `the resources have more than ${maxColumns} fields; name the columns of the CSV`,
    );
  }
  return finder;
}

type WalkOptions = Omit<ExportOptions, 'csv'>;

/** The output for each resource, in batches; a damaged one has none. */
async function* walk<T>(options: WalkOptions, make: (record: ResourceRecord) => T): AsyncGenerator<readonly T[]> {
  const { store, projectKey, names, onDamaged } = options;
  let afterId = options.afterId;
  for (;;) {
    const records = await scanIntact(store, projectKey, afterId, portion, onDamaged);
    if (records.length === 0) return;
    const shown = names ? await Promise.all(records.map((record) => names.inRecord(record))) : records;
    yield shown.flatMap(madeUnlessDamaged);
    afterId = records.at(-1)!.id;
    await new Promise((resolve) => setImmediate(resolve));
  }

  function madeUnlessDamaged(record: ResourceRecord): readonly T[] {
    try {
      return isWanted(record, options) ? [make(record)] : [];
    } catch (error) {
      if (!(error instanceof DamagedResource)) throw error;
      onDamaged(error);
      return [];
    }
  }
}

function documentOf(record: ResourceRecord, staged: boolean) {
  const { current, staged: other } = parseRecord(record).documents;
  return staged ? (other ?? current) : current;
}

/** True for a resource that all predicates hold of. */
export function isWanted(record: ResourceRecord, { where, staged }: Pick<WalkOptions, 'where' | 'staged'>): boolean {
  if (where.length === 0) return true;
  const document = documentOf(record, staged);
  return where.every((predicate) => match(predicate, document));
}

function textOf(record: ResourceRecord, { csv, staged }: ExportOptions): string {
  if (!csv) return `${projectionOf(record, staged)}\n`;
  const document = documentOf(record, staged);
  if (csv.covers(document)) return recordText(document, csv.columns, csv.delimiter);
  const problem = `The resource ${record.id} got a field during the export that is not among its columns`;
  throw new ServiceError('ConcurrentModification', `${problem}. Try again, or name the columns in fields.`);
}
