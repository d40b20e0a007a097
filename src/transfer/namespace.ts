import type { JsonObject, JsonValue } from '../contract/json.ts';
import { inOtherProject } from '../domain/image/variant.ts';
import { parseStoredJson, stringifyJson } from '../domain/json/parse.ts';
import { isJsonObject } from '../domain/json/values.ts';
import type { ResourceRecord } from '../domain/ports/resource-store.ts';
import { ExportFileError, type FileRecord, type Namespace } from './file-format.ts';

/** A record of a file for the project: the same in every byte, except for the addresses of images in variants if its name differs. */
export function moveRecord(
  { namespace, record }: { readonly namespace: Namespace; readonly record: FileRecord },
  from: string,
  project: string,
): ResourceRecord {
  const projectKey = project + namespace;
  if (from === project || namespace !== '~images') return { ...record, projectKey };
  const { id, current, staged } = record;
  const moved = (text: string) => stringifyJson(inOtherProject(parseDocument(text, id), project));
  return { ...record, projectKey, current: moved(current), staged: staged && moved(staged) };
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
