import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { waitUntil } from '../../../tools/prove/wait-until.ts';
import { dataFolder, runCommand, startService } from '../service-process.ts';
import { draft, drafts, Import, type Line, stopDuring, totalOf } from './import-client.ts';

test('results come while the body is still being sent, and lines wait for no others', async () => {
  const folder = dataFolder();
  const service = await startService(folder.path);
  try {
    const token = await service.token('manage_test:shop');
    const upload = new Import(service, token);
    for (let n = 0; n < 5; n += 1) {
      upload.sent.write(draft(n));
      await waitUntil(() => upload.lines.length === n + 1, upload.ended);
    }
    // Half a line is none yet.
    upload.sent.write(draft(5).slice(0, 20));
    upload.sent.end(draft(5).slice(20) + drafts(6, 1000));
    await upload.ended;
    assert.deepEqual([upload.summary.complete, upload.summary.created, upload.lines.length], [true, 1000, 1000]);
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    folder.remove();
  }
});

test('kill -9 during an import: what was reported is there, once, and a repeat does the rest', async () => {
  const folder = dataFolder();
  const count = 3000;
  let service = await startService(folder.path);
  try {
    const told = new Map<number, Line>();
    for (const least of [1, 700, 1400]) {
      const token = await service.token('manage_test:shop');
      const upload = new Import(service, token);
      upload.sent.end(drafts(0, count));
      await waitUntil(() => upload.lines.length >= least, upload.ended);
      service.kill('SIGKILL');
      await Promise.all([service.ended, upload.ended]);
      for (const line of upload.lines) {
        const before = told.get(line.line);
        if (before) assert.deepEqual([line.status, line.id, line.version], ['unchanged', before.id, 1]);
        told.set(line.line, line);
      }
      service = await startService(folder.path);
    }
    const token = await service.token('manage_test:shop');
    const last = new Import(service, token);
    last.sent.end(drafts(0, count));
    await last.ended;
    assert.equal(last.summary.complete, true);
    assert.equal(last.summary.created + last.summary.unchanged, count);
    assert.equal(await totalOf(service, token), count);
    for (const { line, id } of told.values()) {
      const now = last.lines[line - 1]!;
      assert.deepEqual([now.line, now.status, now.id, now.version], [line, 'unchanged', id, 1]);
    }
    service.kill('SIGTERM');
    await service.ended;
    const { stdout } = await runCommand(['check'], { DATA_DIR: folder.path });
    assert.equal(stdout, 'All is well.\n');
  } finally {
    service.kill('SIGKILL');
    await service.ended;
    folder.remove();
  }
});

test('SIGTERM ends an import after a group, with where to go on; from there the rest is imported', async () => {
  const folder = dataFolder();
  const count = 4000;
  let service = await startService(folder.path);
  try {
    const upload = new Import(service, await service.token('manage_test:shop'));
    upload.sent.write(drafts(0, 2500));
    await waitUntil(() => upload.lines.length >= 500, upload.ended);
    const resumeAt = await stopDuring(upload, service);
    service = await startService(folder.path);
    const token = await service.token('manage_test:shop');
    const rest = new Import(service, token, `?from=${resumeAt}`);
    rest.sent.end(drafts(0, count));
    await rest.ended;
    assert.equal(rest.lines[0]!.line, resumeAt);
    assert.equal(rest.summary.complete, true);
    assert.equal(await totalOf(service, token), count);
  } finally {
    service.kill('SIGKILL');
    await service.ended;
    folder.remove();
  }
});

test('a client that is deleted: its import and its stream of events, which had begun, are cut off', {
  timeout: 300_000,
}, async () => {
  const folder = dataFolder();
  const service = await startService(folder.path);
  try {
    const token = await service.token('manage_project:shop manage_api_clients:shop');
    const body = { name: 'importer', scopes: ['manage_test:shop'] };
    const made = JSON.parse((await service.request({ method: 'POST', path: '/shop/api-clients', token, body })).text);
    const basic = Buffer.from(`${made.id}:${made.secret}`).toString('base64');
    const path = '/oauth/token?grant_type=client_credentials&scope=manage_test:shop';
    const headers = { authorization: `Basic ${basic}` };
    const own = JSON.parse((await service.request({ method: 'POST', path, headers })).text).access_token;

    const begun = new Import(service, own);
    begun.sent.write(drafts(0, 3));
    await waitUntil(() => begun.lines.length === 3, begun.ended);
    assert.equal(begun.lines.length, 3);
    const events = request({
      ...{ port: service.port, host: '127.0.0.1', path: '/shop/events' },
      headers: { authorization: `Bearer ${own}`, accept: 'text/event-stream' },
    }).end();
    const [stream] = (await once(events, 'response')) as [IncomingMessage];
    assert.equal(stream.statusCode, 200);
    const cut = new Promise((resolve) =>
      stream
        .on('error', () => {})
        .on('close', resolve)
        .resume(),
    );

    const deleted = await service.request({ method: 'DELETE', path: `/shop/api-clients/${made.id}`, token });
    assert.equal(deleted.status, 200);
    await Promise.all([begun.ended, cut]);
    assert.equal(begun.summary, undefined);
    assert.equal(await totalOf(service, token), 3);
    assert.equal((await service.request({ path: '/health/live' })).status, 200);
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    folder.remove();
  }
});

