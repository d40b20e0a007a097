import { hash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/** Where the tests import from. */
const sources = '{bench,examples,packages,src,test,tools}/**/*.ts';

/**
 * Writes each source file of the project without its types, with blanks in their place, into a folder: named by the hash
 * of the file, so that a text is never taken for another one. What is no longer there is removed. A file that cannot be
 * stripped is left out: who imports it is to see the error of Node.
 */
export function stripTypes(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const there = new Set(readdirSync(folder));
  const wanted = new Set<string>();
  for (const file of globSync(sources, { cwd: root, exclude: ['**/node_modules/**'] })) {
    const source = readFileSync(join(root, file));
    const name = hash('sha1', source);
    wanted.add(name);
    const stripped = there.has(name) ? undefined : withoutTypes(source.toString());
    if (stripped === undefined) continue;
    // Whole or not at all: another run may read it at this moment.
    const partial = join(folder, `${name}.${process.pid}`);
    writeFileSync(partial, stripped);
    renameSync(partial, join(folder, name));
  }
  for (const name of there) if (!wanted.has(name)) rmSync(join(folder, name), { force: true });
}

/** As Node does it at an import, without the warning that the function is an experiment. */
function withoutTypes(source: string): string | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
