import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { test } from 'node:test';
import { AddressDenied, createAddressGuard, sharedLookups } from '../../src/network/address-guard.ts';
import { isAddressRange } from '../../src/network/address-range.ts';
import { exchange } from '../../src/network/exchange.ts';
import { answerJson, startBackend } from './backend-server.ts';

const nobody = () => Promise.reject(new Error('no name is to be looked up'));
const guard = createAddressGuard([], false, nobody);

function outgoing(url: string, own = guard) {
  const parts = { url: new URL(url), method: 'GET', headers: {}, body: '', maxBytes: 1000 } as const;
  return { ...parts, agent: new Agent(), guard: own };
}

test('addresses that are not public are refused: own, private, shared, link-local, metadata, mapped, special', () => {
  const refused = [
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254', '169.254.169.254'],
    ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1'],
    ...['203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      'fc00::1',
      'fd00:ec2::254',
    ],
    ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '2001:db8::1', '2001::1', '2002:7f00:1::'],
    ...['localhost', '', 'none', '127.1', '0x7f000001', '2130706433'],
  ];
  assert.deepEqual(
    refused.filter((address) => guard.allows(address)),
    [],
  );
});

test('public addresses are allowed, and those that the operator names, by range', () => {
  const publicOnes = ['8.8.8.8', '100.63.255.255', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'];
  assert.deepEqual(
    publicOnes.filter((address) => !guard.allows(address)),
    [],
  );
  const own = createAddressGuard(['10.1.0.0/16', 'fd00::5'], false, nobody);
  assert.deepEqual(['10.1.2.3', '10.2.0.1', 'fd00::5', 'fd00::6', '8.8.8.8', '::ffff:10.1.2.3'].map(own.allows), [
    true,
    false,
    true,
    false,
    true,
    true,
  ]);
  const only = createAddressGuard(['10.1.0.0/16'], true, nobody);
  assert.deepEqual(['10.1.2.3', '8.8.8.8', '2606:4700::1111'].map(only.allows), [true, false, false]);
});

test('isAddressRange: an address, or one with a prefix length that its family has', () => {
  assert.ok(['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1/128', '0.0.0.0/0'].every(isAddressRange));
  assert.ok(
    !['10.0.0.0/33', 'fd00::/129', 'localhost', '10.0.0/8', '10.0.0.0/', '10.0.0.0/8/8', 'fe80::1%a', ''].some(
      isAddressRange,
    ),
  );
});

test('a URL that spells a loopback address in any way makes no connection', async () => {
  const canary = await startBackend((_request, response) => answerJson(response, {}), '127.0.0.1');
  const spellings = [
    ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '127.1', '127.0.0.1.', '0.0.0.0', '0'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::1]', '①②⑦.⓪.⓪.①', 'user:secret@127.0.0.1'],
  ];
  for (const spelling of spellings) {
    const outcome = await exchange(outgoing(`http://${spelling}:${canary.port}/`), 10_000);
    assert.ok('failure' in outcome && outcome.failure === 'denied', spelling);
  }
  assert.equal(canary.count.connections, 0);
});

for (const [what, addresses] of [
  ['a loopback address', ['127.0.0.1']],
  ['the metadata service', ['169.254.169.254']],
  ['a private IPv6 address', ['fd00:ec2::254']],
  ['a public and a private address', ['8.8.8.8', '127.0.0.1']],
  ['a private and a public address', ['::1', '2606:4700::1111']],
  ['no address', []],
] as const) {
  test(`a name that has ${what} makes no connection`, async () => {
    const canary = await startBackend((_request, response) => answerJson(response, {}), '127.0.0.1');
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const outcome = await exchange(
      outgoing(`http://backend.example:${canary.port}/`, createAddressGuard([], false, resolve)),
      10_000,
    );
    assert.ok('failure' in outcome && outcome.failure === 'denied');
    assert.ok(outcome.cause instanceof AddressDenied);
    assert.equal(canary.count.connections, 0);
  });
}

test('a name that changes its address is connected to at the address that was checked, for each connection', async () => {
  const wanted = await startBackend((_request, response) => answerJson(response, 'wanted'), '127.0.0.2');
  const canary = await startBackend((_request, response) => answerJson(response, 'canary'), '127.0.0.1');
  let lookups = 0;
  const resolve = async () => [{ address: ++lookups === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
  const rebinding = createAddressGuard(['127.0.0.2'], true, resolve);
  const first = await exchange(outgoing(`http://backend.example:${wanted.port}/`, rebinding), 10_000);
  assert.ok('bytes' in first && first.bytes.toString() === '"wanted"');
  assert.equal(lookups, 1);
  const second = await exchange(outgoing(`http://backend.example:${canary.port}/`, rebinding), 10_000);
  assert.ok('failure' in second && second.failure === 'denied');
  assert.equal(canary.count.connections, 0);
});

test('the peer of a connection is checked once more, so that a lookup that lies gets nothing', async () => {
  const canary = await startBackend((_request, response) => answerJson(response, {}));
  const lying = {
    ...createAddressGuard([], false, nobody),
    lookup: createAddressGuard(['127.0.0.1'], true, async () => [{ address: '127.0.0.1', family: 4 }]).lookup,
  };
  const outcome = await exchange(outgoing(`http://backend.example:${canary.port}/`, lying), 10_000);
  assert.ok('failure' in outcome && outcome.failure === 'denied');
  assert.equal(canary.count.requests, 0);
});

test('sharedLookups: those of a name at the same time are one, later ones ask again', async () => {
  const asked: string[] = [];
  const resolve = sharedLookups(async (hostname) => {
    asked.push(hostname);
    if (hostname === 'none.example') throw new Error('not found');
    return [{ address: '8.8.8.8', family: 4 }];
  });
  await Promise.all(['a.example', 'a.example', 'b.example', 'a.example'].map(resolve));
  assert.deepEqual(asked, ['a.example', 'b.example']);
  await resolve('a.example');
  await assert.rejects(resolve('none.example'), /not found/);
  await assert.rejects(resolve('none.example'), /not found/);
  assert.deepEqual(asked.slice(2), ['a.example', 'none.example', 'none.example']);
});
