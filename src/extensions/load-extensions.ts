import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInActions } from '../domain/resource/actions/built-in.ts';
import { type ActionDefinition, definitionProblem } from '../domain/resource/actions/define.ts';
import { type HookDefinition, hookProblem } from './define-hook.ts';
import { loadOperatorCode, reasonOf } from './operator-code.ts';

/** What an operator adds to writes. */
export interface WriteExtensions {
  readonly actions: readonly ActionDefinition[];
  /** In the order of their files. */
  readonly hooks: readonly HookDefinition[];
}

/**
 * Loads the operator's own update actions and hooks: each `.ts`, `.js` or `.mjs` file of the folder has a definition as its
 * default export. Throws an error that names the file and what is wrong with it, which ends the start.
 */
export async function loadExtensions(folder: string | undefined): Promise<WriteExtensions> {
  const owners = new Map(builtInActions.map(({ name }) => [`action ${name}`, 'the service itself']));
  const [actions, hooks]: [ActionDefinition[], HookDefinition[]] = [[], []];
  for (const file of folder === undefined ? [] : await listModules(folder)) {
    const definition = await loadOperatorCode<ActionDefinition | HookDefinition>(file, 'module', problemOf);
    const name = `${isHook(definition) ? 'hook' : 'action'} ${definition.name}`;
    const owner = owners.get(name);
    if (owner !== undefined) throw new Error(`${file}: the ${name} is already defined by ${owner}`);
    owners.set(name, file);
    if (isHook(definition)) hooks.push(definition);
    else actions.push(definition);
  }
  return { actions, hooks };
}

function isHook(value: unknown): value is HookDefinition {
  return typeof value === 'object' && value !== null && 'before' in value;
}

async function listModules(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    const modules = names.filter((name) => /\.(?:ts|js|mjs)$/.test(name) && !name.endsWith('.d.ts'));
    return modules.sort().map((name) => join(folder, name));
  } catch (error) {
    throw new Error(`${folder}: the folder of update actions and hooks cannot be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function problemOf(value: unknown): string | undefined {
  if (value === undefined) return 'expected a default export from defineAction or defineHook';
  return isHook(value) ? hookProblem(value) : definitionProblem(value);
}
