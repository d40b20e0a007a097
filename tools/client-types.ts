import { readFileSync, writeFileSync } from 'node:fs';
import './typescript-5.ts';

/**
 * `node tools/client-types.ts` writes the types of the client package: those of all schemas of docs/openapi.json. A test
 * compares the file with what this makes.
 */

const documentFile = new URL('../docs/openapi.json', import.meta.url);
export const clientTypesFile = new URL('../packages/client/src/api-types.ts', import.meta.url);

const head = '/** The schemas of the OpenAPI document. Made by `node tools/client-types.ts`: do not edit. */\n\n';

/** The text of the file. */
export async function clientTypes(): Promise<string> {
  const { astToString, default: openapiTypescript } = await import('openapi-typescript');
  const { openapi, info, components } = JSON.parse(readFileSync(documentFile, 'utf8'));
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, rootTypesKeepCasing: true, immutable: true };
  const nodes = await openapiTypescript(
    { openapi, info, paths: {}, components: { schemas: components.schemas } },
    options,
  );
  return head + astToString(nodes);
}

if (import.meta.main) writeFileSync(clientTypesFile, await clientTypes());
