import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parseConfig } from '../../src/config/parse.ts';
import { parseS3Location, type S3Location } from '../../src/images/s3/location.ts';
import { findTool } from '../optional-tools.ts';
import {
  allocatorVariables,
  dockerStages,
  healthCommand,
  imageEnvironment,
  imageInstructions,
  isSecret,
  packageVersion,
  readText,
  readYaml,
  root,
  settingNames,
} from './deployment-files.ts';

/** Dockerfile and compose.yaml, as far as they can be tried without a container. */
const folder = mkdtempSync(join(tmpdir(), 'grs-image-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const allowed = readText('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

test('Dockerfile: stages begin from images with a version, and take only files that .dockerignore lets through', () => {
  const all = dockerStages().flat();
  for (const { value } of all.filter(({ name }) => name === 'FROM'))
    assert.match(value, /^\$\{IMAGES\}\/[a-z]+:\d[\w.-]*(@sha256:[0-9a-f]{64})?( AS \w+)?$/);
  const copies = all.filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from='));
  const copied = copies.flatMap(({ value }) => value.split(/\s+/).slice(0, -1));
  // A file of a folder may be copied before the folder, for an earlier step.
  const whole = copied.filter((each) => !allowed.some((folder) => each.startsWith(`${folder}/`)));
  assert.deepEqual(whole.toSorted(), allowed.toSorted());
  assert.ok(readText('.dockerignore').split('\n').includes('*'));
});

test('Dockerfile: the image runs as a user that is not root, and only dependencies of the service are in it', () => {
  const users = imageInstructions('USER');
  assert.equal(users.length, 1);
  assert.match(users[0] ?? '', /^[1-9]\d{3,}:[1-9]\d{3,}$/);
  const installs = dockerStages()
    .flat()
    .filter(({ name, value }) => name === 'RUN' && value.includes('npm'));
  assert.deepEqual(
    installs.map(({ value }) => value.split(' ')[1]),
    ['ci', 'run'],
  );
  assert.match(installs[1]?.value ?? '', /&& npm prune --omit=dev /);
});

test('Dockerfile: one argument, and the start that fills the compile cache has no secret that its log would show', () => {
  const named = readText('Dockerfile').match(/^ARG .*$/gm);
  assert.deepEqual(named, ['ARG IMAGES=docker.io/library']);
  const [start] = imageInstructions('RUN').filter((value) => value.includes('bin/grs.js serve'));
  assert.match(start ?? '', /ADMIN_CLIENT_SECRET="\$\(cat \/proc\/sys\/kernel\/random\/uuid\)"/);
});

test('Dockerfile: its environment is made of settings, with the port that it exposes and the volume for the data', () => {
  const environment = imageEnvironment();
  const names = [...environment.keys()].filter((name) => settingNames.has(name));
  const others = [...environment].filter(([name]) => !settingNames.has(name));
  assert.deepEqual(others, allocatorVariables);
  assert.equal(others.length, 2);
  const config = parseConfig(Object.fromEntries(names.map((name) => [name, environment.get(name)])));
  assert.deepEqual(imageInstructions('EXPOSE'), [String(config.port)]);
  assert.deepEqual(imageInstructions('VOLUME'), [config.dataDir]);
  assert.equal(config.host, '0.0.0.0');
});

/**
 * Builds what the image holds, from the files that the build copies. The packages are those of the checkout. What is
 * made by the other commands of the build is left out.
 */
function layOutImage(): void {
  const [build, app] = [join(folder, 'build'), join(folder, 'app')];
  for (const name of allowed) cpSync(root + name, join(build, name), { recursive: true });
  symlinkSync(`${root}node_modules`, join(build, 'node_modules'));
  const { status, stderr } = spawnSync(process.execPath, ['tools/build-package.ts'], { cwd: build, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const copied = imageInstructions('COPY').flatMap((value) => value.split(/\s+/).slice(1, -1));
  assert.ok(copied.includes('/opt/node'));
  const files = copied.flatMap((path) => /^\/app\/(.+)$/.exec(path)?.[1] ?? []);
  assert.deepEqual(files.toSorted(), ['bin', 'dist', 'node_modules', 'package.json', 'sbom.cdx.json']);
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(build, name), join(app, name), { recursive: true });
  symlinkSync(`${root}node_modules`, join(app, 'node_modules'));
}

/** Runs a program as the image would, with `node` found by its path. */
function run([program = '', ...args]: readonly string[], environment: Readonly<Record<string, string>>) {
  const PATH = `${root}node_modules/.bin${delimiter}${process.env.PATH}`;
  const env = { PATH, ...environment };
  return spawn(program, args, { cwd: join(folder, 'app'), env, stdio: ['ignore', 'pipe', 'ignore'] });
}

const healthCode = async (port: number) => (await once(run(healthCommand(), { PORT: String(port) }), 'exit'))[0];

test('the files of the image serve the API; the health check distinguishes the service from a port without one', async () => {
  layOutImage();
  const [entry, command] = [imageInstructions('ENTRYPOINT'), imageInstructions('CMD')];
  const start = [...entry, ...command].flatMap((text) => JSON.parse(text) as string[]);
  const patience = { DRAIN_TIMEOUT_MS: '60000' };
  const service = run(start, { DATA_DIR: join(folder, 'data'), PORT: '0', HOST: '127.0.0.1', ...patience });
  const ended = once(service, 'exit');
  try {
    let port = 0;
    for await (const line of createInterface({ input: service.stdout })) {
      port = Number(/"address":"http:\/\/[^"]+:(\d+)"/.exec(line)?.[1] ?? 0);
      if (port > 0) break;
    }
    assert.ok(port > 0, 'it listens');
    // Not ready at once: the threads of queries start when it listens.
    for (let tries = 0; tries < 1000 && (await healthCode(port)) !== 0; tries += 1) await pause(50);
    assert.equal(await healthCode(port), 0);
    service.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.equal(await healthCode(port), 1);
  } finally {
    service.kill('SIGKILL');
  }
});

/** Runs the commands at the top of compose.yaml that make its secrets, and returns the folder of the files. */
function makeSecrets(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grs-compose-'));
  const head = readText('compose.yaml').split('\nservices:')[0]!;
  const commands = [...head.matchAll(/^# {3}(.*)$/gm)]
    .map(([, line]) => line!)
    .filter((line) => !/^docker /.test(line));
  const { status, stderr } = spawnSync('bash', ['-e', '-c', commands.join('\n')], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return join(folder, 'secrets');
}

/** The settings of an environment whose files are in a folder: those that a start gets there. */
function configWith(environment: Readonly<Record<string, string>>, mounted: string, folder: string) {
  const inFolder = (value: string) => value.replace(mounted, folder).replace(/\$\{\w+:-(\w+)\}/, '$1');
  return parseConfig(Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, inFolder(value)])));
}

test('compose: the commands at its top make the secrets, which a start reads from files, and none is in the open', {
  skip: findTool('bash') === undefined || findTool('openssl') === undefined ? 'bash or openssl is not here' : false,
}, () => {
  const folder = makeSecrets();
  try {
    const { services, secrets } = readYaml('compose.yaml');
    const { environment } = services.service;
    assert.deepEqual(
      Object.keys(environment).filter((name) => !settingNames.has(name)),
      [],
    );
    assert.deepEqual(
      Object.keys(environment).filter((name) => isSecret(name) && environment[name] !== 'grs'),
      [],
    );
    const config = configWith(environment, '/run/secrets', folder);
    const url = new URL(config.databaseUrl!);
    const password = readFileSync(join(folder, 'database-password'), 'utf8').trim();
    assert.equal(url.password, password);
    assert.match(config.adminClientSecret!, /^\w{48}$/);
    const storage = readFileSync(join(folder, 'storage.env'), 'utf8');
    assert.equal(storage, `ROOT_SECRET_KEY=${config.s3SecretAccessKey}\n`);

    const database = services[url.hostname];
    assert.match(database.image, /^postgres:17\b/);
    assert.equal(url.username, database.environment.POSTGRES_USER);
    assert.equal(url.pathname, `/${database.environment.POSTGRES_DB}`);
    assert.equal(database.environment.POSTGRES_PASSWORD_FILE, '/run/secrets/database-password');
    assert.deepEqual(database.secrets, ['database-password']);
    assert.equal(services.service.depends_on[url.hostname].condition, 'service_healthy');
    assert.ok(database.healthcheck.test.includes('pg_isready'));

    const used = Object.values(environment as Record<string, string>).filter((value) =>
      value.startsWith('/run/secrets/'),
    );
    assert.deepEqual(used.map((value) => basename(value)).toSorted(), services.service.secrets.toSorted());
    for (const [name, { file }] of Object.entries(secrets as Record<string, { file: string }>)) {
      assert.equal(file, `secrets/${name}`);
      // The user of the service is another one than that of the folder, which others cannot enter.
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o444);
    }
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true });
  }
});

