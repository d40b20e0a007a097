import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ensureAdminClient, withAdminClient } from '../../src/auth/admin.ts';
import { authenticateClient } from '../../src/auth/credentials.ts';
import { type Command, runCommand } from '../../src/cli/command.ts';
import * as client from '../../src/cli/commands/client.ts';
import * as token from '../../src/cli/commands/token.ts';
import { startTestTokens } from './start-test-tokens.ts';

/** Both commands over a real store; each run returns its exit code and what it printed. */
async function startCommands(t: TestContext) {
  const from = await startTestTokens(t);
  const settings = { dataDir: 'unused', adminClientId: 'root', adminClientSecret: 'a secret of its own' };
  const admin = await ensureAdminClient({ ...settings, nowMs: from.deps.nowMs });
  const clients = withAdminClient(from.clients, admin.client);
  const collect = async (
    name: string,
    command: Command,
    args: readonly string[],
    run: (print: (line: string) => void) => Promise<number>,
  ) => {
    const [lines, errors]: string[][] = [[], []];
    const print = (line: string) => void lines!.push(line);
    const printError = (line: string) => void errors!.push(line);
    const code = await runCommand(name, { ...command, run: () => run(print) }, args, { print, printError });
    return { code, out: lines!.join('\n'), err: errors!.join('\n') };
  };
  return {
    ...from,
    clients,
    client: (...args: string[]) =>
      collect('grs client', client, args, (print) => client.runClient(args, { ...from.deps, clients, print })),
    token: (...args: string[]) =>
      collect('grs token', token, args, (print) =>
        token.printToken(args, { clients, tokens: from.tokens, adminClientId: 'root', print }),
      ),
  };
}

test('client create prints credentials that authenticate, list shows the client, delete ends it', async (t) => {
  const grs = await startCommands(t);
  const made = await grs.client('create', '--project', 'my-shop', '--name', 'Front', '--scope', 'view_test', '--json');
  assert.equal(made.code, 0);
  const { clientId: id, clientSecret: secret, scopes } = JSON.parse(made.out);
  assert.deepEqual(scopes, ['view_test:my-shop']);
  const authenticated = await authenticateClient(grs.clients, [{ clientId: id, secret }]);
  const { accessToken } = await grs.tokens.issue(authenticated, authenticated.scopes);

  const listed = await grs.client('list', '--project', 'my-shop');
  assert.ok(listed.out.startsWith(`${id}  2030-01-15T12:00:00.250Z  view_test:my-shop  Front`));
  assert.ok(!listed.out.includes(secret) && !listed.out.includes('sha256'));
  assert.match((await grs.client('list', '--project', 'other')).out, /has no API clients/);

  await grs.tokens.verify(accessToken);
  assert.equal((await grs.client('delete', id)).code, 0);
  const kinds = (await grs.clients.listRevocations(0)).revocations.map(({ kind, subject }) => `${kind} ${subject}`);
  assert.deepEqual(kinds, [`client ${id}`]);
  assert.equal((await grs.client('delete', id)).code, 2);
});

