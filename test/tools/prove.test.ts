import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { controls } from '../../tools/prove/controls.ts';
import { encodeRequest, mutate, mutateBytes } from '../../tools/prove/fuzz/mutate.ts';
import { acknowledgedWrites, compareLedger, type Found, type Ledger, type Step } from '../../tools/prove/ledger.ts';
import { crashImage } from '../../tools/prove/power-loss/crash-image.ts';
import { parseTrace } from '../../tools/prove/power-loss/syscall-trace.ts';
import { randomOf } from '../../tools/prove/random.ts';
import { runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const prove = (...args: readonly string[]) => runProgram(`${root}tools/prove.ts`, args);

const one: Step = { version: 1, value: 'a' };
const two: Step = { version: 2, value: 'b' };
const gone: Step = { version: 2, value: undefined };
type Case = readonly [
  name: string,
  steps: Step[],
  acknowledged: number,
  found: Found | undefined,
  result: RegExp | number,
];
const cases: readonly Case[] = [
  ['the acknowledged state', [one, two], 2, { version: 2, value: 'b' }, 0],
  ['the state before the write in flight', [one, two], 1, { version: 1, value: 'a' }, 0],
  ['the state of the write in flight', [one, two], 1, { version: 2, value: 'b' }, 1],
  ['nothing, as the first write was in flight', [one], 0, undefined, 0],
  ['nothing, as it was deleted', [one, gone], 2, undefined, 0],
  ['nothing, as the deletion was in flight', [one, gone], 1, undefined, 1],
  ['nothing', [one], 1, undefined, /^lost: r: found nothing/],
  ['an earlier version', [one, two], 2, { version: 1, value: 'a' }, /^lost: /],
  ['what was deleted', [one, gone], 2, { version: 1, value: 'a' }, /^lost: /],
  ['another value', [one, two], 2, { version: 2, value: 'c' }, /^changed: /],
  ['a version that was never sent', [one], 1, { version: 2, value: 'a' }, /^changed: /],
];

for (const [name, steps, acknowledged, found, result] of cases) {
  test(`compareLedger: ${acknowledged} of ${steps.length} acknowledged, found ${name}: ${result}`, () => {
    const ledger: Ledger = new Map([['r', { steps, acknowledged }]]);
    const { violations, unacknowledged } = compareLedger(ledger, new Map(found ? [['r', found]] : []));
    if (typeof result === 'number') assert.deepEqual([violations, unacknowledged], [[], result]);
    else assert.match(violations.join('\n'), result);
    assert.equal(acknowledgedWrites(ledger), acknowledged);
  });
}

test('compareLedger: finds a resource that nobody wrote', () => {
  const { violations } = compareLedger(new Map(), new Map([['r', { version: 1, value: 'a' }]]));
  assert.match(violations.join('\n'), /^unknown: r: found version 1/);
});

for (const [name, { file, from }] of Object.entries(controls)) {
  test(`prove: the control ${name} changes something: its text stands once in ${file}`, () => {
    assert.equal(readFileSync(root + file, 'utf8').split(from).length, 2);
  });
}

test('prove: wrong arguments are refused with what is expected', async () => {
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['nothing'], /Expected one of these proofs: writes/],
    [['fuzz', '--requests', '0'], /--requests: expected a whole number of at least 1, not “0”/],
    [['fuzz', '--images', '5'], /fuzz takes --requests, not --images/],
    [['fuzz', '--workers', '2'], /fuzz takes no --workers/],
    [['writes', '--control', 'syncs-late'], /--control: expected one of acknowledges-early, /],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await prove(...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  const { code, stdout } = await prove();
  assert.equal(code, 0);
  assert.match(stdout, /writes +--minutes 60/);
});

test('prove fuzz: finds nothing in some requests, and catches a build that takes any body for an object', async () => {
  const { code, stdout, stderr } = await prove('fuzz', '--requests', '400', '--seed', '7');
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /^nothing found: requests 400, succeeded \d+, refused \d+, unavailable \d+, closed /m);
  assert.match(stdout, /^Control \(a body is taken for an object.*: caught: \d+ × failed/m);
});

const writesFound = /^nothing found: rounds \d+, writes \d[\d,]*, acknowledged \d+, refused \d+, unknown \d+, reads /m;

test('prove writes: finds nothing in a round, and catches a build that keeps no responses for repeats', async () => {
  const args = ['--minutes', '0.01', '--workers', '1', '--control', 'forgets-repeats', '--seed', '7'];
  const { code, stdout, stderr } = await prove('writes', ...args);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, writesFound);
  assert.match(stdout, /^Control \(the response to an Idempotency-Key is not kept.*: caught: .*\d+ × (twice|repeat)/m);
});

const seedRequest = {
  method: 'POST',
  path: ['p', 'resource'],
  query: [['a', 'b c']],
  headers: [],
  body: { x: 1 },
} as const;

test('fuzz: a request is written as HTTP, and mutations follow the seed', () => {
  assert.equal(
    encodeRequest(seedRequest, 't', { ...randomOf(1), next: () => 0 }).toString(),
    'POST /p/resource?a=b%20c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer t\r\n' +
      'Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"x":1}',
  );
  const some = (seed: number) => {
    const random = randomOf(seed);
    return Array.from({ length: 50 }, () =>
      mutateBytes(encodeRequest(mutate(seedRequest, random), 't', random), random).toString('latin1'),
    );
  };
  assert.deepEqual(some(3), some(3));
  assert.equal(new Set(some(3)).size, 50);
  assert.notDeepEqual(some(3), some(4));
});

test('parseTrace: knows what a store does to its files, and names what it does not know', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '\\x$&');
  const file = `7<${hex('/data/grs.db')}>`;
  const events = parseTrace(
    [
      `11 pwrite64(${file}, "${hex('page')}", 4, 4096) = 4`,
      `12 fdatasync(${file} <unfinished ...>`,
      `11 writev(9<${hex('socket:[5]')}>, [{iov_base="${hex('HTTP/1.1 ')}", iov_len=9}, {iov_base="${hex('201')}", iov_len=3}], 2) = 12`,
      `12 <... fdatasync resumed>) = 0`,
      `11 fdatasync(${file}) = -1 EIO (Input/output error)`,
      `11 write(${file}, "${hex('appended')}", 8) = 8`,
      `11 pwrite64(${file}, "${hex('cut off')}"..., 200000, 0) = 200000`,
      `11 rename("${hex('/data/new')}", "${hex('/data/grs.db')}") = 0`,
    ].join('\n'),
  );
  const path = '/data/grs.db';
  assert.deepEqual(events, [
    { kind: 'write', path, bytes: Buffer.from('page'), offset: 4096, start: 0, end: 0 },
    { kind: 'print', text: 'HTTP/1.1 201', start: 2, end: 2 },
    { kind: 'sync', path, start: 1, end: 3 },
    { kind: 'unknown', path, call: 'write', start: 5, end: 5 },
    { kind: 'unknown', path, call: 'pwrite64', start: 6, end: 6 },
    { kind: 'unknown', path, call: 'rename', start: 7, end: 7 },
  ]);
  assert.throws(() => crashImage(events, 9, () => true, randomOf(1)), /what this call does to .*grs\.db is not known/);
});
