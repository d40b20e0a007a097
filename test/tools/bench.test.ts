import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { parseBenchOptions } from '../../bench/options.ts';
import { goalShareOf, type Stage, trials } from '../../bench/trials.ts';
import { hasWrk, runWrk, sharedEnds } from '../../bench/wrk.ts';

const stage: Stage = { token: 'a-token', project: 'bench', count: 1000, idOf: (n) => `id-${n}` };
const trialOf = (name: string) => trials.find((trial) => trial.name === name)!;

test('bench: --count is a store of one size, --sizes are several, by default 1,000 and 100,000', () => {
  assert.deepEqual(parseBenchOptions([]).sizes, [1000, 100_000]);
  assert.deepEqual(parseBenchOptions(['--count', '1000000']).sizes, [1_000_000]);
  assert.deepEqual(parseBenchOptions(['--sizes', '10000,1000000']).sizes, [10_000, 1_000_000]);
  for (const args of [
    ['--count', '0'],
    ['--count', '1e'],
    ['--sizes', '10,'],
    ['--count', '1', '--sizes', '2'],
    ['--cuont', '1'],
  ]) {
    assert.throws(() => parseBenchOptions(args), args.join(' '));
  }
});

test('bench: the goal of uniform reads is lower for 1,000,000 resources, that of cached ones is not', () => {
  const goals = (name: string) => [1000, 100_000, 1_000_000].map((size) => goalShareOf(trialOf(name), size));
  assert.deepEqual(goals('GET by id, uniform'), [0.6, 0.6, 0.45]);
  assert.deepEqual(goals('GET by id, 1,000 cached'), [0.8, 0.8, 0.8]);
  assert.deepEqual(goals('create beside documents of 90,000 integers'), [undefined, undefined, undefined]);
});

test('bench: what one client creates or asks once, no other one does', () => {
  const names = trials.map(({ name }) => name).filter((name) => /^create|asked once/.test(name));
  assert.ok(names.length >= 5, names.join(', '));
  for (const name of names) {
    const clients = [trialOf(name).make(stage), trialOf(name).make(stage)];
    const sent = clients.flatMap((make) => Array.from({ length: 200 }, (_, n) => String(make(n))));
    assert.equal(new Set(sent).size, 400, name);
  }
});

test('bench: of repeated lists beside creates, each hundredth request is a create and the others come again', () => {
  const make = trialOf('list, 20 of the matches, beside 1 % creates').make(stage);
  const sent = Array.from({ length: 400 }, (_, n) => String(make(n)));
  assert.equal(sent.filter((request) => request.startsWith('POST ')).length, 4);
  assert.equal(new Set(sent.filter((request) => request.startsWith('GET '))).size, 20);
});

test('bench: a document of many integers has 90,000 of them, no two alike, in 540 KB', () => {
  const { beside } = trialOf('create beside documents of 90,000 integers');
  const body = String(beside!.make(stage)(0)).split('\r\n\r\n')[1]!;
  const { integers } = JSON.parse(body) as { readonly integers: readonly number[] };
  assert.equal(integers.length, 90_000);
  assert.equal(new Set(integers).size, 90_000);
  assert.equal(Math.round(body.length / 10_000), 54);
});

test('bench: what wrk is given is cut where all requests are alike, and put together again', () => {
  for (const texts of [
    ['GET /1 end', 'GET /22 end'],
    ['a'],
    ['ab', 'aab', 'b'],
    ['aa', 'a'],
    ['x', 'y'],
    ['same', 'same'],
  ]) {
    const { begin, end, between } = sharedEnds(texts);
    assert.deepEqual(
      between.map((text) => begin + text + end),
      texts,
    );
  }
  const { begin, end } = sharedEnds(['GET /1 end', 'GET /22 end']);
  assert.deepEqual([begin, end], ['GET /', ' end']);
});

// Continuous integration does without wrk.
if (hasWrk()) {
  test('bench: wrk sends each request, the first one too, and says when it had no more', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url!);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const requests = ['a', 'b', 'c', 'd', 'e'].map((name) => `GET /${name} HTTP/1.1\r\nhost: bench\r\n\r\n`);
      const sentOnce = await runWrk({ port, connections: 1, ms: 1000, requests });
      assert.deepEqual(seen.slice(0, 5), ['/a', '/b', '/c', '/d', '/e']);
      assert.deepEqual([...new Set(seen.slice(5))], ['/e'], 'only the last one comes again, before wrk stops');
      assert.deepEqual([sentOnce.ranOut, sentOnce.refused], [true, 0]);
      seen.length = 0;
      const again = await runWrk({ port, connections: 1, ms: 1000, requests, repeats: true });
      assert.deepEqual(seen.slice(0, 7), ['/a', '/b', '/c', '/d', '/e', '/a', '/b']);
      assert.equal(again.ranOut, false);
    } finally {
      server.close();
    }
  });
}
