import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { CompiledSchema, CompileSchema } from '../ports/schema.ts';
import type { SettingsReader } from '../settings/stored-settings.ts';
import { turnOver } from '../turns.ts';
import type { BuiltState } from './built-state.ts';
import { builtState } from './built-state.ts';
import type { UniqueMark } from './marks.ts';
import { type DeclaredTypes, typeSettings } from './settings.ts';

/** The types of a project with their schemas compiled. */
export class ProjectTypes {
  /** Of the types; 1 and more. */
  readonly version: number;
  readonly declared: DeclaredTypes;
  readonly #schemas: ReadonlyMap<string, CompiledSchema>;
  readonly #built: BuiltState;

  constructor(
    version: number,
    declared: DeclaredTypes,
    schemas: ReadonlyMap<string, CompiledSchema>,
    built: BuiltState,
  ) {
    this.version = version;
    this.declared = declared;
    this.#schemas = schemas;
    this.#built = built;
  }

  /** The schema of a declared type. */
  schemaOf(type: string): CompiledSchema {
    return this.#schemas.get(type)!;
  }

  /** False where several resources had the same value when the path was declared. */
  isEnforced({ type, path }: Pick<UniqueMark, 'type' | 'path'>): boolean {
    return (
      this.#built.version !== this.version ||
      !this.#built.conflicting.some((each) => each.type === type && each.path === path)
    );
  }
}

/** Compiles the schemas of types. Rejects with 400 `InvalidJsonInput` that names the place. */
export async function compileTypes(
  { types }: DeclaredTypes,
  compile: CompileSchema,
): Promise<ReadonlyMap<string, CompiledSchema>> {
  const compiled = new Map<string, CompiledSchema>();
  for (const [name, { schema }] of Object.entries(types)) {
    compiled.set(name, await compile(schema as JsonObject, `types.${name}.schema`));
    const over = turnOver();
    if (over) await over;
  }
  return compiled;
}

/** Reads the types of projects. */
export class TypesReader {
  readonly #settings: SettingsReader;
  readonly #compile: CompileSchema;
  readonly #onUnbuilt: (projectKey: string) => void;
  /** Of the declared types that are in use. */
  readonly #compiled = new WeakMap<DeclaredTypes, Promise<ReadonlyMap<string, CompiledSchema>>>();

  /** `onUnbuilt`: the resources of a project lack marks that its types say. */
  constructor(settings: SettingsReader, compile: CompileSchema, onUnbuilt: (projectKey: string) => void) {
    this.#settings = settings;
    this.#compile = compile;
    this.#onUnbuilt = onUnbuilt;
  }

  /** The types of a project; undefined where none were ever declared. Current within a second; commits find out what is not. */
  async of(projectKey: string): Promise<ProjectTypes | undefined> {
    const { version, value } = await this.#settings.found(typeSettings, projectKey);
    if (version === 0) return undefined;
    const built = await this.#settings.of(builtState, projectKey);
    if (built.version !== version) this.#onUnbuilt(projectKey);
    let compiled = this.#compiled.get(value);
    if (!compiled) {
      compiled = compileTypes(value, this.#compile);
      this.#compiled.set(value, compiled);
    }
    return new ProjectTypes(version, value, await compiled.catch(unusable), built);
  }

  forget(projectKey: string): void {
    this.#settings.forget(typeSettings, projectKey);
    this.#settings.forget(builtState, projectKey);
  }
}

/** Types were compiled before they were stored. */
function unusable(error: unknown): never {
  throw new ServiceError(
    'DataCorruption',
    `The stored types of the project cannot be used: ${(error as Error).message}`,
  );
}
