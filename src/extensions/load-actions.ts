import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInActions } from '../domain/resource/actions/built-in.ts';
import { type ActionDefinition, definitionProblem } from '../domain/resource/actions/define.ts';
import { loadOperatorCode, reasonOf } from './operator-code.ts';

/**
 * Loads the operator's own update actions: each `.ts`, `.js` or `.mjs` file of the folder has an action definition as its
 * default export. Throws an error that names the file and what is wrong with it, which ends the start.
 */
export async function loadActions(folder: string): Promise<readonly ActionDefinition[]> {
  const owners = new Map(builtInActions.map(({ name }) => [name, 'the service itself']));
  const loaded: ActionDefinition[] = [];
  for (const file of await listModules(folder)) {
    const definition = await loadOperatorCode<ActionDefinition>(file, 'module', problemOf);
    const owner = owners.get(definition.name);
    if (owner !== undefined) throw new Error(`${file}: the action ${definition.name} is already defined by ${owner}`);
    owners.set(definition.name, file);
    loaded.push(definition);
  }
  return loaded;
}

async function listModules(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    const modules = names.filter((name) => /\.(?:ts|js|mjs)$/.test(name) && !name.endsWith('.d.ts'));
    return modules.sort().map((name) => join(folder, name));
  } catch (error) {
    throw new Error(`${folder}: the folder of update actions cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

function problemOf(value: unknown): string | undefined {
  return value === undefined ? 'expected a default export' : definitionProblem(value);
}
