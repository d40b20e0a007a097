import { Cache } from './cache/cache.ts';
import type { CompileSchema } from './domain/ports/schema.ts';
import type { Store } from './domain/ports/store.ts';
import { createSettingsReader } from './domain/settings/stored-settings.ts';
import { type OpenedTypes, openTypes } from './domain/types/open-types.ts';
import type { Log } from './telemetry/log.ts';

/** Settings that are kept, by project and kind. */
const maxCachedSettings = 1000;

/** The library is loaded with the first types. */
const compileSchema: CompileSchema = async (schema, name) =>
  (await import('./schema/compile.ts')).compileSchema(schema, name);

/** Opens the settings of projects, and what holds writes to their types. */
export function openSettings(store: Pick<Store, 'resources' | 'rules'>, nowMs: () => number, log?: Log): OpenedTypes {
  const settings = createSettingsReader(store.resources, new Cache({ maxEntries: maxCachedSettings }), nowMs);
  const onFailed = (error: unknown) => log?.write('warn', 'types-not-built', { error });
  return openTypes({ ...store, settings, compileSchema, onFailed });
}
