import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Runs the service as its users do, in a folder of its own, and the examples against it. */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'grs-examples-'));
const scripts = globSync('examples/*.sh', { cwd: root }).sort();
// Settings of the developer's own shell do not reach it.
const environment = {
  ...{ HOME: process.env.HOME, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', SHED_DELAY_MS: '0' },
  ...{ QUERY_TIMEOUT_MS: '60000', DRAIN_TIMEOUT_MS: '60000' },
  ACTIONS_DIR: join(root, 'examples/actions'),
  // The examples call node: it is to be this one.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
};

function missingTool(): string | undefined {
  return ['bash', 'curl'].find((tool) => spawnSync(tool, ['--version']).error !== undefined);
}

const missing = missingTool();
const skip = missing === undefined ? false : `${missing} is not here`;
if (skip) process.stdout.write(`examples by curl: skipped, ${skip}\n`);

let service: ChildProcess;
let base = '';

before(async () => {
  service = spawn(process.execPath, [join(root, 'src/main.js'), 'serve'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  service.stderr!.on('data', (text) => {
    complaint += text;
  });
  const ended = new Promise<never>((_, reject) => {
    service.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${complaint}`)));
  });
  const address = new Promise<string>((resolve) => {
    createInterface({ input: service.stdout! }).on('line', (line) => {
      const found = (JSON.parse(line) as { address?: string }).address;
      if (found) resolve(found);
    });
  });
  ended.catch(() => {});
  base = await Promise.race([address, ended]);
});

after(async () => {
  if (service.exitCode === null) {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    assert.equal(await ended, 0, 'exit code after SIGTERM');
  }
  rmSync(folder, { recursive: true, force: true });
});

function run(
  command: string,
  args: readonly string[],
  { cwd = folder, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { cwd, env: { ...environment, BASE: base, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

const outputs = new Map<string, Promise<string>>();

/** What a script prints. Each is run once, however many tests look at it. */
function outputOf(script: string): Promise<string> {
  const known =
    outputs.get(script) ??
    run('bash', [join(root, script)]).then(({ code, output }) => {
      assert.equal(code, 0, output);
      return output;
    });
  outputs.set(script, known);
  return known;
}

/** What a script promises (`… → 201` in its comments), in order. */
function promised(script: string): readonly number[] {
  const text = readFileSync(join(root, script), 'utf8');
  return [...text.matchAll(/^#.*→ (\d{3})$/gm)].map(([, status]) => Number(status));
}

for (const script of scripts.filter((name) => !['examples/begin.sh', 'examples/needs.sh'].includes(name))) {
  test(`${script}: every call gets the status that its comment promises`, { skip }, async () => {
    const expected = promised(script);
    const calls = readFileSync(join(root, script), 'utf8').match(/^(api|list|search|post|curl) /gm) ?? [];
    assert.ok(expected.length > 3 && expected.length === calls.length, `${expected.length} of ${calls.length} calls`);
    const output = await outputOf(script);
    const statuses = [...output.matchAll(/^HTTP (\d{3})$/gm)].map(([, status]) => Number(status));
    assert.deepEqual(statuses, expected, output);
  });
}

test('examples/tour.sh: shows the versions, the conflict and the staged weight that its text speaks of', {
  skip,
}, async () => {
  const output = await outputOf('examples/tour.sh');
  const answers = output.split(/^HTTP \d{3}$/m);
  assert.match(answers[0]!, /9007199254740993/);
  assert.match(answers[1]!, /^etag: "1-[0-9a-f]{10}"/im);
  assert.match(answers[3]!, /"currentVersion":2,"changedFields":\["someProperty"\]/);
  assert.match(answers[5]!, /"total":1/);
  assert.match(answers[9]!, /"weight":210/);
  assert.match(answers[10]!, /"weight":190/);
  assert.match(answers[11]!, /"weight":190/);
  assert.match(answers[12]!, /"version":5/);
});

interface Product {
  readonly type: string;
  readonly material: string;
  readonly color: string;
  readonly size?: readonly number[];
  readonly price: number;
  readonly brand: string;
  readonly sku: string;
  readonly stock: boolean;
}

type Condition = (product: Product) => boolean;

/** What the tour of search prints, answer by answer, and the catalogue to compare it with. */
async function searchTour() {
  const catalogue = await run(process.execPath, [join(root, 'examples/catalogue.ts')]);
  const lines = catalogue.output.trim().split('\n');
  const products = lines.map((line) => JSON.parse(line) as Product);
  const output = await outputOf('examples/search.sh');
  const answers = output.split(/^HTTP \d{3}$/m);
  return {
    ...{ output, answers },
    found: answers.map((answer) => Number(/^(\d+) found$/m.exec(answer)?.[1])),
    /** The count on a line of facets. */
    counted: (answer: number, line: string) => {
      const text = answers[answer]!.split('\n').find((each) => each.startsWith(`    ${line}: `));
      return Number(text?.split(': ')[1]);
    },
    /** How many products of the catalogue satisfy all conditions. */
    count: (...all: Condition[]) => products.filter((product) => all.every((holds) => holds(product))).length,
  };
}

const isOf =
  (material: string): Condition =>
  (product) =>
    product.material === material;
const isA =
  (type: string): Condition =>
  (product) =>
    product.type === type;
const has =
  (...colors: string[]): Condition =>
  ({ color }) =>
    colors.includes(color);

test('examples/search.sh: text finds what it should in each language, form, typo and locale', { skip }, async () => {
  const { output, answers, found, count } = await searchTour();
  assert.match(output, /^200 products: HTTP 201$/m);
  const oakChairs = count(isA('chair'), isOf('oak'));
  const velvetArmchairs = count(isA('armchair'), isOf('velvet'));
  assert.ok(oakChairs > 0 && velvetArmchairs > 0);
  assert.deepEqual(found.slice(0, 4), [oakChairs, oakChairs, oakChairs, velvetArmchairs]);
  const ofAKind = 20;
  assert.deepEqual(found.slice(4, 9), [ofAKind, ofAKind, 0, ofAKind, 0]);
  assert.deepEqual(found.slice(9, 11), [ofAKind, 2 * ofAKind]);
  assert.match(answers[9]!, / Armchair .* \/ Sessel /);
  assert.match(answers[10]!, / (?:Chair|Armchair) .* \/ (?:Stuhl|Sessel) /);
});

test('examples/search.sh: filters find and facets count what the catalogue holds', { skip }, async () => {
  const { found, counted, count } = await searchTour();
  const affordable: Condition = ({ price, size }) => price >= 3000 && price <= 5000 && size !== undefined;
  assert.equal(found[11], count(affordable, has('red', 'blue')));
  const fits: Condition = ({ size = [] }) => size.includes(38) && size.includes(40);
  assert.equal(
    found[12],
    count(fits, ({ brand, stock }) => brand === 'Tannwald' && stock),
  );
  const shoe = isA('shoe');
  assert.equal(found[13], count(shoe));
  assert.equal(counted(13, 'suede'), count(shoe, isOf('suede')));
  assert.equal(
    counted(13, '* to 8000'),
    count(shoe, ({ price }) => price < 8000),
  );
  assert.equal(
    counted(13, 'with one of the values'),
    count(shoe, ({ brand }) => brand === 'Lumen' || brand === 'Moor'),
  );
});

test('examples/search.sh: each of the three filters narrows what its comment says', { skip }, async () => {
  const { found, counted, count } = await searchTour();
  const lamp = isA('lamp');
  const redLamps = count(lamp, has('red'));
  const brassLamps = count(lamp, isOf('brass'));
  const blueLamps = count(lamp, has('blue'));
  assert.deepEqual(found.slice(14, 17), [count(lamp), redLamps, redLamps]);
  const brass = [14, 15, 16].map((answer) => counted(answer, 'brass'));
  assert.deepEqual(brass, [brassLamps, brassLamps, count(lamp, isOf('brass'), has('red'))]);
  const blue = [14, 15, 16].map((answer) => counted(answer, 'blue'));
  assert.deepEqual(blue, [blueLamps, blueLamps, blueLamps]);
});

test('examples/search.sh: shows the preview before the publication, a long query and a mistake', { skip }, async () => {
  const { answers, found, count } = await searchTour();
  assert.deepEqual(
    [18, 19, 21].map((answer) => found[answer]),
    [0, 1, 1],
  );
  const listed: Condition = ({ sku }) => sku === 'LA-1006' || (sku.startsWith('SH-') && Number(sku.slice(3)) <= 1150);
  assert.equal(found[22], count(listed));
  assert.match(answers[23]!, /Malformed parameter: filter: /);
});

test('examples/client.ts: ten buyers at once each take one piece', async () => {
  const { code, output } = await run(process.execPath, [join(root, 'examples/client.ts')]);
  assert.equal(output, '10 buyers at once: stock 10, version 11\n');
  assert.equal(code, 0);
});

test('examples/*.sh, *.ts: where something is missing, they say so at once and end with 1', { skip }, async () => {
  const nowhere = { env: { BASE: 'http://127.0.0.1:1' } };
  const noFolder = { cwd: tmpdir() };
  const wrongClient = { env: { ADMIN: 'nobody:nothing' } };
  const programs = ['client.ts', 'shop.ts'].map((name) => [process.execPath, `examples/${name}`] as const);
  const sourced = ['examples/begin.sh', 'examples/needs.sh'];
  const all = [
    ...scripts.filter((name) => !sourced.includes(name)).map((name) => ['bash', name] as const),
    ...programs,
  ];
  for (const [command, script] of all) {
    const file = join(root, script);
    const lost = await run(command, [file], nowhere);
    assert.match(lost.output, /There is no service at http:\/\/127\.0\.0\.1:1\. Start it .*npm start.*BASE/, script);
    const elsewhere = await run(command, [file], noFolder);
    assert.match(elsewhere.output, /There is no data\/admin-client\.json here\./, script);
    assert.deepEqual([lost.code, elsewhere.code], [1, 1], script);
  }
  const refused = await run('bash', [join(root, 'examples/lists.sh')], wrongClient);
  assert.match(refused.output, /gave no token: Please provide valid client credentials/);
  assert.equal(refused.code, 1);
});

test('examples/search.sh: with a Node that does not run TypeScript it ends with 1 and finds nothing', {
  skip,
}, async () => {
  const old = mkdtempSync(join(tmpdir(), 'grs-old-node-'));
  const refusesTypes = `#!/bin/sh\ncase "$1" in *.ts) exit 9;; --version) echo v20.0.0;; *) exec '${process.execPath}' "$@";; esac\n`;
  mkdirSync(join(old, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(old, 'node_modules/.bin/node'), refusesTypes, { mode: 0o755 });
  cpSync(join(root, 'examples'), join(old, 'examples'), { recursive: true });
  const { code, output } = await run('bash', [join(old, 'examples/search.sh')]);
  assert.match(output, /^search\.sh: catalogue\.ts does not run with Node v20\.0\.0\. Run “npm ci”/m);
  assert.doesNotMatch(output, /found/);
  assert.equal(code, 1);
  rmSync(old, { recursive: true });
});

test('examples/shop.ts: serves the shop front with a cart and its pictures', async () => {
  const child = spawn(process.execPath, [join(root, 'examples/shop.ts')], {
    cwd: folder,
    env: { ...environment, BASE: base, SHOP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const [, page = '', token = ''] = /^Open (\S+)#base=\S+&project=shop&token=(\S+)$/.exec(address) ?? [];
    assert.match(await (await fetch(page)).text(), /<title>Your cart<\/title>/);
    const cart = await fetch(`${page}shop/resource/namespace-action-with-example`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { lineItems, sum } = (await cart.json()) as {
      lineItems: readonly { variant: { images: readonly string[] } }[];
      sum: { centAmount: number };
    };
    assert.equal(sum.centAmount, 46_090);
    assert.deepEqual(
      lineItems.map(({ variant }) => variant.images.length),
      [1, 1, 0],
    );
    // The page has a publishable key, and each visitor a cart of their own, in a cookie.
    assert.match(token, /^grs_pub_shop\./);
    const products = (await (
      await fetch(`${page}shop/resource/sorted-query-parameters`, { headers: { authorization: `Bearer ${token}` } })
    ).json()) as { total: number; results: readonly object[] };
    assert.equal(products.total, 3);
    assert.ok(products.results.every((product) => !('createdBy' in product)));
    const visitor = async () => {
      const cookie = (await fetch(page)).headers.get('set-cookie') ?? '';
      assert.match(cookie, /^session=[\w-]{36}; HttpOnly/);
      return { cookie: cookie.split(';', 1)[0]!, 'content-type': 'application/json' };
    };
    const actionOf = (headers: Record<string, string>, body?: string) =>
      fetch(`${page}shop/resource/namespace-action`, { headers, ...(body && { method: 'POST', body }) });
    const [one, other] = [await visitor(), await visitor()];
    assert.equal((await actionOf(one, '{"lineItems":[]}')).status, 200);
    const lengthOf = async (headers: Record<string, string>) =>
      ((await (await actionOf(headers)).json()) as { lineItems: readonly unknown[] }).lineItems.length;
    assert.deepEqual([await lengthOf(one), await lengthOf(other)], [0, 3]);
    const image = await fetch(new URL(lineItems[0]!.variant.images[0]!, page));
    assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/png']);
  } finally {
    child.kill();
  }
});

test("GET /openapi.json: an operator's own action is described beside the built-in ones", async () => {
  const response = await fetch(`${base}/openapi.json`);
  assert.equal(response.status, 200);
  const text = await response.text();
  for (const action of ['changeSomeProperty', 'applyDiscount']) assert.match(text, new RegExp(`"${action}"`));
});
