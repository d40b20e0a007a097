import { parseArgs } from 'node:util';
import type { JsonObject } from '../../contract/json.ts';
import { parseJsonBytes } from '../../domain/json/parse.ts';
import { parseTypes } from '../../domain/types/settings.ts';
import { typeScriptOf } from '../../domain/types/typescript.ts';
import { exitFailure } from '../command.ts';
import { writeOut } from '../files.ts';
import { openRemote, RemoteError, remoteHelp, remoteOptions, sendTo } from '../remote.ts';
import { projectOf } from '../store.ts';

export const help = `Write the types of a project as TypeScript: an interface for each, with which the client is typed.

Usage:
  npx grs types --url <base URL> --client <id:secret | file> --project <key> --out <file>
  npx grs types --url <base URL> --token <token> --project <key> > <file>

Options:
${remoteHelp}
  --project <key>     the project
  --out <file>        appears when it is complete

What TypeScript has no words for, such as patterns and bounds, is left to the service. For other languages, generators
make clients of GET /<project>/openapi.json, which has a schema for each type.

Exit codes: 0 the file is written, 1 it could not be written, 2 wrong arguments, 70 the service refused or was not there.

Example: the types of my-shop, and a client with them
  npx grs types --url http://127.0.0.1:8080 --client data/admin-client.json --project my-shop --out shop.d.ts
  import type { Product } from './shop.d.ts';
  const products = client.resources<Product>();`;

export const needsArguments = true;

const options = { ...remoteOptions, project: { type: 'string' }, out: { type: 'string' } } as const;

/** Runs `grs types`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const project = projectOf(values.project);
  const client = openRemote(values, project, 'view_test');
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await sendTo(client, { method: 'GET', path: '/settings/types' })) chunks.push(chunk);
    const { discriminator, closed, types } = parseJsonBytes(Buffer.concat(chunks)) as JsonObject;
    const declared = parseTypes({ discriminator, closed, types } as JsonObject);
    await writeOut(values.out, [typeScriptOf(project, declared)][Symbol.iterator]() as never);
    const count = Object.keys(declared.types).length;
    const where = values.out === undefined ? '' : ` to ${values.out}`;
    console.error(`Wrote ${count.toLocaleString('en')} types of the project ${project}${where}.`);
    return 0;
  } catch (error) {
    const isRemote = error instanceof RemoteError;
    if (!isRemote && !(error instanceof Error && 'syscall' in error)) throw error;
    console.error(`grs types: ${error.message}`);
    return isRemote ? exitFailure : 1;
  }
}