test('a client that never reads: the import ends, memory stays bounded, and others are served', async () => {
  const folder = dataFolder();
  const service = await startService(folder.path);
  try {
    const token = await service.token('manage_test:shop');
    const upload = new Import(service, token, '?dryRun=true', false);
    const [response] = (await Promise.all([once(upload.sent, 'response'), upload.sent.write(draft(0))]))[0] as [
      IncomingMessage,
    ];
    response.pause();
    // Refused lines: each has a result that is longer than itself.
    const broken = `${'7'.padEnd(200)}\n`.repeat(320);
    let isEnded = false;
    void upload.ended.then(() => {
      isEnded = true;
    });
    const most = 1000;
    let isWriting = true;
    let written = 0;
    const writeMore = () => {
      while (!isEnded && !upload.sent.destroyed && isWriting && written < most) {
        written += 1;
        if (!upload.sent.write(broken)) return void upload.sent.once('drain', writeMore);
      }
    };
    writeMore();
    // It stops taking lines, or ends the connection, long before all were sent.
    const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
    for (let [last, quietSeconds] = [-1, 0]; !isEnded && quietSeconds < 5; quietSeconds += 1) {
      if (last !== written || written === 0) quietSeconds = 0;
      last = written;
      await pause(1000);
    }
    isWriting = false;
    assert.ok(written < most, `${written} pieces were taken`);
    assert.ok(peak() < 700, `${peak()} MB`);
    assert.equal((await service.request({ path: '/shop/resource/key=none', token })).status, 404);
    // Who reads at last finds the reason, unless the connection was ended already, or the machine was slower than this.
    if (!isEnded) {
      upload.sent.end();
      await upload.read(response).catch(() => {});
      if (upload.summary?.complete === false) {
        assert.equal(upload.summary.error.errors[0].code, 'ResponseNotRead');
        assert.equal(upload.summary.resumeAt, upload.lines.length + 1);
      }
    }
    upload.sent.destroy();
  } finally {
    service.kill('SIGKILL');
    await service.ended;
    folder.remove();
  }
});

test('an import that ends before its body: the response arrives, and so does that of the next request', async () => {
  const folder = dataFolder();
  const service = await startService(folder.path);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (options: RequestOptions, body?: string) =>
    new Promise<{ readonly status: number; readonly last: string; readonly connection: string | undefined }>(
      (resolve, reject) => {
        const sent = request({ ...options, port: service.port, host: '127.0.0.1', agent }, async (response) => {
          const lines = (await text(response)).trimEnd().split('\n');
          const { connection } = response.headers;
          resolve({ status: response.statusCode!, last: lines.at(-1)!, connection });
        });
        sent.on('error', reject).end(body);
      },
    );
  try {
    const authorization = `Bearer ${await service.token('manage_test:shop')}`;
    const json = { authorization, 'content-type': 'application/x-ndjson' };
    const csv = { authorization, 'content-type': 'text/csv' };
    const large = drafts(0, 20_000);
    const records = Array.from({ length: 60_000 }, (_, n) => `r${n},${'y'.repeat(100)}\n`).join('');
    const chunked = { 'transfer-encoding': 'chunked' };
    const cases = [
      ['stopOnError=true', { ...json, ...chunked }, `{"key":7}\n${large}`, 200],
      ['stopOnError=true&stream=true', json, `{"key":7}\n${large}`, 200],
      ['', csv, `key,text\na,"b"c\n${records}`, 200],
      ['', csv, `key,key\n${records}`, 400],
      ['', { ...json, 'content-type': 'application/json' }, large, 415],
      ['', { ...csv, authorization: 'Bearer none', ...chunked }, records, 401],
      ['mode=none', json, large, 400],
    ] as const;
    for (const [query, headers, body, status] of cases) {
      const path = `/shop/resource/import?${query}`;
      const ended = await send({ method: 'POST', path, headers }, body);
      assert.deepEqual([ended.status, ended.connection], [status, 'close'], ended.last);
      if (status === 200) assert.equal(JSON.parse(ended.last).complete, false);
      const next = await send({ path: '/shop/resource/key=none', headers: { authorization } });
      assert.equal(next.status, 404);
    }
    for (const path of ['/shop/resource/none/none', '/shop/resource/batch']) {
      const { status } = await send({ method: 'POST', path, headers: { authorization } }, large);
      assert.ok(status === 404 || status === 413 || status === 415, `${path}: ${status}`);
      assert.equal((await send({ path: '/shop/resource/key=none', headers: { authorization } })).status, 404);
    }
  } finally {
    agent.destroy();
    service.kill('SIGTERM');
    await service.ended;
    folder.remove();
  }
});

