import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { allChecks } from '#conformance';
import { run } from '../../src/cli/commands/conformance.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';

let api: TestApi;
let address = '';
const folder = mkdtempSync(join(tmpdir(), 'grs-conformance-'));
const client = join(folder, 'client.json');

before(async () => {
  api = await startTestApi();
  address = await api.listen();
  writeFileSync(client, JSON.stringify({ clientId: 'test-admin', clientSecret: 'a secret for tests only' }));
});

after(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Result {
  readonly endpoint: string;
  readonly level: string;
  readonly claim: string;
  readonly deviation?: string;
}

/** Runs the command; its output is not printed. */
async function conformance(...args: readonly string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = [];
  const { log, error } = console;
  console.log = console.error = (line: string) => lines.push(line);
  try {
    return { code: await run(args), output: lines.join('\n') };
  } finally {
    Object.assign(console, { log, error });
  }
}

async function deviationsAt(url: string, ...args: readonly string[]): Promise<readonly Result[]> {
  const { output } = await conformance('--url', url, '--client', client, '--json', '--timeout', '60000', ...args);
  const { results } = JSON.parse(output) as { results: readonly Result[] };
  return results.filter(({ deviation }) => deviation !== undefined);
}

test('conformance: this service does what the interface and its contract say, and nothing stays behind', async () => {
  const { code, output } = await conformance(
    ...['--url', `${address}/`, '--client', client, '--project', 'tried', '--timeout', '60000'],
  );
  assert.equal(code, 0, output);
  const [, interfaceCount, contractCount] = /^interface (\d+) of \1, contract (\d+) of \2$/m.exec(output) ?? [];
  assert.equal(Number(interfaceCount) + Number(contractCount), allChecks.length);
  assert.match(output, /^✔ E10 +POST \/resource\/\{id\} +interface 2 of 2 +contract 7 of 7$/m);
  const left = await api.call({ path: '/tried/resource/sorted-query-parameters' });
  assert.equal(left.json.total, 0, left.text);
});

test('conformance: every endpoint of the interface is checked, each by what the interface itself says', () => {
  const checked = new Set(allChecks.filter(({ level }) => level === 'interface').map(({ endpoint }) => endpoint));
  const numbers = Array.from({ length: 18 }, (_, index) => `E${index + 1}`);
  assert.deepEqual([...checked].sort(), ['access', ...numbers].sort());
  const claims = allChecks.map(({ endpoint, claim }) => `${endpoint} ${claim}`);
  assert.equal(new Set(claims).size, claims.length);
});

type Change = (
  incoming: IncomingMessage,
  status: number,
  body: Buffer,
) => { status?: number; body?: Buffer } | undefined;

/** The service, but for what `change` makes of its responses. */
async function startImpostor(change: Change): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, headers, url } = incoming;
    const asked = request(`${address}${url}`, { method: method!, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const whole = Buffer.concat(chunks);
        const { status, body } = { ...change(incoming, response.statusCode!, whole) };
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = response.headers;
        outgoing.writeHead(status ?? response.statusCode!, kept);
        outgoing.end(body ?? whole);
      });
    });
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server };
}

async function deviationsOf(change: Change, ...args: readonly string[]): Promise<readonly string[]> {
  const { url, server } = await startImpostor(change);
  try {
    return (await deviationsAt(url, ...args)).map(
      ({ endpoint, claim, deviation }) => `${endpoint} ${claim}: ${deviation}`,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('conformance: an implementation that does something else is told what, where', async () => {
  const lost = await deviationsOf((_, status) => (status === 409 ? { status: 200 } : undefined), '--endpoint', 'E10');
  assert.match(lost.join('\n'), /^E10 another version than the current one is 409: .*expected status 409, got 200/m);
  const cut: Change = ({ url }, _, body) => {
    return url?.includes('searchApiPattern') ? { body: Buffer.from(String(body).replace('"blue"', '"teal"')) } : {};
  };
  const wrong = await deviationsOf(cut, '--endpoint', 'E4', '--endpoint', 'E2');
  assert.ok(wrong.length > 0);
  assert.deepEqual(
    wrong.filter((text) => !text.startsWith('E4 ')),
    [],
  );
  const open = await deviationsOf(
    (_, status) => (status === 403 ? { status: 201 } : undefined),
    '--level',
    'interface',
  );
  const claims = open.map((text) => text.split(':')[0]);
  assert.deepEqual(claims, ['access view_test may not write', 'E13 view_test may not upload']);
});

test('conformance: with a given token, what needs another one is left out', async () => {
  const token = await api.token('manage_test:given manage_products:given');
  const { code, output } = await conformance('--url', address, '--token', token, '--project', 'given', '--json');
  const { results } = JSON.parse(output) as { results: readonly Result[] };
  const failed = results.filter(({ deviation }) => deviation !== undefined).map(({ claim }) => claim);
  assert.deepEqual([code, failed], [0, []]);
  assert.equal(results.length, allChecks.filter(({ claim }) => !claim.startsWith('view_test')).length);
});

test('conformance: an address without a service, and a wrong secret, are told in a line', async () => {
  const unreachable = await conformance('--url', 'http://127.0.0.1:9', '--client', client);
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.output, /^grs conformance: http:\/\/127\.0\.0\.1:9\/oauth\/token cannot be reached: /);
  const refused = await conformance('--url', address, '--client', 'test-admin:wrong');
  assert.equal(refused.code, 1);
  assert.match(refused.output, /gave no token for manage_test:conformance-\w+ .*: 401 /);
});

test('conformance: arguments that are none are refused, with what would be right', async () => {
  const url = ['--url', address];
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--client', client], /--url: expected an address/],
    [['--url', 'file:///etc', '--client', client], /--url: expected an address/],
    [url, /expected --client or --token/],
    [[...url, '--token', 'x'], /give its --project/],
    [[...url, '--client', join(folder, 'none.json')], /none\.json: ENOENT/],
    [[...url, '--client', client, '--level', 'all'], /only “interface”/],
    [[...url, '--client', client, '--endpoint', 'E19'], /--endpoint E19: expected one of /],
    [[...url, '--client', client, '--timeout', '0'], /--timeout: expected milliseconds/],
  ];
  for (const [args, message] of cases) await assert.rejects(run(args), { message });
});
