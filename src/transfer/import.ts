import { createHash } from 'node:crypto';
import type { Change, ResourceRecord, ResourceStore } from '../domain/ports/resource-store.ts';
import { parseRecord, type StoredResource } from '../domain/resource/resource.ts';
import { createWindow } from './bounded-concurrency.ts';
import { type Header, MoveFileError, type Namespace, readHeader, readLine, type Trailer } from './file-format.ts';
import { placeRecord } from './namespace.ts';
import { type FileLine, splitLines } from './read-lines.ts';

export interface ImportOptions {
  readonly store: Pick<ResourceStore, 'get' | 'commit'>;
  /** The project to import into, whatever the one in the file is called. */
  readonly project: string;
  /** Replace records that are there and differ. */
  readonly overwrite: boolean;
  /** Told what the file is before anything is written. */
  readonly onHeader: (header: Header) => void;
  /** Told after each record. */
  readonly onProgress: () => void;
}

/** What became of the records so far. `created`, `replaced` and `unchanged` ones are durable. */
export interface ImportCounts {
  created: number;
  replaced: number;
  /** They were there already, the same in every text. */
  unchanged: number;
  /** They were there and are others, or their key is taken; left as they are. */
  refused: number;
  /** What was refused and why, the first ones of them. */
  readonly refusals: string[];
}

/** Refusals that are told one by one. */
const mostTold = 20;

/** Enough commits at once to fill group commits; documents of a common size stay far below the bytes. */
const bounds = { most: 512, largest: 32 * 1024 * 1024 };

/** Another process that writes the same records can win this often before an import leaves one to it. */
const mostTries = 10;

export interface ProjectImport {
  /** Kept up to date while `run` runs, and right when it has thrown. */
  readonly counts: ImportCounts;
  /**
   * Imports a file. Throws `MoveFileError` where it is damaged or not whole; what stands before that place is imported,
   * and a second run goes on from there, as it finds those records unchanged.
   */
  run(chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Prepares an import of a project into a store (decision 75). */
export function createImport(options: ImportOptions): ProjectImport {
  const counts: ImportCounts = { created: 0, replaced: 0, unchanged: 0, refused: 0, refusals: [] };
  const window = createWindow(bounds);

  function refuse({ id }: ResourceRecord, namespace: Namespace, why: string): void {
    counts.refused += 1;
    const what = namespace === '' ? `resource ${id}` : `${namespace.slice(1)}/${id}`;
    if (counts.refusals.length < mostTold) counts.refusals.push(`${what}: ${why}`);
  }

  async function keep(kept: StoredResource, namespace: Namespace): Promise<void> {
    const stored = await storeRecord(options, kept, namespace);
    if (stored.as === 'refused') refuse(kept.record, namespace, stored.why);
    else counts[stored.as] += 1;
    options.onProgress();
  }

  async function take(text: string, header: Header): Promise<Trailer | undefined> {
    const line = readLine(text);
    if (line.kind === 'trailer') return line.trailer;
    const kept = readDocuments(placeRecord(line, header.project, options.project));
    await window.run(text.length, () => keep(kept, line.namespace));
    return undefined;
  }

  async function run(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      await readFile(chunks, options.onHeader, take);
    } finally {
      await window.drain();
    }
  }

  return { counts, run };
}

/** Reads a file line by line to its end, and compares it with its trailer. */
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
    if (trailer) throw new MoveFileError(`line ${number}: the file should have ended before it`);
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
  if (number === 0) throw new MoveFileError('the file is empty');
  if (!trailer) throw new MoveFileError(`the file ends after line ${number} without its last line: it is truncated`);
  compareTrailer(trailer, number - 2, digest.digest('hex'));
}

/** Tells the line of a mistake, and whether the file just ends there. */
async function atLine(number: number, { whole }: FileLine, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof MoveFileError)) throw error;
    if (!whole) throw new MoveFileError(`the file ends in the middle of line ${number}: it is truncated`);
    throw new MoveFileError(`line ${number}: ${error.message}`);
  }
}

function compareTrailer({ records, sha256 }: Trailer, found: number, digest: string): void {
  if (records !== found) {
    throw new MoveFileError(`the file should have ${records} records and has ${found}: lines were lost or added`);
  }
  if (sha256 !== digest) throw new MoveFileError('the file does not match its checksum: lines were changed or moved');
}

function readDocuments(record: ResourceRecord): StoredResource {
  try {
    return parseRecord(record);
  } catch {
    throw new MoveFileError(`the document of ${record.id} is no JSON object`);
  }
}

type Stored = { readonly as: 'created' | 'replaced' | 'unchanged' } | { readonly as: 'refused'; readonly why: string };

/** Stores a record unless it is there. */
async function storeRecord(options: ImportOptions, kept: StoredResource, namespace: Namespace): Promise<Stored> {
  const { projectKey, id, key } = kept.record;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const present = await options.store.get(projectKey, id);
    // A note says what is to be done, and nothing more: who has begun knows better how far that is.
    if (present && (namespace === '~renditions' || isSame(present, kept.record))) return { as: 'unchanged' };
    if (present && !options.overwrite) return { as: 'refused', why: differenceOf(present, kept.record) };
    const outcome = await options.store.commit(changeOf(present, kept));
    if (outcome === 'committed') return { as: present ? 'replaced' : 'created' };
    if (outcome === 'keyTaken') return { as: 'refused', why: `another resource has its key “${key}”` };
  }
  return { as: 'refused', why: 'something else changes it all the time' };
}

function differenceOf(present: ResourceRecord, { version }: ResourceRecord): string {
  return `it is there already and differs (version ${present.version} there, ${version} in the file)`;
}

function isSame(a: ResourceRecord, b: ResourceRecord): boolean {
  return a.version === b.version && a.key === b.key && a.current === b.current && a.staged === b.staged;
}

function changeOf(present: ResourceRecord | undefined, { record: next, documents: after }: StoredResource): Change {
  if (!present) return { kind: 'create', next, after };
  const before = parseRecord(present).documents;
  return { kind: 'update', expectedVersion: present.version, next, before, after };
}