test('a client that sends all of its body before it reads gets the response of an import that ended early', async () => {
  const folder = dataFolder();
  const service = await startService(folder.path);
  try {
    const authorization = `Authorization: Bearer ${await service.token('manage_test:shop')}`;
    const records = `r,${'y'.repeat(1000)}\n`.repeat(20_000);
    const cases = [
      ['import', 'text/csv', `key,text\na,"b"c\n${records}`, 200],
      ['import?stream=true', 'text/csv', `key,text\na,"b"c\n${records}`, 200],
      ['import?stopOnError=true', 'application/x-ndjson', records, 200],
      ['import', 'text/csv', `key,key\n${records}`, 400],
      ['import', 'text/csv; charset=koi8-r', records, 415],
      ['batch', 'application/json', records, 413],
      ['none/none', 'application/json', records, 404],
    ] as const;
    for (const [path, type, body, status] of cases) {
      const socket = connect(service.port, '127.0.0.1');
      const head = `POST /shop/resource/${path} HTTP/1.1\r\nHost: h\r\n${authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.write(head + body, () => resolve());
      });
      assert.match(await text(socket), new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*connection: close`, 'i'), path);
    }
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    folder.remove();
  }
});

test('results that wait for the end of the body are all there, however many they are', async () => {
  const folder = dataFolder();
  const service = await startService(folder.path);
  try {
    const count = 30_000;
    const authorization = `Bearer ${await service.token('manage_test:shop')}`;
    const response = await fetch(`http://127.0.0.1:${service.port}/shop/resource/import?dryRun=true`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-ndjson' },
      body: '{"key":7}\n'.repeat(count),
    });
    const results = await response.text();
    const lines = results.trimEnd().split('\n');
    assert.ok(results.length > 3 * 1024 * 1024);
    assert.deepEqual(
      lines.slice(0, -1).map((line) => JSON.parse(line).line),
      Array.from({ length: count }, (_, at) => at + 1),
    );
    assert.equal(JSON.parse(lines.at(-1)!).refused, count);
    assert.deepEqual(readdirSync(join(folder.path, 'tmp')), []);
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    folder.remove();
  }
});

