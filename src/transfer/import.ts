import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json.ts';
import { scanJson } from '../domain/json/scan.ts';
import type { Change, ResourceRecord, ResourceStore } from '../domain/ports/resource-store.ts';
import { checkStorable, parseRecord, type StorableResource, type StoredResource } from '../domain/resource/resource.ts';
import { ExportFileError, type Header, type Namespace, readHeader, readLine, type Trailer } from './file-format.ts';
import { moveRecord } from './namespace.ts';
import { type FileLine, splitLines } from './read-lines.ts';

export interface ImportOptions {
  readonly store: Pick<ResourceStore, 'get' | 'commit'>;
  /** The project to import into, whatever its name in the file. */
  readonly project: string;
  /** Replace existing records that differ. */
  readonly overwrite: boolean;
  /** The time of the changes in the log. */
  readonly nowMs: () => number;
  /** Called with the header before anything is written. */
  readonly onHeader: (header: Header) => void;
  /** Called after each record. */
  readonly onProgress: () => void;
}

/** The results of the records so far. `created`, `replaced` and `unchanged` ones are durable. */
export interface ImportCounts {
  created: number;
  replaced: number;
  /** Existed already, the same in every text. */
  unchanged: number;
  /** Exist and differ, or their key is taken; not changed. */
  refused: number;
  /** The first refused records, with the reason. */
  readonly refusals: string[];
}

const maxRefusalsShown = 20;

/** Records that are stored at the same time, and their characters: enough to fill group commits. A longer record is stored alone. */
const [maxAtOnce, maxCharactersAtOnce] = [512, 32 * 1024 * 1024];

/** Attempts to write a record that another process writes too. */
const maxAttempts = 10;

export type ProjectImport = ReturnType<typeof createImport>;

/** Prepares an import of a project into a store (decision 75). */
export function createImport(options: ImportOptions) {
  /** Current while `run` runs, and correct after an error. */
  const counts: ImportCounts = { created: 0, replaced: 0, unchanged: 0, refused: 0, refusals: [] };
  let underWay: Promise<void>[] = [];
  let characters = 0;

  function refuse({ id }: ResourceRecord, namespace: Namespace, why: string): void {
    counts.refused += 1;
    const what = namespace === '' ? `resource ${id}` : `${namespace.slice(1)}/${id}`;
    if (counts.refusals.length < maxRefusalsShown) counts.refusals.push(`${what}: ${why}`);
  }

  async function store(parsed: StorableResource, namespace: Namespace): Promise<void> {
    const stored = await storeRecord(options, parsed);
    if (stored.as === 'refused') refuse(parsed.record, namespace, stored.why);
    else counts[stored.as] += 1;
    options.onProgress();
  }

  async function take(text: string, header: Header): Promise<Trailer | undefined> {
    const line = readLine(text);
    if (line.kind === 'trailer') return line.trailer;
    const parsed = readDocuments(moveRecord(line, header.project, options.project));
    if (underWay.length >= maxAtOnce || characters + text.length > maxCharactersAtOnce) await settle();
    const stored = store(parsed, line.namespace);
    // The error is thrown when all are awaited.
    stored.catch(() => {});
    underWay.push(stored);
    characters += text.length;
    return undefined;
  }

  /** Waits for all that are under way. Throws their first error. */
  async function settle(): Promise<void> {
    const settled = await Promise.allSettled(underWay);
    [underWay, characters] = [[], 0];
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  /**
   * Imports a file. Throws `ExportFileError` if it is damaged or truncated; everything before that is imported, and a
   * second run continues from there, as it finds those records unchanged.
   */
  async function run(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      await readFile(chunks, options.onHeader, take);
    } finally {
      await settle();
    }
  }

  return { counts, run };
}

