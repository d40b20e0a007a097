import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import '../../tools/typescript-5.ts';

/** Clients that stock generators make of docs/openapi.json, in a folder of their own with a program that uses them. */

const root = fileURLToPath(new URL('../..', import.meta.url));
export const documentFile = join(root, 'docs/openapi.json');

/** As strict as a project can be. Libraries are left to their authors. */
const compilerOptions = {
  ...{ target: 'esnext', module: 'nodenext', lib: ['esnext', 'dom', 'dom.iterable'], types: ['node'], noEmit: true },
  ...{ strict: true, noUncheckedIndexedAccess: true, noImplicitOverride: true, skipLibCheck: true },
  ...{ verbatimModuleSyntax: true, allowImportingTsExtensions: true },
};

export interface Project {
  readonly folder: string;
  /** What the compiler has to say; empty if all is well. */
  check(): Promise<string>;
  /** Runs the program against a service. Resolves to what it printed as JSON. */
  run(address: string, environment: Readonly<Record<string, string>>): Promise<unknown>;
  remove(): void;
}

/**
 * Opens a folder, with a program of test/clients/programs where one is named. Packages are found from there, as it is in the
 * project. `leniency`: compiler options that generated code is not written for.
 */
export function openProject(program = '', leniency: Readonly<Record<string, boolean>> = {}): Project {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/client-'));
  if (program) copyFileSync(new URL(`programs/${program}`, import.meta.url), join(folder, program));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const settings = { compilerOptions: { ...compilerOptions, ...leniency }, include: ['**/*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const node = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, ...environment } });
  return {
    folder,
    check: () =>
      node([join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).then(
        () => '',
        (error: { readonly stdout: string }) => error.stdout,
      ),
    async run(address, environment) {
      const { stdout } = await node([program], { ADDRESS: address, ...environment });
      return JSON.parse(stdout) as unknown;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Types by openapi-typescript. Binary bodies are blobs, as its documentation advises. */
export async function writeTypes(file: string): Promise<void> {
  const { astToString, default: openapiTypescript } = await import('openapi-typescript');
  const { default: ts } = await import('typescript-5');
  const blob = ts.factory.createTypeReferenceNode('Blob');
  const nodes = await openapiTypescript(JSON.parse(readFileSync(documentFile, 'utf8')), {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
  });
  writeFileSync(file, astToString(nodes));
}

/** A client by @hey-api/openapi-ts, with its own functions over fetch. */
export async function writeFunctions(folder: string): Promise<void> {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: documentFile,
    output: { path: folder, module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
}
