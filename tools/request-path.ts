/**
 * Counts what one warm request runs on the main thread: the source files and functions of the service, by precise
 * coverage of V8. Fewer hops are easier to read and to debug; run it before and after a change of the request's way.
 *
 *   node tools/request-path.ts            counts for a read, a list, a search, an update and a create
 *   node tools/request-path.ts update     and the functions of one of them, by file
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../src/app.ts';
import { parseConfig } from '../src/config/parse.ts';
import { noLog } from '../src/telemetry/log.ts';

const root = new URL('../', import.meta.url);
const warmUps = 40;
/** What did not run in each of them is a timer of the service, and no part of the request. */
const samples = 5;

/** The functions that ran, with their number of calls, by file. */
type Coverage = ReadonlyMap<string, readonly string[]>;

type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly text: string }>;

/** What is measured: each returns the request to send next, and none fails. */
const requests: Readonly<Record<string, (send: Send, count: number) => Promise<unknown>>> = {
  read: (send) => send('GET', '/key=read'),
  list: (send, count) => send('GET', `/sorted-query-parameters?where=size%3D${count}&limit=5`),
  search: (send, count) => send('GET', `/searchApiPattern?text.en=shoe&limit=${5 + count}`),
  update: (send, count) =>
    send('POST', '/key=updated', {
      version: count + 1,
      actions: [{ action: 'setField', path: 'color', value: `color ${count}` }],
    }),
  create: (send, count) => send('POST', '', { key: `created-${count}`, name: { en: 'shoe' }, size: count }),
};

/** The functions that ran since the last call, by file. Functions of the test program are not counted. */
async function takeCoverage(session: Session): Promise<Coverage> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const found = new Map<string, string[]>();
  for (const { url, functions } of result) {
    if (!url.startsWith(`${root.href}src/`) && !url.startsWith(`${root.href}packages/`)) continue;
    // The first one of a file is the file itself, which ran when it was loaded.
    const ran = functions.filter(({ ranges }) => ranges[0]!.startOffset > 0 && ranges[0]!.count > 0);
    if (ran.length === 0) continue;
    const file = relative(fileURLToPath(root), fileURLToPath(url));
    // It fires every 50 ms, so that on a busy machine it may run during each of the requests.
    if (file === 'src/telemetry/loop-delay.ts') continue;
    found.set(
      file,
      ran.map(({ functionName, ranges }) => `${functionName || '(anonymous)'} ×${ranges[0]!.count}`),
    );
  }
  return found;
}

/** What ran both times; the number of calls is that of the second. */
function inBoth(first: Coverage, second: Coverage): Coverage {
  const nameOf = (text: string) => text.replace(/ ×\d+$/, '');
  const both = new Map<string, readonly string[]>();
  for (const [file, names] of second) {
    const known = new Set(first.get(file)?.map(nameOf));
    const common = names.filter((text) => known.has(nameOf(text)));
    if (common.length > 0) both.set(file, common);
  }
  return both;
}

const dataDir = mkdtempSync(join(tmpdir(), 'grs-request-path-'));
const clientId = 'request-path';
const secret = 'only for this measurement';
const app = await createApp(
  parseConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    ADMIN_CLIENT_ID: clientId,
    ADMIN_CLIENT_SECRET: secret,
    SHED_DELAY_MS: '0',
  }),
  { log: noLog },
);
const detailed = process.argv[2];
try {
  const base = await app.server.listen();
  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
  const token = await fetch(`${base}/oauth/token?grant_type=client_credentials&scope=manage_project:p`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  const send: Send = async (method, path, body) => {
    const response = await fetch(`${base}/p/resource${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { status: response.status, text };
  };
  for (const key of ['read', 'updated']) await send('POST', '', { key, name: { en: 'running shoe' }, color: 'blue' });

  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  console.log('request   files  functions');
  for (const [name, request] of Object.entries(requests)) {
    let count = 0;
    for (; count < warmUps; count += 1) await request(send, count);
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await takeCoverage(session);
    let ran: Coverage | undefined;
    for (let sample = 0; sample < samples; sample += 1, count += 1) {
      await request(send, count);
      const found = await takeCoverage(session);
      ran = ran ? inBoth(ran, found) : found;
    }
    await session.post('Profiler.stopPreciseCoverage');
    if (ran === undefined) continue;
    const functions = [...ran.values()].reduce((sum, names) => sum + names.length, 0);
    console.log(`${name.padEnd(8)} ${String(ran.size).padStart(6)} ${String(functions).padStart(10)}`);
    if (name !== detailed) continue;
    for (const [file, names] of [...ran].sort()) console.log(`  ${file}\n    ${names.join('\n    ')}`);
  }
  session.disconnect();
} finally {
  await app.close();
  rmSync(dataDir, { recursive: true });
}
