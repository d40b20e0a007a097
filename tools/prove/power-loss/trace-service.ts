import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlName } from '../controls.ts';
import { nodeArgsOf } from '../controls.ts';
import type { Ledger } from '../ledger.ts';
import { type Environment, startService } from '../service-process.ts';
import { correlationOf, writeResources } from '../write-resources.ts';
import { parseTrace, straceOptions, type TraceEvent } from './syscall-trace.ts';

/** What a traced service did, and what it was asked to write. */
export interface TracedService {
  readonly events: readonly TraceEvent[];
  readonly ledger: Ledger;
  /** Of each resource: the positions in the trace at which its writes had been acknowledged, in order. */
  readonly acknowledgedAt: ReadonlyMap<string, readonly number[]>;
  readonly violations: readonly string[];
}

export const project = 'power';
const shortLog = new URL('./short-log.ts', import.meta.url).href;
/** Alone, one after the other; then several at once, whose commits are shared. */
const writersOfLife: readonly (readonly [writers: number, resources: number])[] = [
  [1, 10],
  [8, 8],
  [16, 4],
];

/**
 * Runs the service under strace on an empty folder, lets it write, stops it in order, and starts it once more, so that the
 * power can also go while it stops and starts.
 */
export async function traceService(
  dataDir: string,
  environment: Environment,
  build: ControlName | undefined,
): Promise<TracedService> {
  const ledger: Ledger = new Map();
  const violations: string[] = [];
  const events: TraceEvent[] = [];
  for (const [life, [writers, resources]] of writersOfLife.entries()) {
    const output = join(dataDir, '..', 'trace');
    const under = ['strace', '-o', output, ...straceOptions];
    const nodeArgs = ['--import', shortLog, ...nodeArgsOf(build)];
    const service = await startService(dataDir, environment, { under, nodeArgs });
    const token = await service.token(`manage_project:${project}`);
    const writing = { service, project, token, ledger, prefix: `l${life}-`, violations };
    await Promise.all(Array.from({ length: writers }, (_, writer) => writeResources(writing, writer, resources)));
    service.kill('SIGTERM');
    const { code, stderr } = await service.ended;
    if (code !== 0) throw new Error(`the traced service ended with exit code ${code}: ${stderr}`);
    const first = (events.at(-1)?.end ?? -1) + 1;
    const lived = parseTrace(readFileSync(output, 'latin1'));
    for (const event of lived) events.push({ ...event, start: event.start + first, end: event.end + first });
    rmSync(output);
  }
  return { events, ledger, acknowledgedAt: positionsOf(events, ledger), violations };
}

/** A response counts from when it was handed to the system: its correlation id names the write. */
function positionsOf(events: readonly TraceEvent[], ledger: Ledger): ReadonlyMap<string, readonly number[]> {
  const ends = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'print' || !event.text.startsWith('HTTP/1.1 20')) continue;
    const [, correlation] = /^x-correlation-id: (write [^\r]*)\r$/im.exec(event.text) ?? [];
    if (correlation !== undefined) ends.set(correlation, event.end);
  }
  return new Map(
    [...ledger].map(([id, { steps }]) => {
      const positions = steps.map(({ version, value }) => ends.get(correlationOf(id, version, value === undefined)));
      const missing = positions.indexOf(undefined);
      if (missing >= 0) throw new Error(`the trace has no response to write ${missing + 1} of ${id}`);
      return [id, positions as readonly number[]];
    }),
  );
}

/** What clients had been told, and what was on its way, at a point of the trace. */
export function ledgerAt({ ledger, acknowledgedAt }: TracedService, point: number): Ledger {
  const then: Ledger = new Map();
  for (const [id, { steps }] of ledger) {
    const acknowledged = acknowledgedAt.get(id)!.filter((end) => end < point).length;
    then.set(id, { steps: steps.slice(0, acknowledged + 1), acknowledged });
  }
  return then;
}
