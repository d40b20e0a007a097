import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entries = ['./src/main.tsx', './src/styles/console.css'];

/** Bundles the console: the files by name, among which are one `main-….js` and one `console-….css`. */
export async function bundleConsole(): Promise<ReadonlyMap<string, Uint8Array>> {
  const result = await build({
    entryPoints: entries.map((entry) => fileURLToPath(new URL(entry, import.meta.url))),
    outdir: 'assets',
    write: false,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return new Map(result.outputFiles.map(({ path, contents }) => [path.split(/[\\/]/).at(-1)!, contents]));
}
