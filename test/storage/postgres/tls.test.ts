import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { StoreRefused } from '../../../src/record/engine.ts';
import { connectOnce } from '../../../src/record/postgres/open/connection.ts';
import { findTool } from '../../optional-tools.ts';
import { nobody, type PostgresServer, startPostgres } from './postgres-server.ts';
import { openTestStore } from './start-test-postgres.ts';

/** A PostgreSQL with a certificate of an authority of the test's own, for the host name localhost. */

const skip = findTool('openssl') === undefined && 'openssl is not installed';
if (skip) console.log(`Tests of TLS to PostgreSQL are skipped: ${skip}.`);

const folder = mkdtempSync(join(tmpdir(), 'grs-tls-'));
const authority = join(folder, 'authority.crt');
const otherAuthority = join(folder, 'other.crt');
let server: PostgresServer;
let plain: PostgresServer;

function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

const newKey = ['-newkey', 'rsa:2048', '-noenc'];

/** Makes an authority, and returns the file of its certificate. */
function makeAuthority(name: string): void {
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.crt`,
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
  );
}

/** Makes a certificate of the authority for a host name, and has the server use it from its next start. */
function certify(host: string): void {
  openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${host}`);
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}`);
  const signed = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...signed);
  for (const name of ['server.crt', 'server.key']) {
    copyFileSync(join(folder, name), join(server.data, name));
    if (process.getuid?.() === 0) chownSync(join(server.data, name), nobody, nobody);
  }
}

before(async () => {
  if (skip) return;
  [server, plain] = await Promise.all([startPostgres(), startPostgres()]);
  for (const name of ['authority', 'other']) makeAuthority(name);
  certify('localhost');
  appendFileSync(join(server.data, 'postgresql.conf'), 'ssl = on\n');
  const rules = readFileSync(join(server.data, 'pg_hba.conf'), 'utf8');
  writeFileSync(join(server.data, 'pg_hba.conf'), rules.replaceAll(/^host /gm, 'hostssl '));
  await server.stopAtOnce();
  await server.start();
});
after(async () => {
  await server?.close();
  await plain?.close();
  rmSync(folder, { recursive: true });
});

const addressOf = ({ port }: PostgresServer, options: string) => `postgres://grs@localhost:${port}/postgres?${options}`;

/** Whether the connection is encrypted, as the server says. */
async function isEncrypted(address: string): Promise<boolean> {
  const connection = await connectOnce(address);
  const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  const [row] = await connection.query<{ ssl: boolean }>({ text });
  await connection.close();
  return row!.ssl;
}

async function refused(address: string, says: RegExp): Promise<void> {
  await assert.rejects(connectOnce(address), (error: Error) => {
    assert.ok(error instanceof StoreRefused, String(error.stack));
    assert.match(error.message, says);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
}

const unknownAuthority = /^DATABASE_URL: .*certificate.*\. Name the certificate of its authority by sslrootcert=<file>/;
const trusted = `sslrootcert=${encodeURIComponent(authority)}`;

test('TLS to PostgreSQL: each sslmode connects to a server with a certificate of the authority that is named', {
  skip,
}, async () => {
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    assert.equal(await isEncrypted(addressOf(server, `sslmode=${mode}&${trusted}`)), true, mode);
  }
  assert.equal(await isEncrypted(addressOf(server, trusted)), true);
  assert.equal(await isEncrypted(addressOf(server, 'sslmode=no-verify')), true);
  assert.equal(await isEncrypted(addressOf(plain, 'sslmode=disable')), false);
  const store = await openTestStore({ ...noTest, url: addressOf(server, `sslmode=verify-full&${trusted}`) });
  assert.equal((await store.status()).writable, true);
  await store.close();
});

const noTest = { run: async () => [], close: async () => {} };

test('TLS to PostgreSQL: an authority that is not known, or another one, is refused in a sentence with the remedy', {
  skip,
}, async () => {
  for (const mode of ['prefer', 'require', 'verify-full']) {
    await refused(addressOf(server, `sslmode=${mode}`), unknownAuthority);
    const other = `sslmode=${mode}&sslrootcert=${encodeURIComponent(otherAuthority)}`;
    await refused(addressOf(server, other), unknownAuthority);
  }
  await refused(addressOf(server, 'sslmode=verify-full&sslrootcert=system'), unknownAuthority);
});

test('TLS to PostgreSQL: settings that cannot work are refused in a sentence with the remedy', { skip }, async () => {
  await refused(addressOf(server, 'sslmode=verify-ca'), /sslmode=verify-ca needs sslrootcert=<file>/);
  await refused(addressOf(server, 'sslmode=verify'), /sslmode=verify is not known; use disable, .*verify-full\.$/);
  const missing =
    /sslrootcert=\/none\.crt cannot be read \(ENOENT\)\. Name a file in PEM form by its full path; in a container/;
  await refused(addressOf(server, 'sslmode=verify-full&sslrootcert=/none.crt'), missing);
  await refused(
    addressOf(server, 'sslmode=disable'),
    /no encryption\. The server takes only encrypted connections: add sslmode=/,
  );
  await refused(addressOf(server, ''), /no encryption\. The server takes only encrypted connections: add sslmode=/);
  const withoutTls =
    /does not support SSL connections\. Switch TLS on at the server \(ssl = on\), or use sslmode=disable/;
  for (const mode of ['prefer', 'require', 'verify-full'])
    await refused(addressOf(plain, `sslmode=${mode}`), withoutTls);
});

test('TLS to PostgreSQL: a certificate for another host name is refused by all modes but verify-ca and no-verify', {
  skip,
}, async () => {
  certify('db.example');
  await server.stopAtOnce();
  await server.start();
  const wrongName =
    /does not match certificate's altnames.*\. Use the host name of the certificate in the address, or sslmode=verify-ca/;
  for (const mode of ['require', 'verify-full']) {
    await refused(addressOf(server, `sslmode=${mode}&${trusted}`), wrongName);
  }
  assert.equal(await isEncrypted(addressOf(server, `sslmode=verify-ca&${trusted}`)), true);
  assert.equal(await isEncrypted(addressOf(server, 'sslmode=no-verify')), true);
  const other = `sslmode=verify-ca&sslrootcert=${encodeURIComponent(otherAuthority)}`;
  await refused(addressOf(server, other), unknownAuthority);
});
