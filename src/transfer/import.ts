import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json.ts';
import { type Line, linesOf } from '../domain/bulk/lines.ts';
import { inOtherProject } from '../domain/image/variant.ts';
import { stringifyJson } from '../domain/json/parse.ts';
import { scanJson } from '../domain/json/scan.ts';
import type { Change, ResourceRecord, ResourceStore } from '../domain/ports/resource-store.ts';
import {
  checkStorable,
  parseRecord,
  type StorableResource,
  type StoredResource,
  serializeResource,
} from '../domain/resource/resource.ts';
import { decideRecord, serviceContext } from '../domain/resource/write/companion-record.ts';
import type { Decision } from '../domain/resource/write/decision.ts';
import type { Gate } from '../domain/resource/write/gate.ts';
import { ExportFileError, type Header, type Namespace, readHeader, readLine, type Trailer } from './file-format.ts';

export interface ImportOptions {
  readonly store: Pick<ResourceStore, 'get' | 'getByKey' | 'commit'>;
  /** Holds resources to the types that the project has already. */
  readonly gate?: Gate | undefined;
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

/** Enough for two projections of the largest size that the settings allow, escaped. */
const longestLine = 96 * 1024 * 1024;

/** Attempts to write a record that another process writes too. */
const maxAttempts = 10;

export type ProjectImport = ReturnType<typeof createImport>;

/** Prepares an import of a project into a store (decision 75). */
export function createImport(options: ImportOptions) {
  /** Current while `run` runs, and correct after an error. */
  const counts: ImportCounts = { created: 0, replaced: 0, unchanged: 0, refused: 0, refusals: [] };
  function refuse({ id }: ResourceRecord, namespace: Namespace, why: string): void {
    counts.refused += 1;
    const what = namespace === '' ? `resource ${id}` : `${namespace.slice(1)}/${id}`;
    if (counts.refusals.length < maxRefusalsShown) counts.refusals.push(`${what}: ${why}`);
  }

  async function store(parsed: StorableResource, namespace: Namespace): Promise<void> {
    const stored = await storeRecord(options, parsed, namespace);
    if (stored.as === 'refused') refuse(parsed.record, namespace, stored.why);
    else counts[stored.as] += 1;
    options.onProgress();
  }

  /**
   * Imports a file, the records of a portion at the same time. Throws `ExportFileError` if it is damaged or truncated;
   * everything before that is imported, and a second run continues from there, as it finds those records unchanged.
   */
  async function run(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const digest = createHash('sha256');
    let last = 0;
    let header: Header | undefined;
    let trailer: Trailer | undefined;
    for await (const lines of linesOf(chunks, longestLine)) {
      const storing: Promise<void>[] = [];
      try {
        for (const line of lines) {
          last = line.number;
          if (trailer) throw new ExportFileError(`line ${last}: the file should have ended before it`);
          const from = header?.project;
          if (from === undefined) {
            header = atLine(line, readHeader);
            options.onHeader(header);
          } else {
            const read = atLine(line, (text) => readRecord(text, from, options.project));
            if ('parsed' in read) storing.push(store(read.parsed, read.namespace));
            else trailer = read.trailer;
          }
          if (!trailer) digest.update(line.bytes!).update('\n');
        }
      } finally {
        await allOf(storing);
      }
    }
    if (last === 0) throw new ExportFileError('the file is empty');
    if (!trailer) throw new ExportFileError(`the file ends after line ${last} without its last line: it is truncated`);
    compareTrailer(trailer, last - 2, digest.digest('hex'));
  }

  return { counts, run };
}

/** Waits for all. Throws their first error. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(work);
  for (const each of settled) if (each.status === 'rejected') throw each.reason;
}

/** Reads a line. Adds its number to an error, and whether the file ends in it. */
function atLine<T>({ number, bytes, isWhole }: Line, read: (text: string) => T): T {
  if (!bytes) throw new ExportFileError(`line ${number} is longer than any record; this is not an export`);
  try {
    return read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (error) {
    if (!(error instanceof ExportFileError)) throw error;
    if (!isWhole) throw new ExportFileError(`the file ends in the middle of line ${number}: it is truncated`);
    throw new ExportFileError(`line ${number}: ${error.message}`);
  }
}

function compareTrailer({ records, sha256 }: Trailer, found: number, digest: string): void {
  if (records !== found) {
    throw new ExportFileError(`the file should have ${records} records and has ${found}: lines were lost or added`);
  }
  if (sha256 !== digest) throw new ExportFileError('the file does not match its checksum: lines were changed or moved');
}

/** The trailer, or a record for the project with its documents, if the service could have stored them itself. */
function readRecord(text: string, from: string, project: string) {
  const line = readLine(text);
  if (line.kind === 'trailer') return line;
  const { namespace } = line;
  const record: ResourceRecord = { ...line.record, projectKey: project + namespace };
  const read = parseDocuments(record);
  const parsed = from === project || namespace !== '~images' ? read : inProject(read, project);
  const { resource, documents } = parsed;
  for (const document of Object.values(documents) as readonly JsonObject[]) {
    const name = (['id', 'key', 'version'] as const).find((each) => document[each] !== record[each]);
    if (name) throw new ExportFileError(`the document of ${record.id} has another ${name} than its record`);
  }
  try {
    // The text is stored as it is, so it must not say a name twice.
    for (const text of [record.current, record.staged]) if (text !== undefined) scanJson(text, 'unlimited');
    const own = resource.staged === undefined ? [resource.current] : [resource.current, resource.staged];
    return { namespace, parsed: { ...parsed, record: checkStorable(parsed.record, own, documents) } };
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

/** A variant with the addresses that its images have in another project; the rest is the same in every byte. */
function inProject({ record, documents: { current, staged } }: StoredResource, project: string): StoredResource {
  const moved = (document: JsonObject) => stringifyJson(inOtherProject(document, project));
  return parseRecord({ ...record, current: moved(current), staged: staged && moved(staged) });
}

type Stored = { readonly as: 'created' | 'replaced' | 'unchanged' } | { readonly as: 'refused'; readonly why: string };

/** Stores a record unless it exists. */
async function storeRecord(options: ImportOptions, parsed: StorableResource, namespace: Namespace): Promise<Stored> {
  const { store, overwrite, gate } = options;
  const { projectKey, id, key } = parsed.record;
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const present = await store.get(projectKey, id);
    if (present && isSame(present, parsed.record)) return { as: 'unchanged' };
    const decision = decide(present, parsed, namespace, options.nowMs());
    const admitted = await admit(decision, options);
    if (admitted instanceof ServiceError) return { as: 'refused', why: admitted.message };
    // A hook may have changed it when it was moved in before.
    if (present && isSame(present, admitted.outcome.record)) return { as: 'unchanged' };
    if (present && !overwrite) return { as: 'refused', why: differenceOf(present, parsed.record) };
    const outcome = admitted.change ? await store.commit(admitted.change) : 'committed';
    if (outcome === 'committed') return { as: present ? 'replaced' : 'created' };
    if (outcome === 'keyTaken') return { as: 'refused', why: `another resource has its key “${key}”` };
    if (outcome === 'rulesBroken') gate?.forget(projectKey);
  }
  return { as: 'refused', why: 'another process keeps changing it' };
}

async function admit(decision: Decision, { gate, store }: ImportOptions): Promise<Decision | ServiceError> {
  if (!gate) return decision;
  const get: ResourceStore['get'] = (...target) => store.get(...target);
  const getByKey: ResourceStore['getByKey'] = (...target) => store.getByKey(...target);
  try {
    return await gate.admit(decision, { get, getByKey, marked: gate.marked });
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return error;
    throw error;
  }
}

/** Settings go on with the versions that the project has: writers that know a later one would refuse an earlier one. */
function decide(
  present: ResourceRecord | undefined,
  parsed: StorableResource,
  namespace: Namespace,
  nowMs: number,
): Decision {
  if (present && namespace === '~settings') {
    const { projectKey, id } = present;
    const context = serviceContext('', new Date(nowMs).toISOString());
    return decideRecord(projectKey, id, parseRecord(present), parsed.resource.current, context);
  }
  const outcome = {
    kind: present ? 'updated' : 'created',
    record: parsed.record,
    documents: parsed.documents,
  } as const;
  const again: Decision['again'] = (documents) =>
    decide(present, serializeResource({ ...parsed.resource, ...documents }), namespace, nowMs);
  return { outcome, change: changeOf(present, parsed, nowMs), again };
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
