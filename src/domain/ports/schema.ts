import type { JsonObject, JsonValue } from '../../contract/json.ts';

/** A way in which a document does not fit its schema. */
export interface Violation {
  readonly code: 'RequiredField' | 'InvalidField';
  /** The path of the field, as in `variants[0].sku`; '' for the document. */
  readonly field: string;
  /** What would be right there, as in `expected a string`. */
  readonly problem: string;
  readonly invalidValue?: JsonValue | undefined;
  readonly allowedValues?: readonly JsonValue[] | undefined;
}

/** A JSON Schema that documents are held to. */
export interface CompiledSchema {
  /** What does not fit, at most `maxViolations`. With `isPartial` fields may be missing. Throws `ServiceError` where the schema takes too long. */
  violations(document: JsonObject, isPartial: boolean): readonly Violation[];
}

export const maxViolations = 50;

/** Members of a schema whose values are data. */
export const dataMembers: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
/** Members of a schema whose members are schemas, whatever they are called. */
export const schemaMaps: ReadonlySet<string> = new Set([
  '$defs',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Compiles a schema. Rejects with a `ServiceError` that says what is wrong at which path of it; `name` says whose schema it is. */
export type CompileSchema = (schema: JsonObject, name: string) => Promise<CompiledSchema>;