/** Reads a file line by line and compares it with its trailer. */
async function readFile(
  chunks: AsyncIterable<Uint8Array>,
  onHeader: (header: Header) => void,
  take: (text: string, header: Header) => Promise<Trailer | undefined>,
): Promise<void> {
  const digest = createHash('sha256');
  let number = 0;
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  for await (const line of splitLines(chunks)) {
    number += 1;
    if (trailer) throw new ExportFileError(`line ${number}: the file should have ended before it`);
    const text = Buffer.from(line.bytes.buffer, line.bytes.byteOffset, line.bytes.byteLength).toString('utf8');
    await atLine(number, line, async () => {
      if (header) trailer = await take(text, header);
      else {
        header = readHeader(text);
        onHeader(header);
      }
    });
    if (!trailer) digest.update(line.bytes).update('\n');
  }
  if (number === 0) throw new ExportFileError('the file is empty');
  if (!trailer) throw new ExportFileError(`the file ends after line ${number} without its last line: it is truncated`);
  compareTrailer(trailer, number - 2, digest.digest('hex'));
}

/** Adds the number of the line to an error, and whether the file ends in it. */
async function atLine(number: number, { whole }: FileLine, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ExportFileError)) throw error;
    if (!whole) throw new ExportFileError(`the file ends in the middle of line ${number}: it is truncated`);
    throw new ExportFileError(`line ${number}: ${error.message}`);
  }
}

function compareTrailer({ records, sha256 }: Trailer, found: number, digest: string): void {
  if (records !== found) {
    throw new ExportFileError(`the file should have ${records} records and has ${found}: lines were lost or added`);
  }
  if (sha256 !== digest) throw new ExportFileError('the file does not match its checksum: lines were changed or moved');
}

/** The record with its documents, if the service could have stored them itself. */
function readDocuments(record: ResourceRecord): StorableResource {
  const parsed = parseDocuments(record);
  const { resource, documents } = parsed;
  for (const document of Object.values(documents) as readonly JsonObject[]) {
    const name = (['id', 'key', 'version'] as const).find((each) => document[each] !== record[each]);
    if (name) throw new ExportFileError(`the document of ${record.id} has another ${name} than its record`);
  }
  try {
    // The text is stored as it is, so it must not say a name twice.
    for (const text of [record.current, record.staged]) if (text !== undefined) scanJson(text, 'unlimited');
    const own = resource.staged === undefined ? [resource.current] : [resource.current, resource.staged];
    return { ...parsed, record: checkStorable(record, own, documents) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { detailedErrorMessage } = error.details;
    throw new ExportFileError(`the document of ${record.id}: ${detailedErrorMessage ?? error.message}`);
  }
}

function parseDocuments(record: ResourceRecord): StoredResource {
  try {
    return parseRecord(record);
  } catch {
    throw new ExportFileError(`the document of ${record.id} is not a JSON object`);
  }
}

type Stored = { readonly as: 'created' | 'replaced' | 'unchanged' } | { readonly as: 'refused'; readonly why: string };

/** Stores a record unless it exists. */
async function storeRecord(options: ImportOptions, parsed: StorableResource): Promise<Stored> {
  const { projectKey, id, key } = parsed.record;
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const present = await options.store.get(projectKey, id);
    if (present && isSame(present, parsed.record)) return { as: 'unchanged' };
    if (present && !options.overwrite) return { as: 'refused', why: differenceOf(present, parsed.record) };
    const outcome = await options.store.commit(changeOf(present, parsed, options.nowMs()));
    if (outcome === 'committed') return { as: present ? 'replaced' : 'created' };
    if (outcome === 'keyTaken') return { as: 'refused', why: `another resource has its key “${key}”` };
  }
  return { as: 'refused', why: 'another process keeps changing it' };
}

function differenceOf(present: ResourceRecord, { version }: ResourceRecord): string {
  return `it exists and differs (version ${present.version} there, ${version} in the file)`;
}

function isSame(a: ResourceRecord, b: ResourceRecord): boolean {
  return a.version === b.version && a.key === b.key && a.current === b.current && a.staged === b.staged;
}

/** The history does not move: the log of the project begins with this change, which no client has made. */
function changeOf(
  present: ResourceRecord | undefined,
  { record: next, documents: after }: StorableResource,
  nowMs: number,
): Change {
  const made = { cause: 'import', at: new Date(nowMs).toISOString(), clientId: '' } as const;
  if (!present) return { kind: 'create', next, after, origin: { type: 'created', ...made } };
  const before = parseRecord(present).documents;
  const origin = { type: 'updated', ...made } as const;
  const expected = { expectedVersion: present.version, expectedIncarnation: present.incarnation };
  return { kind: 'update', ...expected, next, before, after, origin };
}
