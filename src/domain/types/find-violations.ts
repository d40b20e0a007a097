import { errorBody, ServiceError, ServiceErrors } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { stringifyJson } from '../json/parse.ts';
import type { ResourceStore } from '../ports/resource-store.ts';
import { scanIntact } from '../resource/read/scan-intact.ts';
import { parseRecord, type StoredResource } from '../resource/resource.ts';
import { turnOver } from '../turns.ts';
import { errorsOf } from './gate.ts';
import { marksOf, type ReferenceMark } from './marks.ts';
import type { ProjectTypes } from './project-types.ts';
import * as refusals from './refusals.ts';
import { typeOf } from './settings.ts';

const portion = 100;

/** More unique values are not kept in memory: of those behind them no duplicates are found, and the summary says so. */
const maxValues = 1_000_000;

/**
 * What does not fit types in the resources of a project, as lines of JSON: one for each resource, and a summary as the last one. It
 * changes nothing.
 */
export async function* findViolations(
  store: Pick<ResourceStore, 'scan' | 'get' | 'getByKey'>,
  projectKey: string,
  types: ProjectTypes,
): AsyncGenerator<string> {
  const owners = new Map<string, string>();
  let [resources, violating] = [0, 0];
  for (let after: string | undefined; ; ) {
    const records = await scanIntact(store, projectKey, after, portion);
    if (records.length === 0) break;
    const lines: string[] = [];
    for (const record of records) {
      const resource = parseRecord(record);
      const errors = await errorsIn(resource, types, owners, store);
      resources += 1;
      if (errors.length > 0) {
        violating += 1;
        lines.push(lineOf(resource, types, errors));
      }
      const over = turnOver();
      if (over) await over;
    }
    if (lines.length > 0) yield lines.join('');
    after = records.at(-1)!.id;
  }
  yield `${JSON.stringify({ complete: true, resources, violating, allUniqueChecked: owners.size < maxValues })}\n`;
}

function lineOf({ record, documents }: StoredResource, types: ProjectTypes, errors: readonly ServiceError[]): string {
  const { id, key, version } = record;
  const { errors: told } = errorBody(new ServiceErrors(errors));
  const type = typeOf(documents.current, types.declared);
  const line = { id, ...(key !== undefined && { key }), version, ...(type !== undefined && { type }), errors: told };
  return `${stringifyJson(line as unknown as JsonObject)}\n`;
}

async function errorsIn(
  { record, documents }: StoredResource,
  types: ProjectTypes,
  owners: Map<string, string>,
  store: Pick<ResourceStore, 'get' | 'getByKey'>,
): Promise<readonly ServiceError[]> {
  const found = new Map<string, ServiceError>();
  const add = (error: ServiceError) => found.set(error.message, error);
  for (const error of errorsOfAny(documents.current, types, false)) add(error);
  if (documents.staged) for (const error of errorsOfAny(documents.staged, types, true)) add(error);
  const { unique, repeated, references } = marksOf(documents, types.declared);
  for (const each of repeated) add(refusals.repeated(each));
  for (const each of unique) {
    const owner = owners.get(each.mark);
    if (owner !== undefined) add(refusals.duplicate(each, owner));
    else if (owners.size < maxValues) owners.set(each.mark, record.id);
  }
  for (const reference of references) {
    const error = await errorOfReference(reference, record.projectKey, types, store);
    if (error) add(error);
  }
  return [...found.values()];
}

/** The errors of a document; that its schema takes too long for it is one as well, and ends nothing. */
function errorsOfAny(document: JsonObject, types: ProjectTypes, isPartial: boolean): readonly ServiceError[] {
  try {
    return errorsOf(document, types, isPartial);
  } catch (error) {
    if (error instanceof ServiceError) return [error];
    throw error;
  }
}

async function errorOfReference(
  reference: ReferenceMark,
  projectKey: string,
  types: ProjectTypes,
  store: Pick<ResourceStore, 'get' | 'getByKey'>,
): Promise<ServiceError | undefined> {
  const { by, name, type } = reference;
  const target = await (by === 'id' ? store.get(projectKey, name) : store.getByKey(projectKey, name));
  if (!target) return refusals.notFound(reference);
  const own = typeOf(parseRecord(target).documents.current, types.declared);
  return own === type ? undefined : refusals.ofOtherType(reference, target);
}
