/**
 * `npm run explore -- 20`: runs the tests that choose at random with 20 new seeds, one after the other, and names the
 * seeds that found something. `npm run explore -- 20 test/domain/json/parse.test.ts` runs these files only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [count = '10', ...named] = process.argv.slice(2);
const rounds = Number(count);

if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: npm run explore -- <how many seeds, 1 or more> [<test file> …]');
  process.exit(2);
}

function choosesAtRandom(file: string): boolean {
  return /'fast-check'|[./]random\.ts'|seed\.ts'|\.suite\.ts'/.test(
    readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'),
  );
}

async function passes(seed: number, files: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, ['test/run.ts', ...files], {
    cwd: root,
    env: { ...process.env, TEST_SEED: String(seed) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) console.log(output);
  return code === 0;
}

const files = named.length > 0 ? named : globSync('test/**/*.test.ts', { cwd: root }).sort().filter(choosesAtRandom);
const found: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const good = await passes(seed, files);
  if (!good) found.push(seed);
  console.log(
    `${round} of ${rounds}: seed ${seed}, ${files.length} files: ${good ? 'nothing found' : 'FAILED, see above'}`,
  );
}
if (found.length > 0) {
  console.log(`To run one again: TEST_SEED=${found[0]} npm test -- <file>`);
  process.exitCode = 1;
}
