import { isMap, type Json, type JsonMap } from '../api/json.ts';
import { type Path, systemFields, valueAt } from '../model/paths.ts';
import { type DeclaredField, emptyValue, fieldAt, membersOf } from './fields.ts';
import { projectTypes, typeNameOf } from './project-types.ts';

/** What the type of a document says of the field at a path. */
export function declaredAt(document: JsonMap | undefined, path: Path): DeclaredField | undefined {
  const types = projectTypes.value;
  const name = typeNameOf(types, document);
  const field = name === undefined ? undefined : fieldAt(types!.types[name]!, path);
  const isType = types?.closed === true && path.length === 1 && path[0] === types.discriminator;
  return isType && field ? { ...field, allowed: Object.keys(types.types) } : field;
}

/** A declared field that an object lacks, with a value to begin with. */
export interface Offer extends Pick<DeclaredField, 'name' | 'title' | 'isRequired'> {
  readonly value: Json;
}

/** The declared fields that the object at a path lacks, the required ones first. */
export function lackingIn(document: JsonMap | undefined, path: Path): readonly Offer[] {
  const name = typeNameOf(projectTypes.value, document);
  const object = valueAt(document, path);
  if (name === undefined || !isMap(object)) return [];
  const definition = projectTypes.value!.types[name]!;
  return membersOf(definition, path)
    .filter((field) => !Object.hasOwn(object, field.name) && field.widget !== 'hidden')
    .filter((field) => path.length > 0 || !systemFields.has(field.name))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .map((field) => ({ ...field, value: emptyValue(definition, field) }));
}
