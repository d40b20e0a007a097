import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkDatabase } from '../../src/store/sqlite/maintenance/check.ts';
import { openDatabase } from '../../src/store/sqlite/write/open-database.ts';
import { crashImage } from '../../tools/prove/power-loss/crash-image.ts';
import { parseTrace, straceOptions, type TraceEvent } from '../../tools/prove/power-loss/syscall-trace.ts';
import { compareAcknowledged, type State } from './acknowledged.ts';
import { createRandom, type Random } from './random.ts';

/**
 * A disk may lose, reorder and tear whatever was not synced when the power goes. A store is written under strace; from
 * the trace many states are made that a disk could have been left in, and each is opened as a start opens it.
 */
const images = 60;
const random = createRandom();
const writer = fileURLToPath(new URL('./power-loss-writer.ts', import.meta.url));
const shortLog = new URL('../../tools/prove/power-loss/short-log.ts', import.meta.url).href;
// Images are written and thrown away by the hundred: in memory, where there is such a folder.
const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'grs-power-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

const canTrace = spawnSync('strace', ['-f', '-e', 'trace=write', 'true']).status === 0;
if (!canTrace) console.log('Tests of power loss are skipped: strace is not here, or may not trace.');

function traceWriter(setting: 'FULL' | 'NORMAL'): readonly TraceEvent[] {
  const folder = join(scratch, `traced-${setting}`);
  mkdirSync(folder);
  const output = join(scratch, `${setting}.trace`);
  const program = ['--import', shortLog, writer, join(folder, 'grs.db'), setting];
  const args = ['-o', output, ...straceOptions, process.execPath, ...program];
  // Node would write its cache of compiled code, too, by calls that the reader of the trace need not know.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const { status, stderr } = spawnSync('strace', args, { encoding: 'utf8', env });
  assert.equal(status, 0, stderr);
  return parseTrace(readFileSync(output, 'latin1')).filter(
    (event) => event.kind === 'print' || event.path.startsWith(folder),
  );
}

/** The shared memory of the log is created at each start, and a lock is no data. */
const isPart = (path: string) => !path.endsWith('-shm') && !path.endsWith('-lock');

/** What a client had seen acknowledged when the power went. */
function acknowledgedAt(events: readonly TraceEvent[], point: number): ReadonlyMap<string, State> {
  const told = new Map<string, State>();
  for (const event of events) {
    if (event.kind !== 'print' || event.end >= point) continue;
    for (const [, id = '', version] of event.text.matchAll(/^ack (\S+) (\d+)$/gm)) {
      const known = Math.max(Number(version), told.get(id)?.version ?? 0);
      told.set(id, { version: known, value: `${id} in version ${known}` });
    }
  }
  return told;
}

interface Found {
  readonly resources: ReadonlyMap<string, State>;
  /** Why the start refused, or what a check of everything found. */
  readonly problems: readonly string[];
}

/** Opens the files as a start does, checks everything and reads what is there. */
async function openImage(files: ReadonlyMap<string, Buffer>): Promise<Found> {
  const folder = mkdtempSync(join(scratch, 'image-'));
  try {
    for (const [path, content] of files) writeFileSync(join(folder, basename(path)), content);
    const { db, close } = openDatabase(
      { file: join(folder, 'grs.db'), declaredPaths: [], acceptLoss: false },
      () => {},
    );
    const rows = db.prepare("SELECT id, version, current ->> 'text' AS value FROM resource").all();
    const resources = new Map(rows.map((row) => [String(row.id), row as unknown as State]));
    const problems = await checkDatabase(db, () => {});
    close();
    return { resources, problems };
  } catch (error) {
    return { resources: new Map(), problems: [String(error)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Verdict {
  readonly acknowledged: number;
  readonly failures: readonly string[];
}

/** Loses the power at a random point and compares. */
async function losePower(events: readonly TraceEvent[], from: Random): Promise<Verdict> {
  const point = from.integer(0, events.at(-1)!.end + 1);
  const told = acknowledgedAt(events, point);
  const { resources, problems } = await openImage(crashImage(events, point, isPart, from));
  const { lost, changed } = compareAcknowledged(told, resources);
  const failures = [...problems, ...lost.map((id) => `lost: ${id}`), ...changed.map((id) => `changed: ${id}`)];
  return { acknowledged: told.size, failures: failures.map((failure) => `at ${point}: ${failure}`) };
}

async function loseOften(events: readonly TraceEvent[]): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  // One after another: each takes its random numbers in turn.
  for (let n = 0; n < images; n += 1) verdicts.push(await losePower(events, random));
  return verdicts;
}

interface Checkpoints {
  /** Syncs of the database: of the thread that copies, and of the writer. */
  readonly syncs: number;
  /** How often the log was begun anew. */
  readonly begins: number;
  /** How often it was cut off. */
  readonly cuts: number;
}

function checkpointsIn(events: readonly TraceEvent[]): Checkpoints {
  const count = (isOne: (event: TraceEvent) => boolean) => events.filter(isOne).length;
  const isLog = (event: TraceEvent) => 'path' in event && event.path.endsWith('/grs.db-wal');
  return {
    syncs: count((event) => event.kind === 'sync' && event.path.endsWith('/grs.db')),
    begins: count((event) => event.kind === 'write' && isLog(event) && event.offset === 0),
    cuts: count((event) => event.kind === 'truncate' && isLog(event) && event.size === 0),
  };
}

const acksIn = (events: readonly TraceEvent[]) => acknowledgedAt(events, Number.POSITIVE_INFINITY).size;

test(`power loss at ${images} points: every acknowledged write is there, nothing is damaged, every start succeeds`, {
  skip: !canTrace,
}, async (t) => {
  const events = traceWriter('FULL');
  const verdicts = await loseOften(events);
  const failures = verdicts.flatMap((verdict) => verdict.failures);
  assert.deepEqual(failures.slice(0, 5), [], `seed ${random.seed}, ${failures.length} failures`);
  const writes = events.filter(({ kind }) => kind === 'write').length;
  t.diagnostic(
    `seed ${random.seed}: ${images} images of ${writes} writes and ${acksIn(events)} acknowledged resources`,
  );
  assert.ok(acksIn(events) === 141 && verdicts.some(({ acknowledged }) => acknowledged > 60));
  const { syncs, begins, cuts } = checkpointsIn(events);
  t.diagnostic(`${syncs} syncs of the database, ${begins} beginnings of the log, which was cut off ${cuts} times`);
  assert.ok(syncs >= 6 && begins >= 3 && cuts >= 1, 'checkpoints took place');
});

test('power loss, control: at synchronous=NORMAL the same images lose acknowledged writes, so the test would see it', {
  skip: !canTrace,
}, async (t) => {
  const events = traceWriter('NORMAL');
  const verdicts = await loseOften(events);
  const damaged = verdicts.filter(({ failures }) => failures.length > 0);
  t.diagnostic(`seed ${random.seed}: ${damaged.length} of ${images} images lost something`);
  assert.equal(acksIn(events), 120);
  assert.ok(damaged.length > images / 10, `${damaged.length} of ${images}`);
});
