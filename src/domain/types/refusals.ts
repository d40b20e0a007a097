import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { typeLimits } from '../../contract/settings/types.ts';
import { getOwn } from '../json/values.ts';
import type { ResourceRecord } from '../ports/resource-store.ts';
import type { Violation } from '../ports/schema.ts';
import type { Decision } from '../resource/write/decision.ts';
import type { ReferenceMark, UniqueMark } from './marks.ts';
import type { DeclaredTypes } from './settings.ts';

/** The errors of what the types of a project refuse. */

export function violation({ code, field, problem, invalidValue, allowedValues }: Violation): ServiceError {
  if (code === 'RequiredField') {
    return new ServiceError(code, `A value is required for field '${field}'.`, { field });
  }
  const place = field === '' ? 'The document' : `The value of field '${field}'`;
  const details = {
    field,
    ...(invalidValue !== undefined && { invalidValue }),
    ...(allowedValues !== undefined && { allowedValues }),
  };
  return new ServiceError('InvalidField', `${place} is not valid: ${problem}.`, details);
}

/** A document with more of what is looked up one by one than it may have. */
export function tooMany(what: string): ServiceError {
  const message = `The resource would exceed its limits: expected at most ${typeLimits.marks} ${what}.`;
  return new ServiceError('ResourceSizeLimitExceeded', message);
}

/** A document that names no type, where each must. */
export function noType(document: JsonObject, { discriminator, types }: DeclaredTypes): ServiceError {
  const given = getOwn(document, discriminator);
  const allowedValues = Object.keys(types);
  const problem = `expected one of the types of the project: ${allowedValues.join(', ')}`;
  if (given === undefined || given === null) {
    return new ServiceError('RequiredField', `A value is required for field '${discriminator}': ${problem}.`, {
      field: discriminator,
    });
  }
  return violation({ code: 'InvalidField', field: discriminator, problem, invalidValue: given, allowedValues });
}

export function noReference(path: string): ServiceError {
  const problem = 'expected a reference, such as {"typeId":"resource","key":"sofas"}';
  return violation({ code: 'InvalidField', field: path, problem });
}

const named = ({ by, name }: ReferenceMark) => `${by} '${name}'`;

export function notFound(reference: ReferenceMark): ServiceError {
  const { path: field, type: referencedType, by, name } = reference;
  const message = `The resource of type '${referencedType}' with ${named(reference)} that field '${field}' refers to was not found.`;
  return new ServiceError('ReferencedResourceNotFound', message, { field, referencedType, [by]: name });
}

/** A reference to a resource of another type. */
export function ofOtherType(reference: ReferenceMark, { id }: ResourceRecord): ServiceError {
  const { path: field, type } = reference;
  const problem = `expected a reference to a resource of type '${type}', which the one with ${named(reference)} is not`;
  return violation({ code: 'InvalidField', field, problem, invalidValue: { typeId: 'resource', id } });
}

function taken({ path: field, value }: UniqueMark, where: string, id?: string): ServiceError {
  const conflicting = id === undefined ? {} : { conflictingResource: { typeId: 'resource', id } };
  const message = `A duplicate value ${shown(value)} exists for field '${field}'${where}.`;
  return new ServiceError('DuplicateField', message, { field, duplicateValue: value, ...conflicting });
}

/** A value that another resource has. */
export function duplicate(unique: UniqueMark, id: string): ServiceError {
  return taken(unique, '', id);
}

/** A value that the document has more than once. */
export function repeated(unique: UniqueMark): ServiceError {
  return taken(unique, ' in the same document');
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** A deletion, or a change of the key or type, of what others refer to. */
export function referred({ change, outcome }: Decision, referencedBy: readonly string[]): ServiceError {
  const what = change?.kind === 'delete' ? 'be deleted' : 'get another key or type';
  const { projectKey, id } = outcome.record;
  const message = `The Resource '${id}' cannot ${what} while other resources refer to it; GET /${projectKey}/resource/${id}/references lists them.`;
  return new ServiceError('ReferenceExists', message, { referencedBy });
}
