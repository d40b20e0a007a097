import type { JsonObject, JsonValue } from '../contract/json.ts';
import { deferredIdsOf, deferredProject } from '../domain/image/deferred.ts';
import { inOtherProject } from '../domain/image/variant.ts';
import { parseStoredJson, stringifyJson } from '../domain/json/parse.ts';
import { isJsonObject } from '../domain/json/values.ts';
import type { ResourceRecord } from '../domain/ports/resource-store.ts';
import { type MovedRecord, MoveFileError, type Namespace } from './file-format.ts';

/** Where the records of a namespace of a project are in a store. */
export interface Place {
  readonly projectKey: string;
  /** What their ids begin with; others may be beside them. */
  readonly idPrefix: string;
}

/** Under the key of the project and a suffix; what is of all projects in one place, by the ids there. */
export function placeOf(namespace: Namespace, project: string): Place {
  if (namespace === '~renditions') return { projectKey: deferredProject, idPrefix: deferredIdsOf(project) };
  return { projectKey: project + namespace, idPrefix: '' };
}

/**
 * A record of a file as it is to be in the project: the same in every byte, except for what names the project where that
 * has another name. These are the addresses of images in variants, and what notes of renditions are about.
 */
export function placeRecord(
  { namespace, record }: { readonly namespace: Namespace; readonly record: MovedRecord },
  from: string,
  project: string,
): ResourceRecord {
  const place = placeOf(namespace, project);
  const { idPrefix } = placeOf(namespace, from);
  if (!record.id.startsWith(idPrefix)) throw new MoveFileError(`${record.id} is of another project than ${from}`);
  const id = place.idPrefix + record.id.slice(idPrefix.length);
  const { projectKey } = place;
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
  throw new MoveFileError(`the document of ${id} is no JSON object`);
}

function parsed(text: string): JsonValue {
  try {
    return parseStoredJson(text);
  } catch {
    return null;
  }
}
