import { arrayTestTypeFields } from '../../../contract/array-test-type.ts';
import { agreedVersion, mismatch } from '../../../contract/check.ts';
import { type ComplexDraft, checkComplexDraft } from '../../../contract/complex.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { canonicalInstant } from '../../instant.ts';
import { stringifyJson } from '../../json/parse.ts';
import { getOwn, isJsonArray, isJsonObject } from '../../json/values.ts';
import { uuidV8 } from '../../uuid.ts';
import type { StoredResource } from '../resource.ts';
import { commitDecided, type Write, type WriteResponse } from './commit.ts';
import { type Decision, decideCreate, decideEdit, type Edit, type WriteContext } from './decision.ts';
import { editByDraft, findDraftTarget } from './draft.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';

/** Path and query parameters of E9. They become fields of the resource under these names. */
export interface ComplexParameters {
  readonly uriParameterOne: string;
  readonly uriParameterTwo: string;
  readonly queryParameterOne?: number | undefined;
  readonly queryParameterTwo?: string | undefined;
}

/** Creates or updates a resource by its complex path (E9, decision 19). */
export async function writeComplex(
  write: Write,
  parameters: ComplexParameters,
  body: JsonValue | undefined,
): Promise<WriteResponse> {
  const { store, projectKey, context, preconditions } = write;
  const given = checkComplexDraft(body);
  agreedVersion(expectedVersion(given.version), preconditions.version);
  checkInstant('createdAt', given.createdAt);
  checkInstant('lastModifiedAt', given.lastModifiedAt);
  const isUnnamed = given.id === undefined && typeof given.key !== 'string';
  // Made from the path parameters, so that concurrent requests for one pair meet on one resource.
  const id = isUnnamed ? uuidV8(parameters.uriParameterOne, parameters.uriParameterTwo) : given.id;
  const draft = { ...given, id };
  return commitDecided(write, async () => {
    const target = await findDraftTarget(store, projectKey, draft);
    return decideComplex(target, draft, parameters, preconditions, projectKey, context);
  });
}

/** Decides what a body of E9 does to its target: its fields replace those of the resource that have their names. */
export function decideComplex(
  target: StoredResource | undefined,
  draft: ComplexDraft,
  parameters: ComplexParameters,
  conditions: Preconditions,
  projectKey: string,
  context: WriteContext,
): Decision {
  const expected = expectedVersion(draft.version);
  checkPreconditions(conditions, target, expected);
  const external = draft.version === undefined || expected !== undefined ? {} : { externalVersion: draft.version };
  const fields = { ...draft.fields, ...external, ...definedOf(parameters) };
  const { createdAt, lastModifiedAt, createdBy, lastModifiedBy } = draft;
  const edit: Edit = {
    ...editByDraft(target, { key: draft.key, fields }, 'replaceFields'),
    createdAt,
    lastModifiedAt,
    createdBy,
    lastModifiedBy,
  };
  if (target !== undefined) return decideEdit(target, edit, context);
  return decideCreate(projectKey, draft.id ?? context.newId(), edit, context);
}

/** The seven arrays of a document, in their order; those it lacks are empty (decision 19). */
export function arrayTestTypeOf(document: JsonObject): JsonObject {
  const nested = getOwn(document, 'objectTypeProperty');
  const held = isJsonObject(nested) ? nested : {};
  return Object.fromEntries(arrayTestTypeFields.map((name) => [name, getOwn(held, name) ?? []]));
}

/** The response as a form: a pair for each item under the repeated name; objects as JSON. */
export function formOf(arrays: JsonObject): string {
  const form = new URLSearchParams();
  for (const [name, items] of Object.entries(arrays)) {
    for (const item of isJsonArray(items) ? items : []) {
      form.append(name, typeof item === 'string' ? item : stringifyJson(item));
    }
  }
  return form.toString();
}

function expectedVersion(version: string | undefined): bigint | undefined {
  return version !== undefined && /^-?\d+$/.test(version) ? BigInt(version) : undefined;
}

function definedOf(parameters: ComplexParameters): JsonObject {
  const { uriParameterOne, uriParameterTwo, queryParameterOne, queryParameterTwo } = parameters;
  return {
    uriParameterOne,
    uriParameterTwo,
    ...(queryParameterOne === undefined ? {} : { queryParameterOne }),
    ...(queryParameterTwo === undefined ? {} : { queryParameterTwo }),
  };
}

function checkInstant(name: string, text: string | undefined): void {
  if (text === undefined || canonicalInstant(text) !== undefined) return;
  throw mismatch(name, 'expected an ISO 8601 timestamp, such as 2026-05-04T09:12:33.120Z');
}
