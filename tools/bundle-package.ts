import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin, transformSync } from 'esbuild';

/**
 * Bundles the service into few files, side by side in one folder: Node loads them in a fraction of the time, in each of
 * the threads. What is imported when it is needed stays in a file of its own. The packages stay outside.
 */

/** An address beside a module: a file of ours, in the form that leads to a thread, a page or a folder. */
const addresses = /new URL\((['`])(\.[^'`$]*)([^'`]*)\1, import\.meta\.url\)/g;

/** Only for a checkout, where a thread loads a hundred files. */
const onlyInCheckout = 'own-modules.ts';

/** The modules that a process or a thread begins with: the commands, the exports, and what an address leads to. */
function entriesOf(source: string): readonly string[] {
  const entries = new Set([join(source, 'main.js'), join(source, 'index.ts')]);
  for (const name of globSync('**/*.ts', { cwd: source })) {
    const file = join(source, name);
    for (const [, , address = ''] of readFileSync(file, 'utf8').matchAll(addresses)) {
      if (address.endsWith('.ts') && basename(address) !== onlyInCheckout) entries.add(resolve(dirname(file), address));
    }
  }
  const names = [...entries].map((entry) => basename(entry));
  if (new Set(names).size < names.length) throw new Error(`Two of these have one name: ${names.join(', ')}`);
  return [...entries];
}

/** Changes the addresses in a module, wherever it stands in `source`, for a module that stands in the folder of all. */
function withAddresses(text: string, file: string, source: string): string {
  return text.replaceAll(addresses, (_, quote: string, address: string, rest: string) => {
    const path = relative(source, resolve(dirname(file), address));
    const moved = path.endsWith('.ts') ? basename(path, '.ts').concat('.js') : path;
    const folder = address.endsWith('/') ? '/' : '';
    return `new URL(${quote}./${moved}${folder}${rest}${quote}, import.meta.url)`;
  });
}

function moved(source: string): Plugin {
  return {
    name: 'moved',
    setup({ onLoad }) {
      onLoad({ filter: /\.(ts|js)$/ }, ({ path }) => {
        if (basename(path) === onlyInCheckout) return { contents: '' };
        const loader = path.endsWith('.ts') ? 'ts' : 'js';
        return { contents: withAddresses(readFileSync(path, 'utf8'), path, source), loader };
      });
    },
  };
}

/** Copies what is sent or executed as it is, such as pages and migrations, to where the addresses lead. */
function copyOthers(source: string, target: string): void {
  const isOther = (name: string) => !name.endsWith('.ts') && name !== 'main.js';
  for (const name of globSync('**/*.*', { cwd: source }).filter(isOther)) {
    if (name.startsWith(join('console', 'ui'))) continue;
    const copy = join(target, name);
    cpSync(join(source, name), copy);
    if (!/\.(js|css)$/.test(name)) continue;
    const options = { minify: true, charset: 'utf8', legalComments: 'none' } as const;
    const loader = name.endsWith('.js') ? 'js' : 'css';
    writeFileSync(copy, transformSync(readFileSync(copy, 'utf8'), { loader, ...options }).code);
  }
}

/** Bundles the sources of a folder into another one. Throws where they do not fit together. */
export async function bundlePackage(source: string, target: string): Promise<void> {
  await build({
    entryPoints: [...entriesOf(source)],
    outdir: target,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node22', packages: 'external' },
    // Functions keep their names, and lines stay short, so that a stack says where it was.
    ...{ minify: true, keepNames: true, lineLimit: 160, legalComments: 'none', charset: 'utf8' },
    logLevel: 'warning',
    plugins: [moved(source)],
  });
  copyOthers(source, target);
}
