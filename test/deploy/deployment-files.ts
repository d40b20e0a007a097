import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { fileVariable } from '../../src/config/parse.ts';
import { settingTable } from '../../src/config/settings.ts';

/** The files that put the service into containers, read for the tests. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Text of a file of the project. */
export const readText = (file: string) => readFileSync(root + file, 'utf8');

/** A YAML file as a value; strict: a name that stands twice, say, is an error. */
// biome-ignore lint/suspicious/noExplicitAny: each test says what it expects of the file.
export function readYaml(file: string): any {
  const document = parseDocument(readText(file), { strict: true, uniqueKeys: true });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) throw new Error(`${file}: ${problems.map(({ message }) => message).join('; ')}`);
  return document.toJS();
}

/** Names of the files of deploy/kubernetes. */
export const manifestFiles: readonly string[] = globSync('deploy/kubernetes/*.yaml', { cwd: root })
  .map((file) => basename(file))
  .sort();

/** Environment variables that the service knows, those that name the file of a secret among them. */
export const settingNames: ReadonlySet<string> = new Set(
  Object.values(settingTable).flatMap((setting) =>
    setting.type === 'secret' ? [setting.variable, fileVariable(setting)] : [setting.variable],
  ),
);

/** Whether a variable has a secret itself, rather than the name of its file. */
export function isSecret(variable: string): boolean {
  return Object.values(settingTable).some((setting) => setting.type === 'secret' && setting.variable === variable);
}

/** Variables of glibc's allocator that the image sets, and so does whatever else deploys the service. */
export const allocatorVariables: readonly (readonly [name: string, value: string])[] = [
  ...readText('Dockerfile').matchAll(/\b(MALLOC_\w+)=(\d+)/g),
].map(([, name, value]) => [name!, value!]);

/** The version that an image of this checkout has. */
export const packageVersion: string = JSON.parse(readText('package.json')).version;

export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The stages of the Dockerfile, each with its instructions; continued lines are joined, comments left out. */
export function dockerStages(): readonly (readonly Instruction[])[] {
  const text = readText('Dockerfile').replace(/^\s*#.*\n/gm, '');
  const lines = text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`Dockerfile: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value });
  }
  return stages;
}

/** Values of an instruction in the stage that becomes the image. */
export function imageInstructions(name: string): readonly string[] {
  return (dockerStages().at(-1) ?? []).filter((each) => each.name === name).map(({ value }) => value);
}

/** The environment that the image sets. */
export function imageEnvironment(): ReadonlyMap<string, string> {
  const pairs = imageInstructions('ENV').flatMap((value) => value.split(/\s+/));
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** The program that looks whether a container is healthy. */
export function healthCommand(): readonly string[] {
  const [value = ''] = imageInstructions('HEALTHCHECK');
  return JSON.parse(value.slice(value.indexOf('CMD') + 3)) as string[];
}
