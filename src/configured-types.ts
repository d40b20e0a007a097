import { Cache } from './cache/cache.ts';
import type { Config } from './config/settings.ts';
import type { CompileSchema } from './domain/ports/schema.ts';
import type { Store } from './domain/ports/store.ts';
import { createSettingsReader } from './domain/settings/stored-settings.ts';
import { type OpenedTypes, openTypes } from './domain/types/open-types.ts';
import type { HookDefinition } from './extensions/define-hook.ts';
import { HookGate } from './extensions/hook-gate.ts';
import { loadExtensions, type WriteExtensions } from './extensions/load-extensions.ts';
import { offerPackage } from './extensions/offer-package.ts';

/** Settings that are kept, by project and kind. */
const maxCachedSettings = 1000;

/** The library is loaded with the first types. */
const compileSchema: CompileSchema = async (schema, name) =>
  (await import('./schema/compile.ts')).compileSchema(schema, name);

/** Loads the update actions and hooks of the operator. */
export function loadConfiguredExtensions({ actionsDir }: Pick<Config, 'actionsDir'>): Promise<WriteExtensions> {
  if (actionsDir !== undefined) offerPackage(new URL('./index.ts', import.meta.url));
  return loadExtensions(actionsDir);
}

/** Opens the settings of projects, and what writes pass: the hooks of the operator, and then the types of the project. */
export function openSettings(
  store: Pick<Store, 'resources' | 'rules'>,
  hooks: readonly HookDefinition[],
  nowMs: () => number,
  onFailed: (event: 'types-not-built' | 'hook-failed', error: unknown) => void,
): OpenedTypes {
  const settings = createSettingsReader(store.resources, new Cache({ maxEntries: maxCachedSettings }), nowMs);
  const types = openTypes({
    ...store,
    settings,
    compileSchema,
    onFailed: (error) => onFailed('types-not-built', error),
  });
  if (hooks.length === 0) return types;
  return { ...types, gate: new HookGate(hooks, types.gate, (error) => onFailed('hook-failed', error)) };
}