test('grs import --url goes on when the service restarts, and grs export --url writes what import takes', async () => {
  const folder = dataFolder();
  const count = 4000;
  let service = await startService(folder.path);
  const { port } = service;
  try {
    const url = `http://127.0.0.1:${port}`;
    const access = ['--url', url, '--client', 'test-admin:a secret for tests only', '--project', 'shop'];
    const refused = join(folder.path, 'refused.ndjson');
    const input = new PassThrough();
    // Some name no resource: none of them is made twice.
    const sent = (from: number, to: number) => drafts(from, to).replaceAll(/"key":"k\d*[02468]",/g, '');
    const importing = runCommand(['import', ...access, '--refused', refused], {}, { input });
    const token = await service.token('manage_test:shop');
    input.write(sent(0, count / 2));
    while ((await totalOf(service, token)) <= 300) await pause(5);
    service.kill('SIGKILL');
    await service.ended;
    // The rest comes while there is no service, which the import notices in any case, however far it was.
    input.end(`${sent(count / 2, count)}{"key":7}\n`);
    service = await startService(folder.path, { PORT: String(port) });
    const { code, stdout, stderr } = await importing;
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^Imported: [\d,]+ created, 0 updated, \d+ unchanged, 1 refused\.\n$/);
    assert.match(stderr, /Going on at line \d+\./);
    assert.equal(JSON.parse(readFileSync(refused, 'utf8')).line, count + 1);
    assert.equal(await totalOf(service, await service.token('manage_test:shop')), count);

    const latin = join(folder.path, 'excel.csv');
    const corrected = join(folder.path, 'correct.csv');
    const text = 'key,name,size:number\r\nGröße,"a\r\nb",1\r\n\r\nGrüße,ü,none\r\nfuß,ß,3';
    writeFileSync(latin, text, 'latin1');
    const latinAccess = [...access.slice(0, -1), 'latin', '--in', latin, '--correct', corrected];
    const wrong = await runCommand(['import', ...latinAccess], {});
    assert.deepEqual([wrong.code, wrong.stdout], [1, 'Imported: 0 created, 0 updated, 0 unchanged, 3 refused.\n']);
    assert.match(wrong.stderr, /^Line 2: .* has bytes that are not UTF-8/);
    assert.deepEqual(readFileSync(corrected, 'latin1'), text.replace('\r\n\r\nGr', '\r\nGr'));
    // Nothing was imported, so there is no line to continue from.
    writeFileSync(corrected, 'key,key\na,b\n');
    const doubled = await runCommand(['import', ...latinAccess.slice(0, -4), '--in', corrected], {});
    assert.equal(doubled.code, 70);
    assert.match(
      doubled.stderr,
      /400: .* are the same field\. Nothing was imported\. Correct the file, and import it again\.\n$/s,
    );
    assert.doesNotMatch(doubled.stderr, /--from/);
    rmSync(corrected);
    assert.equal((await runCommand(['import', ...latinAccess], {})).code, 1);
    const right = await runCommand(['import', ...latinAccess, '--charset', 'ISO-8859-1'], {});
    assert.deepEqual(
      [right.code, right.stdout],
      [1, 'Imported: 2 created, 0 updated, 0 unchanged, 1 refused.\n'],
      right.stderr,
    );
    assert.match(right.stderr, /^Line 3: .*expected a number such as 12\.5/);
    assert.match(
      right.stderr,
      /\nNext: correct the lines in .*correct\.csv and import that file; what is there already stays/,
    );
    assert.equal(readFileSync(corrected, 'utf8'), 'key,name,size:number\r\nGrüße,ü,none\r\n');
    // More than a portion, divided as Excel does it.
    const sheet = join(folder.path, 'sheet.csv');
    const rows = Array.from({ length: 1200 }, (_, n) => `s${n % 1190};${n === 1100 ? 'on request' : n}\r\n`);
    writeFileSync(sheet, `\ufeffsep=;\r\nkey;price\r\n${rows.join('')}`);
    const toSheets = [...access.slice(0, -1), 'sheets', '--in', sheet];
    const dry = await runCommand(['import', ...toSheets, '--dry-run'], {});
    assert.deepEqual(
      [dry.code, dry.stdout],
      [0, 'Checked, and nothing written: 1,200 created, 0 updated, 0 unchanged, 0 refused.\n'],
      dry.stderr,
    );
    assert.deepEqual(dry.stderr.trimEnd().split('\n'), [
      'The cells are separated by semicolons.',
      'The column price has values of several types: number (line 1002), string (line 1102). To read all alike, name a type in the header, such as price:string, or price:number, which refuses other cells.',
      '10 lines name the resource of an earlier line; where they differ, the later one counts: line 1192 that of line 2, 1193 that of line 3, 1194 that of line 4, 1195 that of line 5, 1196 that of line 6, …',
      'Next: run the same command without --dry-run.',
    ]);
    const piped = await runCommand(['import', ...toSheets, '--delimiter', 'comma'], {});
    assert.deepEqual([piped.code, /names another delimiter than the request: comma/.test(piped.stderr)], [70, true]);
    const odd = await runCommand(['import', ...toSheets, '--delimiter', 'colon'], {});
    assert.deepEqual([odd.code, /--delimiter: expected comma/.test(odd.stderr)], [2, true]);
    const unknown = await runCommand(['import', ...latinAccess, '--charset', 'koi8-r'], {});
    assert.deepEqual([unknown.code, /expected one of utf-8, windows-1252/.test(unknown.stderr)], [2, true]);
    writeFileSync(`${latin}.gz`, gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le')));
    const zipped = await runCommand(
      ['import', ...access.slice(0, -1), 'zipped', '--in', `${latin}.gz`, '--format', 'csv'],
      {},
    );
    assert.equal(zipped.stdout, 'Imported: 2 created, 0 updated, 0 unchanged, 1 refused.\n', zipped.stderr);

    const out = join(folder.path, 'out.csv');
    const columns = ['--fields', 'key,value,text', '--where', 'value < 50', '--out', out];
    const exported = await runCommand(['export', ...access, ...columns], {});
    assert.deepEqual([exported.code, exported.stderr], [0, `Exported 50 resources of the project shop to ${out}.\n`]);
    const other = [...access.slice(0, -1), 'copy'];
    const again = await runCommand(['import', ...other, '--in', out], {});
    assert.deepEqual([again.code, again.stdout], [0, 'Imported: 50 created, 0 updated, 0 unchanged, 0 refused.\n']);
    const old = await runCommand(['import', '--project', 'shop', '--in', out], { DATA_DIR: join(folder.path, 'none') });
    assert.equal(old.code, 2);
    assert.match(old.stderr, /--url: expected an address/);
    const none = await runCommand(['export', ...access, '--where', 'value <', '--out', join(folder.path, 'no')], {});
    assert.equal(none.code, 70);
    assert.match(none.stderr, /400: .*where/);
    assert.equal(existsSync(join(folder.path, 'no')), false);
  } finally {
    service.kill('SIGKILL');
    await service.ended;
    folder.remove();
  }
});