test('client create --publishable prints a key that is good, and no secret', async (t) => {
  const grs = await startCommands(t);
  const create = ['create', '--project', 'p', '--name', 'Pages', '--publishable'];
  const { out } = await grs.client(...create, '--origin', 'https://a.example', '--origin', 'https://b.example');
  const [, key] = /^Publishable key: +(grs_pub_\S+)$/m.exec(out)!;
  assert.match(out, /^Origins: +https:\/\/a\.example https:\/\/b\.example$/m);
  assert.ok(!/secret/i.test(out), out);
  assert.deepEqual([...(await grs.tokens.verify(key!)).scopes], ['view_published:p']);
  const made = JSON.parse((await grs.client(...create, '--json')).out);
  assert.deepEqual([made.publishable, made.origins, made.scopes], [true, [], ['view_published:p']]);
  for (const [args, message] of [
    [[...create, '--scope', 'view_test'], /view_published and no other scope/],
    [[...create, '--origin', 'a.example'], /an origin as browsers send it/],
    [['create', '--project', 'p', '--name', 'N', '--origin', 'https://a.example'], /add --publishable/],
  ] as const) {
    const { code, err } = await grs.client(...args);
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
});

test('client create for people shows the secret and how to get a token with it', async (t) => {
  const grs = await startCommands(t);
  const { out } = await grs.client('create', '--project', 'p', '--name', 'N', '--scope', 'view_test manage_products:p');
  const [, secret] = /Client secret: +(grs_\S+) /.exec(out)!;
  assert.match(out, /Scopes: +view_test:p manage_products:p/);
  assert.ok(out.includes(`:${secret}" -d grant_type=client_credentials "$BASE/oauth/token"`));
});

test('wrong arguments: the message says what would be right, exit code 2, and nothing changes', async (t) => {
  const grs = await startCommands(t);
  const create = ['create', '--project', 'p', '--name', 'N'];
  for (const [args, message] of [
    [['create'], /--project is missing/],
    [['create', '--project', 'a b'], /1 to 64 letters/],
    [['create', '--project', 'p'], /--name is missing/],
    [create, /--scope is missing/],
    [[...create, '--scope', ' '], /--scope is empty/],
    [[...create, '--scope', 'view_test:q'], /its own project only/],
    [[...create, '--scope', 'admin'], /its own project only/],
    [['create', '--project', 'p', '--name', 'Shop', 'front', '--scope', 'view_test'], /quote texts/],
    [['create', '--porject', 'p'], /--porject/],
    [['list'], /--project is missing/],
    [['delete'], /client id is missing/],
    [['delete', 'root'], /no client with the id root/],
    [['make'], /unknown command “make”/],
  ] as [string[], RegExp][]) {
    const { code, out, err } = await grs.client(...args);
    assert.equal(code, 2, args.join(' '));
    assert.equal(out, '');
    assert.match(err, message);
    assert.match(err, /See npx grs client --help$/);
  }
  assert.deepEqual(await grs.clients.listClients('p', 10), []);
});

test('help is shown on demand, with an example', async (t) => {
  const grs = await startCommands(t);
  for (const args of [['--help'], ['create', '-h']]) {
    const { code, out } = await grs.client(...args);
    assert.equal(code, 0);
    assert.match(out, /npx grs client create --project my-shop --name "Shop front" --scope manage_test/);
  }
  assert.match((await grs.token('--help')).out, /TOKEN=\$\(npx grs token --project my-shop\)/);
});

test('token prints nothing but a good token, of the administrator or of a client', async (t) => {
  const grs = await startCommands(t);
  const { client } = await grs.newClient('p', 'manage_test:p', 'manage_products:p');
  for (const [args, clientId, scopes] of [
    [['--project', 'my-shop'], 'root', ['manage_project:my-shop']],
    [
      ['--project', 'a', '--scope', 'view_test', '--scope', 'manage_api_clients:b'],
      'root',
      ['view_test:a', 'manage_api_clients:b'],
    ],
    [['--client', client.id], client.id, client.scopes],
    [['--client', client.id, '--scope', 'view_test:p'], client.id, ['view_test:p']],
  ] as [string[], string, string[]][]) {
    const { code, out, err } = await grs.token(...args);
    assert.equal(code, 0, err);
    const token = await grs.tokens.inspect(out);
    assert.equal(token?.caller.clientId, clientId);
    assert.deepEqual(token?.scopes, scopes);
  }
});

test('token with wrong arguments prints nothing on standard output', async (t) => {
  const grs = await startCommands(t);
  const { client } = await grs.newClient('p', 'view_test:p');
  for (const args of [
    ...[
      ['--scope', 'view_test'],
      ['--project', 'p', '--client', client.id],
      ['--client', 'p.none'],
      ['--project', 'a/b'],
    ],
    ...[['--project', 'p', '--scope', 'nonsense'], ['--client', client.id, '--scope', 'manage_test:p'], ['p'], ['--x']],
  ]) {
    const { code, out, err } = await grs.token(...args);
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    assert.match(err, /^grs token: .+\nSee npx grs token --help$/s);
  }
});

test('a damaged client: list and token say so and end with 70, delete removes it', async (t) => {
  const grs = await startCommands(t);
  const { client } = await grs.newClient('p', 'view_test:p');
  grs.db.exec("UPDATE api_client SET name = 'Tesu'");
  for (const run of [() => grs.client('list', '--project', 'p'), () => grs.token('--client', client.id)]) {
    const { code, out, err } = await run();
    assert.deepEqual([code, out], [70, '']);
    assert.match(
      err,
      new RegExp(`^grs (client|token): The API client '${client.id}' is damaged in the store .*one\\.$`),
    );
  }
  assert.equal((await grs.client('delete', client.id)).code, 0);
  assert.match((await grs.client('list', '--project', 'p')).out, /has no API clients/);
});
