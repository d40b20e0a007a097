import {
  checkArray,
  checkBoolean,
  checkFields,
  checkInteger,
  checkObject,
  checkString,
  mismatch,
  optional,
} from '../../contract/check.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { systemFieldNames } from '../../contract/resource.ts';
import { onDeletes, typeLimits } from '../../contract/settings/types.ts';
import { pathAtStart } from '../json/path-syntax.ts';
import { getOwn, isJsonArray } from '../json/values.ts';
import type { SettingsKind } from '../settings/stored-settings.ts';

/** The types of a project, as they are written. */

/** What may become of a resource that a field refers to. */
export type OnDelete = (typeof onDeletes)[number];

/** A reference that a type declares. */
export interface DeclaredReference {
  readonly type: string;
  readonly onDelete: OnDelete;
}

/** A type. Paths are texts that `fieldsOf` reads. */
export interface DeclaredType {
  readonly name?: string | undefined;
  readonly schema: JsonObject;
  readonly unique: readonly string[];
  readonly references: Readonly<Record<string, DeclaredReference>>;
}

export interface DeclaredTypes {
  /** The field that names the type of a document. */
  readonly discriminator: string;
  /** Every document must name a type. */
  readonly closed: boolean;
  readonly types: Readonly<Record<string, DeclaredType>>;
}

/** The kind of settings that a project has its types in. */
export const typeSettings: SettingsKind<DeclaredTypes> = {
  id: 'types',
  parse: parseTypes,
  valueOf: (body) => {
    const { version: _, ...types } = parseTypes(body);
    return types;
  },
};

/** Checks a body, but for what only a compiler of schemas finds. Throws `ServiceError` InvalidJsonInput that names the place. */
export function parseTypes(body: JsonValue | undefined): DeclaredTypes & { readonly version: bigint | undefined } {
  const own = checkFields(body, '', ['version', 'discriminator', 'closed', 'types']);
  const declared = checkObject(own.types ?? {}, 'types');
  const names = Object.keys(declared);
  if (names.length > typeLimits.types) throw mismatch('types', `expected at most ${typeLimits.types} types`);
  const types = Object.fromEntries(names.map((name) => [checkName(name), checkType(declared[name], `types.${name}`)]));
  for (const [name, { references }] of Object.entries(types)) {
    for (const [path, { type }] of Object.entries(references)) {
      if (Object.hasOwn(types, type)) continue;
      const place = `types.${name}.references.${path}.type`;
      throw mismatch(place, `expected a type that is declared here: ${names.join(', ')}`);
    }
  }
  return {
    version: optional(own, 'version', '', checkInteger),
    discriminator: optional(own, 'discriminator', '', checkDiscriminator) ?? 'type',
    closed: optional(own, 'closed', '', checkBoolean) ?? false,
    types,
  };
}

function checkName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name) && name !== '__proto__') return name;
  throw mismatch(`types.${name.slice(0, typeLimits.nameUnits)}`, 'expected letters, digits, _ and -, up to 64');
}

function checkDiscriminator(value: JsonValue | undefined, place: string): string {
  const name = checkString(value, place);
  const isOwn = name !== '' && !systemFieldNames.has(name) && name !== '__proto__';
  if (isOwn && name.length <= typeLimits.nameUnits) return name;
  throw mismatch(place, 'expected the name of a field of your own, up to 64 characters');
}

function checkType(value: JsonValue | undefined, place: string): DeclaredType {
  const own = checkFields(value, place, ['name', 'schema', 'unique', 'references']);
  const unique = checkArray(own.unique ?? [], `${place}.unique`);
  const references = Object.entries(checkObject(own.references ?? {}, `${place}.references`));
  if (unique.length > typeLimits.unique) {
    throw mismatch(`${place}.unique`, `expected at most ${typeLimits.unique} paths`);
  }
  if (references.length > typeLimits.references) {
    throw mismatch(`${place}.references`, `expected at most ${typeLimits.references} paths`);
  }
  const paths = unique.map((each, at) =>
    checkPath(checkString(each, `${place}.unique[${at}]`), `${place}.unique[${at}]`),
  );
  return {
    name: optional(own, 'name', place, checkString),
    schema: checkSchema(own.schema ?? {}, `${place}.schema`),
    unique: [...new Set(paths)],
    references: Object.fromEntries(
      references.map(([path, each]) => {
        const at = `${place}.references.${path}`;
        return [checkPath(path, at), checkReference(each, at)];
      }),
    ),
  };
}

/** The fields of the service are not there when a schema is applied: one that requires them would refuse all. */
function checkSchema(value: JsonValue, place: string): JsonObject {
  const schema = checkObject(value, place);
  const { required } = schema;
  const isOfService = (name: JsonValue) => typeof name === 'string' && systemFieldNames.has(name);
  const found = isJsonArray(required) ? required.find(isOfService) : undefined;
  if (found === undefined) return schema;
  throw mismatch(`${place}.required`, `expected fields of your own, without ${found}, which is a field of the service`);
}

function checkReference(value: JsonValue, place: string): DeclaredReference {
  const own = checkFields(value, place, ['type', 'onDelete']);
  const onDelete = onDeletes.find((each) => each === (own.onDelete ?? 'restrict'));
  if (!onDelete) throw mismatch(`${place}.onDelete`, `expected one of ${onDeletes.join(', ')}`);
  return { type: checkString(own.type, `${place}.type`), onDelete };
}

function checkPath(path: string, place: string): string {
  if (path.length <= typeLimits.pathUnits && fieldsOf(path)) return path;
  throw mismatch(
    place,
    'expected a path to a field of your own, such as sku or variants[*].sku, with other names than of letters, digits, - and _ in backticks',
  );
}

/** The names of a path, in which an array stands for its elements; undefined where it is none, or leads to a field of the service. */
export function fieldsOf(path: string): readonly string[] | undefined {
  const { steps, rest } = pathAtStart(path, { names: 'word', indexes: true }) ?? { steps: [], rest: '' };
  const isEach = steps.every((step) => typeof step === 'string' || step.index === '*');
  const names = steps.filter((step) => typeof step === 'string');
  if (names.length === 0 || rest !== '' || !isEach) return undefined;
  return systemFieldNames.has(names[0]!) ? undefined : names;
}

/** True if some document may have a unique value or a reference. */
export function haveMarks({ types }: DeclaredTypes): boolean {
  return Object.values(types).some(({ unique, references }) => unique.length > 0 || Object.keys(references).length > 0);
}

/** The name of the type that a document gives, if it is declared. */
export function typeOf(document: JsonObject, { discriminator, types }: DeclaredTypes): string | undefined {
  const name = getOwn(document, discriminator);
  return typeof name === 'string' && Object.hasOwn(types, name) ? name : undefined;
}
