import { Cache } from './cache/cache.ts';
import type { CompileSchema } from './domain/ports/schema.ts';
import type { Store } from './domain/ports/store.ts';
import { createSettingsReader } from './domain/settings/stored-settings.ts';
import { type OpenedTypes, openTypes } from './domain/types/open-types.ts';

/** Settings that are kept, by project and kind. */
const maxCachedSettings = 1000;

/** The library is loaded with the first types. */
const compileSchema: CompileSchema = async (schema, name) =>
  (await import('./schema/compile.ts')).compileSchema(schema, name);

/** Opens the settings of projects, and what holds writes to their types. */
export function openSettings(
  store: Pick<Store, 'resources' | 'rules'>,
  nowMs: () => number,
  onFailed: (error: unknown) => void,
): OpenedTypes {
  const settings = createSettingsReader(store.resources, new Cache({ maxEntries: maxCachedSettings }), nowMs);
  return openTypes({ ...store, settings, compileSchema, onFailed });
}
