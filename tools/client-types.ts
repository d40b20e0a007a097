import { globSync, readFileSync, writeFileSync } from 'node:fs';
import './typescript-5.ts';

/**
 * `node tools/client-types.ts` writes the types of the client package: those of the schemas of docs/openapi.json that its
 * modules import, and what these refer to. A test compares the file with what this makes.
 */

const documentFile = new URL('../docs/openapi.json', import.meta.url);
const clientFolder = new URL('../packages/client/src/', import.meta.url);
export const clientTypesFile = new URL('api-types.ts', clientFolder);

const head = '/** Schemas of the OpenAPI document. Made by `node tools/client-types.ts`: do not edit. */\n\n';

type Schemas = Readonly<Record<string, unknown>>;

/** The names of types that the modules of the client import from the file. */
function importedNames(): readonly string[] {
  const imports = /\{([^{}]*)\} from '\.\/api-types\.ts'/g;
  const texts = globSync('*.ts', { cwd: clientFolder }).map((name) =>
    readFileSync(new URL(name, clientFolder), 'utf8'),
  );
  const lists = texts.flatMap((text) => [...text.matchAll(imports)].map(([, list]) => list!));
  return lists.flatMap((list) => list.match(/(?<!\w|\bas )\w+/g) ?? []).filter((name) => name !== 'as');
}

/** What editors need not show of a schema; a property may have such a name, too, with a schema as its value. */
function isLeftOut(key: string, value: unknown): boolean {
  return (key === 'title' && typeof value === 'string') || (key === 'examples' && Array.isArray(value));
}

/** The named schemas and those that they refer to, in the order of the document, without titles and examples. */
function reachedFrom(names: readonly string[], schemas: Schemas): Schemas {
  const reached = new Set<string>();
  const visit = (name: string) => {
    if (reached.has(name) || !(name in schemas)) return;
    reached.add(name);
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) visit(other!);
  };
  for (const name of names) visit(name);
  const kept = Object.entries(schemas).filter(([name]) => reached.has(name));
  return JSON.parse(
    JSON.stringify(Object.fromEntries(kept), (key, value) => (isLeftOut(key, value) ? undefined : value)),
  );
}

/** Tags for tools, and what a property's type says anyway. */
const tags = /^\s*\*? ?(?:@enum|@constant|Format:|@description discriminator enum property added by).*\n/gm;

/** Comments without tags; those of one line on one line. */
function withoutTags(text: string): string {
  return text.replace(/^( *)\/\*\*([\s\S]*?)\*\/\n/gm, (_, indent: string, body: string) => {
    const lines = `\n${body}\n`.replace(tags, '').split('\n');
    const told = lines
      .map((line) => line.replace(/^\s*\*? ?(?:@description )?/, '').trim())
      .filter((line) => line !== '');
    if (told.length < 2) return told.length === 0 ? '' : `${indent}/** ${told[0]} */\n`;
    return `${indent}/**\n${told.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
  });
}

/** Each schema as a type of its name. */
function namedTypes(text: string): string {
  const from = text.indexOf('    schemas: {\n') + '    schemas: {\n'.length;
  const types = text
    .slice(from, text.indexOf('\n    };\n', from) + 1)
    .replace(/components\["schemas"\]\["(\w+)"\]/g, '$1');
  return withoutTags(types)
    .replace(/^ {8}/gm, '')
    .replace(/^readonly (\w+): /gm, 'export type $1 = ');
}

/** The text of the file. */
export async function clientTypes(): Promise<string> {
  const { astToString, default: openapiTypescript } = await import('openapi-typescript');
  const { openapi, info, components } = JSON.parse(readFileSync(documentFile, 'utf8'));
  const schemas = reachedFrom(importedNames(), components.schemas);
  const nodes = await openapiTypescript({ openapi, info, paths: {}, components: { schemas } } as never, {
    immutable: true,
  });
  return head + namedTypes(astToString(nodes));
}

if (import.meta.main) writeFileSync(clientTypesFile, await clientTypes());