test('compose: every volume is declared and used', () => {
  const { services, volumes } = readYaml('compose.yaml');
  const mounted = (Object.values(services) as { volumes: string[] }[]).flatMap((each) => each.volumes);
  assert.deepEqual(mounted.map((text) => text.split(':')[0]).toSorted(), Object.keys(volumes).toSorted());
});

test('compose: images are in the storage that the settings name, in the bucket that its volume is', () => {
  const { service, storage } = readYaml('compose.yaml').services;
  const { IMAGE_STORE_URL, S3_ACCESS_KEY_ID } = service.environment;
  const { bucketUrl } = parseS3Location(IMAGE_STORE_URL) as S3Location;
  assert.equal(bucketUrl, 'http://storage:7070/images');
  const [command, root] = storage.command;
  assert.equal(command, 'posix');
  assert.deepEqual(storage.volumes, [`images:${root}/images`]);
  assert.equal(storage.environment.ROOT_ACCESS_KEY, S3_ACCESS_KEY_ID);
  assert.deepEqual(storage.env_file, ['secrets/storage.env']);
  assert.equal(service.depends_on.storage.condition, 'service_started');
});

test('compose: the service is the image of this version, without rights, writes only where it must, on loopback', () => {
  const { service } = readYaml('compose.yaml').services;
  assert.equal(service.image, `generic-resource-service:${packageVersion}`);
  assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']]);
  assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
  assert.deepEqual(service.volumes, [`data:${imageEnvironment().get('DATA_DIR')}`]);
  const port = imageEnvironment().get('PORT');
  assert.deepEqual(service.ports, [`127.0.0.1:${port}:${port}`]);
  const drainMs = parseConfig({}).drainTimeoutMs;
  assert.ok(Number.parseInt(service.stop_grace_period, 10) * 1000 > drainMs + 2000);
});
