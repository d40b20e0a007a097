import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { inLatin1 } from '../../tools/bundle-package.ts';
import { isUnreachable, npm, pack } from './pack.ts';

/** What `npm pack` makes: its contents, its types, and that it runs on every Node that it says it runs on. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const { engines, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'grs-package-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const packed = pack();
/** The oldest Node of each supported line. The last line is that of the tests. */
const oldest: readonly string[] = engines.node.match(/\d+\.\d+\.\d+/g);
/** These, from npm packages that hold nothing else. */
const nodes = oldest.slice(0, -1).map((version) => ({
  version,
  alias: `node-${version}`,
  source: `npm:node-${process.platform}-${process.arch}@${version}`,
}));

/** An empty folder into which npm installs the package. */
const project = join(folder, 'project');
mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
const installed = npm(
  [
    ...['install', '--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock', '--fetch-retries=0'],
    ...[packed.file, ...nodes.map(({ alias, source }) => `${alias}@${source}`)],
  ],
  project,
);
const isNotThere = /\bE404\b[\s\S]*node-/.test(installed.stderr);
const reason = isUnreachable(installed)
  ? 'npm reaches no packages'
  : isNotThere
    ? 'no Node in npm for this machine'
    : undefined;
if (reason !== undefined) console.log(`test/package: installing is skipped: ${reason}`);

/** Skips a test where nothing can be installed; any other failure of npm is one of the package. */
function needsInstalled(context: TestContext): boolean {
  if (reason !== undefined) {
    context.skip(reason);
    return false;
  }
  assert.equal(installed.status, 0, installed.stderr);
  return true;
}

test('npm pack: the package has what runs, and nothing else', () => {
  const strange = packed.files.filter((file) => !/^(bin|dist)\/|^(package\.json|README\.md|LICENSE)$/.test(file));
  assert.deepEqual(strange, []);
  const typescript = packed.files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  assert.deepEqual(typescript, [], 'Node strips no types inside node_modules');
  const names = (pattern: string) =>
    globSync(pattern, { cwd: join(root, 'src') }).filter((file) => !/\.tsx?$/.test(file));
  assert.ok(
    packed.files.some((file) => /^dist\/console\/assets\/main-\w+\.js\.br$/.test(file)),
    'the console is bundled',
  );
  for (const file of names('**/*.*')) assert.ok(packed.files.includes(`dist/${file}`), `${file} is missing`);
  // The tables of lemmas are compressed already.
  const data = globSync('*', { cwd: join(root, 'packages/words/tables') });
  for (const file of data) assert.ok(packed.files.includes(`dist/lemmas/${file}`), `${file} is missing`);
  assert.ok(data.includes('LICENSE.txt'));
  const dataSize = data.reduce((sum, file) => sum + statSync(join(root, 'packages/words/tables', file)).size, 0);
  assert.ok(dataSize <= 4 * 1024 * 1024, `${dataSize} bytes of tables`);
  // 702 KiB; the goal is 650. The console takes 26 %, half of that its editor of JSON; the first parts of compounds and the tokens of HTML 6 %.
  assert.ok(packed.size - dataSize <= 770 * 1024, `${packed.size} bytes, ${dataSize} of them tables`);
});

test('npm pack: the service is in Latin-1, of which V8 keeps a byte for each character, and says what it said', () => {
  const built = join(packed.checkout, 'dist');
  const files = globSync('*.js', { cwd: built });
  assert.ok(files.length > 50, `${files.length} files`);
  const wide = files.filter((file) => /[^\0-\xff]/.test(readFileSync(join(built, file), 'utf8')));
  assert.deepEqual(wide, []);
  const program = `({ texts: ['“é”', \`字\${1}…\`, '😀', '\\\\“'], pattern: /^[ァ-ヶ😀]$/u })`;
  const { texts, pattern } = runInNewContext(inLatin1(program)) as { texts: readonly string[]; pattern: RegExp };
  assert.deepEqual([...texts], ['“é”', '字1…', '😀', '\\“']);
  assert.ok(pattern.test('ケ') && pattern.test('😀') && !pattern.test('x'));
  for (const other of ["'\\“'", 'String.raw`“`']) assert.throws(() => inLatin1(other), /Latin-1|String.raw/);
});

