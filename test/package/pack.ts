import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What the image is built from (`.dockerignore` lets through nothing else), and what npm packs beside it. */
const sources = [
  ...readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1)),
  'README.md',
  'LICENSE',
];

/** What `npm pack --json` says of a package. */
export interface Packed {
  /** The copy of the sources that it was built in. */
  readonly checkout: string;
  /** The tarball. */
  readonly file: string;
  readonly size: number;
  readonly files: readonly string[];
}

/** Runs npm, without what the npm that runs the tests has set. */
export function npm(args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)/i.test(name)),
  );
  return spawnSync('npm', args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

/** True where npm failed because it reaches no packages. */
export function isUnreachable({ stderr }: SpawnSyncReturns<string>): boolean {
  return /E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NOTCACHED|HOSTUNREACH)\b/.test(stderr);
}

let packed: Packed | undefined;

/** The package, built and packed once in a process. */
export function pack(): Packed {
  packed ??= packAnew();
  return packed;
}

/** Builds and packs a copy of the sources, so that nothing of an earlier build can get in. */
function packAnew(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'grs-pack-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, 'checkout');
  const made = join(root, 'packages/client/dist');
  for (const name of sources)
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => path !== made });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const target = join(folder, 'packed');
  mkdirSync(target);
  const { status, stdout, stderr } = npm(['pack', '--json', '--silent', '--pack-destination', target], copy);
  if (status !== 0) throw new Error(`npm pack: ${stdout}${stderr}`);
  // What the build prints stands before it.
  const [report] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  const files = (report.files as readonly { readonly path: string }[]).map(({ path }) => path);
  return { checkout: copy, file: join(target, report.filename), size: report.size, files };
}
