import { createHash } from 'node:crypto';
import { arrayTestTypeFields } from '../../../contract/array-test-type.ts';
import { mismatch } from '../../../contract/check.ts';
import { type ComplexDraft, checkComplexDraft } from '../../../contract/complex.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { canonicalInstant } from '../../instant.ts';
import { getOwn, isJsonArray, isJsonObject } from '../../json/object.ts';
import { stringifyJson } from '../../json/parse.ts';
import type { WriteContext } from '../context.ts';
import type { Kept } from '../resource.ts';
import { commitDecided, type Write, type WriteAnswer } from './commit.ts';
import { type Decision, decideCreate, decideUpdate, type Edit } from './decision.ts';
import { applyFields, checkDraftVersion, editByDraft } from './draft.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';
import { findDraftTarget } from './write.ts';

/** Path and query parameters of E9. They are kept on the resource under these names. */
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
): Promise<WriteAnswer> {
  const { store, projectKey, context, preconditions } = write;
  const given = checkComplexDraft(body);
  checkInstant('createdAt', given.createdAt);
  checkInstant('lastModifiedAt', given.lastModifiedAt);
  const unnamed = given.id === undefined && typeof given.key !== 'string';
  const draft = unnamed ? { ...given, id: pairId(parameters) } : given;
  return commitDecided(write, async () => {
    const target = await findDraftTarget(store, projectKey, draft);
    return decideComplex(target, draft, parameters, preconditions, projectKey, context);
  });
}

/** Decides what a body of E9 does to its target: its fields replace those of the resource that have their names. */
export function decideComplex(
  target: Kept | undefined,
  draft: ComplexDraft,
  parameters: ComplexParameters,
  conditions: Preconditions,
  projectKey: string,
  context: WriteContext,
): Decision {
  checkPreconditions(conditions, target?.resource);
  const expected = expectedVersion(draft.version);
  checkDraftVersion(target, expected);
  const external = draft.version === undefined || expected !== undefined ? {} : { externalVersion: draft.version };
  const fields = { ...draft.fields, ...external, ...definedOf(parameters) };
  const { createdAt, lastModifiedAt, createdBy, lastModifiedBy } = draft;
  const edit: Edit = {
    ...editByDraft(target, draft, (own) => applyFields('replaceFields', own, fields)),
    ...{ createdAt, lastModifiedAt, createdBy, lastModifiedBy },
  };
  if (target !== undefined) return decideUpdate(target, edit, context);
  return decideCreate(projectKey, draft.id ?? context.newId(), edit, context);
}

/**
 * The id of the resource that two path parameters stand for, where the body names none: made from them (a UUID of
 * version 8, RFC 9562 §5.8), so that concurrent requests for one pair meet on one resource.
 */
export function pairId({ uriParameterOne, uriParameterTwo }: ComplexParameters): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([uriParameterOne, uriParameterTwo]))
    .digest();
  digest.writeUInt8(0x80 | (digest.readUInt8(6) & 0x0f), 6);
  digest.writeUInt8(0x80 | (digest.readUInt8(8) & 0x3f), 8);
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The seven arrays of a document, in their order; those it lacks are empty (decision 19). */
export function arrayTestTypeOf(document: JsonObject): JsonObject {
  const nested = getOwn(document, 'objectTypeProperty');
  const held = isJsonObject(nested) ? nested : {};
  return Object.fromEntries(arrayTestTypeFields.map((name) => [name, getOwn(held, name) ?? []]));
}

/** The same as a form: a pair for each item under the repeated name; items that are objects as JSON. */
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
  throw mismatch(name, 'ISO 8601 timestamp expected, such as 2026-05-04T09:12:33.120Z');
}