test('package.json: the package brings no Node, and names those that it runs on in the form that its commands check', () => {
  assert.equal(dependencies.node, undefined);
  assert.match(engines.node, /^(\^\d+\.\d+\.\d+ \|\| )*>=\d+\.\d+\.\d+$/);
});

test('grs: a Node that the package does not run on is named, with those that it needs', () => {
  const other = join(folder, 'other');
  cpSync(join(root, 'bin'), join(other, 'bin'), { recursive: true });
  const [major] = process.versions.node.split('.').map(Number);
  for (const node of [`>=${major! + 1}.0.0`, `^${major! - 1}.0.0`, `>=${major}.999.0`]) {
    writeFileSync(join(other, 'package.json'), JSON.stringify({ type: 'module', engines: { node } }));
    const { status, stderr } = spawnSync(process.execPath, [join(other, 'bin/grs.js')], { encoding: 'utf8' });
    assert.equal(stderr, `This is Node ${process.versions.node}. Generic Resource Service runs on ${node}.\n`);
    assert.equal(status, 78);
  }
});

test('the installed package is at most 45 MB, the images library apart', (context) => {
  if (!needsInstalled(context)) return;
  const files = globSync('node_modules/**/*', { cwd: project }).filter((file) => {
    return !/^node_modules\/(node-\d|sharp\/|@img\/|\.bin\/)/.test(file);
  });
  const bytes = files.reduce((sum, file) => sum + statSync(join(project, file)).size, 0);
  assert.ok(bytes > 1_000_000 && bytes <= 45_000_000, `${bytes} bytes`);
});

test('types: the action of an operator is checked by the declarations of the package', (context) => {
  if (!needsInstalled(context)) return;
  writeFileSync(
    join(project, 'action.ts'),
    `import { createTestServer, defineAction, defineBackend, type JsonObject } from 'generic-resource-service';

    export default defineAction({
      name: 'raise',
      summary: 'Raises a number.',
      changes: 'fields',
      fields: { by: { type: 'integer', description: 'By how much.', example: 1 } },
      apply(own, { by }, tools) {
        // @ts-expect-error: it is a number.
        const wrong: string = by;
        return tools.set(own, ['size'], wrong) satisfies JsonObject;
      },
    });

    export const backend = defineBackend({
      handlers: {
        'GET namespace-action': ({ query }) => ({ body: { grams: Number(query.get('grams') ?? 0) } }),
        // @ts-expect-error: there is no such backend action.
        'GET nothing': () => ({ body: {} }),
      },
    });

    export async function test(): Promise<number> {
      await using server = await createTestServer({ settings: { QUERY_TIMEOUT_MS: '1000' } });
      const { status } = await server.inject({ path: '/my-shop/resource', scope: 'view_test:my-shop' });
      // @ts-expect-error: a setting is a text.
      await createTestServer({ settings: { PORT: 1 } });
      return status;
    }
    `,
  );
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'esnext', '--lib', 'esnext,dom'];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const checked = spawnSync(process.execPath, [compiler, ...options, '--types', '', 'action.ts'], {
    cwd: project,
    encoding: 'utf8',
  });
  assert.equal(checked.stdout, '');
  assert.equal(checked.status, 0);
});

/** Runs the smoke test in the project with one Node, which is the first in the path. */
function smoke(binary: string): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
  cpSync(join(root, 'test/package/smoke.js'), join(project, 'smoke.js'));
  cpSync(join(root, 'examples/actions'), join(project, 'actions'), { recursive: true });
  for (const data of globSync('data-*', { cwd: project })) rmSync(join(project, data), { recursive: true });
  const env = { PATH: `${dirname(binary)}${delimiter}${process.env.PATH}`, TMPDIR: folder };
  return spawnSync(binary, ['smoke.js'], { cwd: project, encoding: 'utf8', env, timeout: 300_000 });
}

function assertRuns({ stdout, stderr, status }: ReturnType<typeof smoke>): void {
  assert.equal(stdout.trim(), 'done', stderr);
  assert.equal(status, 0, stderr);
}

test('the package runs on the Node of the tests', (context) => {
  if (needsInstalled(context)) assertRuns(smoke(process.execPath));
});

for (const { version, alias } of nodes) {
  test(`the package runs on Node ${version}`, (context) => {
    if (needsInstalled(context)) assertRuns(smoke(join(project, `node_modules/${alias}/bin/node`)));
  });
}
