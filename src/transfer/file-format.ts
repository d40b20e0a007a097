import { crc32 } from 'node:zlib';
import { isProjectKey } from '../contract/scopes.ts';
import { canonicalInstant } from '../domain/instant.ts';
import type { ResourceRecord } from '../domain/ports/resource-store.ts';
import { changesOf, historyOf, type VersionChange } from '../domain/resource/resource.ts';

/**
 * The file that moves a project between stores (decision 75): one JSON value per line. First a header, then each record
 * with its checksum, last a trailer with their number and a digest of all lines before it. Documents are strings, so that
 * not a byte of them changes on the way.
 */
const formatName = 'grs-project';

/** Raised when older readers would misread the file. */
const formatVersion = 3;

/** The data of a project: its resources, and its companion projects. */
export const namespaces = ['', '~images', '~backend', '~settings', '~sessions'] as const;

export type Namespace = (typeof namespaces)[number];

/** A record without its project. */
export type FileRecord = Omit<ResourceRecord, 'projectKey'>;

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
  | { readonly kind: 'record'; readonly namespace: Namespace; readonly record: FileRecord }
  | { readonly kind: 'trailer'; readonly trailer: Trailer };

/** The file is not an export, or is damaged. The message follows “line 7: ”. */
export class ExportFileError extends Error {}

/** The first line. */
export function writeHeader({ project, exportedAt }: Header): string {
  return `${JSON.stringify({ format: formatName, formatVersion, project, exportedAt })}\n`;
}

/** The line of a record. */
export function writeRecord(namespace: Namespace, record: ResourceRecord): string {
  const { id, key, version, createdAt, lastModifiedAt, current, staged, incarnation } = record;
  const changes = changesOf(record.history).map((change) => [change.version, change.fields]);
  // The incarnation is an entry of version 0, which no version looks for, as in the stores.
  const history = incarnation === undefined ? changes : [...changes, [0, [incarnation]]];
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
    // The error below says what is expected.
  }
  throw new ExportFileError('expected a JSON object');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses the first line. Throws `ExportFileError` if this version of the service cannot read the file. */
export function readHeader(line: string): Header {
  const value = line.startsWith('{"format":') ? parseFields(line) : {};
  if (value.format !== formatName) {
    throw new ExportFileError(
      'not a file of “npx grs project move-out”, which begins with a header; for CSV and for a resource in each line there is “npx grs import --url”, beside the running service',
    );
  }
  if (value.formatVersion !== formatVersion) {
    throw new ExportFileError(
      `the file has format version ${value.formatVersion}, but this version of the service reads ${formatVersion}; import it with the version that wrote it`,
    );
  }
  const { project, exportedAt } = value;
  if (typeof project !== 'string' || !isProjectKey(project) || typeof exportedAt !== 'string') {
    throw new ExportFileError('expected a header with project and exportedAt');
  }
  return { project, exportedAt };
}

/** Parses any further line. Throws `ExportFileError` if it was changed. */
export function readLine(line: string): Line {
  const { crc32: told, record, end } = parseFields(line);
  if (isFields(end)) {
    const { records, sha256 } = end;
    if (typeof records !== 'number' || typeof sha256 !== 'string') {
      throw new ExportFileError('expected an end with records and sha256');
    }
    return { kind: 'trailer', trailer: { records, sha256 } };
  }
  if (!isFields(record)) throw new ExportFileError('expected a record or the end');
  if (checksum(JSON.stringify(record)) !== told) {
    throw new ExportFileError('the record does not match its checksum; it was damaged or edited');
  }
  return { kind: 'record', ...readRecord(record) };
}

/** The checksum matches, so a writer wrote this record; its types are checked all the same. */
function readRecord(fields: Fields): { readonly namespace: Namespace; readonly record: FileRecord } {
  const { id, key, version, createdAt, lastModifiedAt, current, staged, history } = fields;
  const namespace = namespaces.find((name) => name === fields.namespace);
  if (namespace === undefined) throw new ExportFileError(`unknown namespace ${JSON.stringify(fields.namespace)}`);
  const texts = [id, createdAt, lastModifiedAt, current].every((text) => typeof text === 'string' && text !== '');
  const isOptionalText = (text: unknown) => text === undefined || (typeof text === 'string' && text !== '');
  const isVersion = Number.isSafeInteger(version) && (version as number) >= 1;
  if (!texts || !isOptionalText(key) || !isOptionalText(staged) || !isVersion) {
    throw new ExportFileError('expected a record with id, version, createdAt, lastModifiedAt, current and history');
  }
  const times = { createdAt: readInstant(fields, 'createdAt'), lastModifiedAt: readInstant(fields, 'lastModifiedAt') };
  const record = { id, key, version, ...times, current, staged, ...readHistory(history) };
  return { namespace, record: record as FileRecord };
}

/** The canonical form of an instant, by which stores order; documents keep the written form. */
function readInstant(fields: Fields, name: 'createdAt' | 'lastModifiedAt'): string {
  const instant = canonicalInstant(fields[name] as string);
  if (instant !== undefined) return instant;
  throw new ExportFileError(`${name} of ${fields.id}: expected a point in time, such as 2026-01-02T03:04:05Z`);
}

function readHistory(history: unknown): Pick<FileRecord, 'history' | 'incarnation'> {
  const isText = (value: unknown) => typeof value === 'string';
  const isChange = (value: unknown): value is [number, string[]] =>
    Array.isArray(value) && Number.isSafeInteger(value[0]) && Array.isArray(value[1]) && value[1].every(isText);
  if (!Array.isArray(history) || !history.every(isChange)) throw new ExportFileError('expected a history of versions');
  const changes = history.map(([version, fields]): VersionChange => ({ version, fields }));
  const incarnation = changes.find(({ version }) => version === 0)?.fields[0];
  return { history: historyOf(changes.filter(({ version }) => version > 0)), incarnation };
}
