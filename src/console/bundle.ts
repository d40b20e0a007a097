import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { type StaticFile, staticFile } from '../http/response/static-file.ts';

/** The files of the console: the page, and those that it loads, by name. */
export type Bundle = ReturnType<typeof bundleOf>;

/** The console cannot be shown. The message says why and what to do. */
export class BundleMissing extends Error {
  override readonly name = 'BundleMissing';
}

/** Where the package has the bundled files. A checkout has none: there they are bundled when they are first asked for. */
const packagedFolder = new URL('./assets/', import.meta.url);
/** They are packed by Brotli, which makes them a sixth smaller than the package's own gzip does. */
const packed = '.br';

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Its name changes with its content, so nobody need ask for it twice. */
function assetOf(name: string, bytes: Uint8Array): StaticFile {
  const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return staticFile(bytes, { 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' });
}

/**
 * Makes the page as HTML. Its script and style sheet have names that change with their content. The editor of JSON writes style
 * elements with the nonce, and nothing else may. `servicePath`: where the service is. `outsideLogin`: the host of the issuer by
 * which people can log in, if there is one.
 */
function pageOf(script: string, style: string) {
  return (nonce: string, servicePath: string, outsideLogin?: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="csp-nonce" content="${nonce}">${outsideLogin === undefined ? '' : `\n<meta name="outside-login" content="${outsideLogin}">`}
<title>Console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${servicePath}/console/assets/${style}">
<script type="module" src="${servicePath}/console/assets/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript. The API and its documentation at ${servicePath}/docs do not.</noscript>
</body>
</html>
`;
}

/** The bundle of files by name, among which are one `main-….js` and one `console-….css`. */
function bundleOf(files: ReadonlyMap<string, Uint8Array>) {
  const named = (prefix: string, suffix: string) => {
    const name = [...files.keys()].find((file) => file.startsWith(prefix) && file.endsWith(suffix));
    if (name === undefined) throw new Error(`The bundle of the console has no ${prefix}…${suffix}`);
    return name;
  };
  const assets = new Map([...files].map(([name, bytes]) => [name, assetOf(name, bytes)]));
  return { page: pageOf(named('main-', '.js'), named('console-', '.css')), assets };
}

/** Bundles the sources. Throws `BundleMissing` where the bundler is not installed. */
async function buildFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { bundleConsole } = await import('#console').catch(() => {
    throw new BundleMissing(
      'The console is not built: install with “npm ci” (not --omit=dev), or use the package, which has it built.',
    );
  });
  return bundleConsole();
}

/** Bundles the console into a folder as the package has it, which has no sources of it. */
export async function packFiles(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of await buildFiles())
    writeFileSync(join(folder, `${name}${packed}`), brotliCompressSync(bytes));
}

function packedFiles(folder: URL): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(folder).filter((name) => name.endsWith(packed));
  return new Map(
    names.map((name) => [name.slice(0, -packed.length), brotliDecompressSync(readFileSync(new URL(name, folder)))]),
  );
}

/**
 * Makes the function that returns the bundle: made by its first call, and again after one that failed. It is read from
 * the folder that `packFiles` filled, and bundled out of the sources where there is none.
 */
export function createBundle(folder: URL = packagedFolder): () => Promise<Bundle> {
  let bundle: Promise<Bundle> | undefined;
  return () => {
    bundle ??= (existsSync(folder) ? Promise.resolve(packedFiles(folder)) : buildFiles()).then(bundleOf);
    bundle.catch(() => {
      bundle = undefined;
    });
    return bundle;
  };
}
