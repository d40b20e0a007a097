import { ServiceError } from '../../../contract/errors.ts';
import { builtInActions } from './built-in.ts';
import type { ActionDefinition, Actions } from './define.ts';

/** An action with the fields that it has, which is refused once they were checked. */
export function refusing(definition: ActionDefinition, reason: string): ActionDefinition {
  return {
    ...definition,
    changes: 'resource',
    apply() {
      throw new ServiceError('InvalidOperation', `${definition.name}: ${reason}.`);
    },
  };
}

/**
 * All actions of resources by name: the built-in ones and the operator's own. Those of images are refused, because only
 * variants have images. Throws where two have one name.
 */
export function createActions(own: readonly ActionDefinition[] = []): Actions {
  const actions = new Map<string, ActionDefinition>();
  for (const definition of [...builtInActions, ...own]) {
    if (actions.has(definition.name)) throw new Error(`There are two update actions of the name ${definition.name}.`);
    const isRefused = builtInActions.includes(definition) && definition.appliesTo === 'variant';
    const reason = 'only a variant of images has images, address it by its id (image-variant-1)';
    actions.set(definition.name, isRefused ? refusing(definition, reason) : definition);
  }
  return actions;
}
