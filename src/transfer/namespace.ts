import type { JsonObject, JsonValue } from '../contract/json.ts';
import { deferredIdsOf, deferredProject } from '../domain/image/deferred.ts';
import { inOtherProject } from '../domain/image/variant.ts';
import { parseStoredJson, stringifyJson } from '../domain/json/parse.ts';
import { isJsonObject } from '../domain/json/values.ts';
import type { ResourceRecord } from '../domain/ports/resource-store.ts';
import { ExportFileError, type FileRecord, type Namespace } from './file-format.ts';

/** Where a store has the records of a namespace of a project. */
interface Location {
  readonly projectKey: string;
  /** The prefix of their ids; the project may hold other records. */
  readonly idPrefix: string;
}

/** The project key with a suffix; or for records that all projects share one project for, the prefix of their ids. */
export function locationOf(namespace: Namespace, project: string): Location {
  if (namespace === '~renditions') return { projectKey: deferredProject, idPrefix: deferredIdsOf(project) };
  return { projectKey: project + namespace, idPrefix: '' };
}

/**
 * A record of a file for the project: the same in every byte, except for what names the project if its name differs.
 * These are the addresses of images in variants, and the ids of renditions to be made.
 */
export function moveRecord(
  { namespace, record }: { readonly namespace: Namespace; readonly record: FileRecord },
  from: string,
  project: string,
): ResourceRecord {
  const { idPrefix } = locationOf(namespace, from);
  if (!record.id.startsWith(idPrefix)) throw new ExportFileError(`${record.id} is not of the project ${from}`);
  const target = locationOf(namespace, project);
  const id = target.idPrefix + record.id.slice(idPrefix.length);
  const { projectKey } = target;
  if (from === project) return { ...record, projectKey };
  const change = changeIn(namespace, id, project);
  const { current, staged } = record;
  return { ...record, projectKey, id, current: change(current), staged: staged && change(staged) };
}

function changeIn(namespace: Namespace, id: string, project: string): (text: string) => string {
  const by = (change: (document: JsonObject) => JsonObject) => (text: string) =>
    stringifyJson(change(parseDocument(text, id)));
  if (namespace === '~images') return by((document) => inOtherProject(document, project));
  if (namespace === '~renditions') return by((document) => ({ ...document, id }));
  return (text) => text;
}

function parseDocument(text: string, id: string): JsonObject {
  const document = parsed(text);
  if (isJsonObject(document)) return document;
  throw new ExportFileError(`the document of ${id} is not a JSON object`);
}

function parsed(text: string): JsonValue {
  try {
    return parseStoredJson(text);
  } catch {
    return null;
  }
}
