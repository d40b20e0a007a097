import { crc32 } from 'node:zlib';
import { isProjectKey } from '../contract/scopes.ts';
import { canonicalInstant } from '../domain/instant.ts';
import type { ResourceRecord, VersionChange } from '../domain/ports/resource-store.ts';

/**
 * The file in which a project moves between stores (decision 75): JSON values, one on each line. First a header, then
 * each record with a checksum of its own, last a trailer with their number and a digest of all lines before it. Documents
 * are texts inside of texts, so that not a byte of them changes on the way.
 */
const formatName = 'grs-project';

/** Raised when an older reader would misread what a newer writer writes. Version 1 has no `~renditions`. */
export const formatVersion = 2;

const readableVersions: readonly unknown[] = [1, formatVersion];

/**
 * What a project keeps: its resources, and the rest beside them (place.ts). Renditions still to be made come after the
 * images: what has been made between the two has its files.
 */
export const namespaces = ['', '~images', '~backend', '~renditions'] as const;

export type Namespace = (typeof namespaces)[number];

/** A record apart from the project that it is in. */
export type MovedRecord = Omit<ResourceRecord, 'projectKey'>;

export interface Header {
  readonly project: string;
  /** ISO 8601 in UTC. */
  readonly exportedAt: string;
}

export interface Trailer {
  readonly records: number;
  /** SHA-256, hex, of all bytes before the trailer. */
  readonly sha256: string;
}

type Line =
  | { readonly kind: 'record'; readonly namespace: Namespace; readonly record: MovedRecord }
  | { readonly kind: 'trailer'; readonly trailer: Trailer };

/** The file is not one that can be imported, or not all of it. The message goes on after “line 7: ”. */
export class MoveFileError extends Error {}

/** The first line. */
export function writeHeader({ project, exportedAt }: Header): string {
  return `${JSON.stringify({ format: formatName, formatVersion, project, exportedAt })}\n`;
}

/** The line of a record. */
export function writeRecord(namespace: Namespace, record: ResourceRecord): string {
  const { id, key, version, createdAt, lastModifiedAt, current, staged } = record;
  const history = record.history.map((change) => [change.version, change.fields]);
  const body = { namespace, id, key, version, createdAt, lastModifiedAt, current, staged, history };
  const text = JSON.stringify(body);
  return `{"crc32":"${checksum(text)}","record":${text}}\n`;
}

/** The last line. */
export function writeTrailer(trailer: Trailer): string {
  return `${JSON.stringify({ end: trailer })}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

type Fields = { readonly [name: string]: unknown };

function parseFields(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (isFields(value)) return value;
  } catch {
    // Told below.
  }
  throw new MoveFileError('a JSON object expected');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the first line. Throws `MoveFileError` where it is not that of a file this version of the service can read. */
export function readHeader(line: string): Header {
  const value = line.startsWith('{"format":') ? parseFields(line) : {};
  if (value.format !== formatName) {
    throw new MoveFileError(
      'this is no export of a project: its first line should be the header that “grs export” writes',
    );
  }
  if (!readableVersions.includes(value.formatVersion)) {
    throw new MoveFileError(
      `the file has format version ${value.formatVersion}, this version of the service reads ${readableVersions.join(' and ')}; import it with the version that wrote it, or a newer one`,
    );
  }
  const { project, exportedAt } = value;
  if (typeof project !== 'string' || !isProjectKey(project) || typeof exportedAt !== 'string') {
    throw new MoveFileError('a header with project and exportedAt expected');
  }
  return { project, exportedAt };
}

/** Reads any further line. Throws `MoveFileError` where it is not as it was written. */
export function readLine(line: string): Line {
  const { crc32: told, record, end } = parseFields(line);
  if (isFields(end)) {
    const { records, sha256 } = end;
    if (typeof records !== 'number' || typeof sha256 !== 'string') {
      throw new MoveFileError('an end with records and sha256 expected');
    }
    return { kind: 'trailer', trailer: { records, sha256 } };
  }
  if (!isFields(record)) throw new MoveFileError('a record or the end expected');
  if (checksum(JSON.stringify(record)) !== told) {
    throw new MoveFileError('the record does not match its checksum; it was damaged or edited');
  }
  return { kind: 'record', ...readRecord(record) };
}

/** The checksum holds, so this is what some writer meant; the types are looked at all the same. */
function readRecord(fields: Fields): { readonly namespace: Namespace; readonly record: MovedRecord } {
  const { id, key, version, createdAt, lastModifiedAt, current, staged, history } = fields;
  const namespace = namespaces.find((name) => name === fields.namespace);
  if (namespace === undefined)
    throw new MoveFileError(`the namespace ${JSON.stringify(fields.namespace)} is not known`);
  const texts = [id, createdAt, lastModifiedAt, current].every((text) => typeof text === 'string' && text !== '');
  const isOptionalText = (text: unknown) => text === undefined || (typeof text === 'string' && text !== '');
  const isVersion = Number.isSafeInteger(version) && (version as number) >= 1;
  if (!texts || !isOptionalText(key) || !isOptionalText(staged) || !isVersion) {
    throw new MoveFileError('a record with id, version, createdAt, lastModifiedAt, current and history expected');
  }
  const times = { createdAt: readInstant(fields, 'createdAt'), lastModifiedAt: readInstant(fields, 'lastModifiedAt') };
  const record = { id, key, version, ...times, current, staged, history: readHistory(history) };
  return { namespace, record: record as MovedRecord };
}

/** Stores order by it, whatever form it was written in; documents keep that form. */
function readInstant(fields: Fields, name: 'createdAt' | 'lastModifiedAt'): string {
  const instant = canonicalInstant(fields[name] as string);
  if (instant !== undefined) return instant;
  throw new MoveFileError(`${name} of ${fields.id}: a point in time expected, such as 2026-01-02T03:04:05Z`);
}

function readHistory(history: unknown): readonly VersionChange[] {
  const isText = (value: unknown) => typeof value === 'string';
  const isChange = (value: unknown): value is [number, string[]] =>
    Array.isArray(value) && Number.isSafeInteger(value[0]) && Array.isArray(value[1]) && value[1].every(isText);
  if (!Array.isArray(history) || !history.every(isChange)) throw new MoveFileError('a history of versions expected');
  return history.map(([version, fields]) => ({ version, fields }));
}
