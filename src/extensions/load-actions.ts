import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtInActions } from '../domain/resource/actions/built-in.ts';
import { type ActionDefinition, definitionProblem } from '../domain/resource/actions/define.ts';

/**
 * Loads the operator's own update actions: each `.ts`, `.js` or `.mjs` file of the folder has an action definition as its
 * default export. Throws an error that names the file and what is wrong with it, which ends the start.
 */
export async function loadActions(folder: string): Promise<readonly ActionDefinition[]> {
  const owners = new Map(builtInActions.map(({ name }) => [name, 'the service itself']));
  const loaded: ActionDefinition[] = [];
  for (const file of await listModules(folder)) {
    const definition = await loadAction(file);
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

async function loadAction(file: string): Promise<ActionDefinition> {
  const definition: unknown = await importDefault(file);
  const problem = definition === undefined ? 'expected a default export' : definitionProblem(definition);
  if (problem !== undefined) throw new Error(`${file}: ${problem}`);
  return definition as ActionDefinition;
}

async function importDefault(file: string): Promise<unknown> {
  try {
    return (await import(pathToFileURL(file).href)).default;
  } catch (error) {
    throw new Error(`${file}: the module cannot be loaded: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
