import type { LoadResult, MakeRequest } from '../load.ts';
import { medianOf } from '../search/report.ts';
import { load } from '../search/stage.ts';
import { cpuSeconds, type Running } from '../service.ts';

/** One side of a comparison. */
export interface Side {
  readonly server: Running;
  readonly make: MakeRequest;
  readonly expectStatus: number;
}

export interface Comparison {
  readonly perSecond: number;
  readonly otherPerSecond: number;
  /** Median of the shares of the rounds: noise of the machine that lasts longer than a round is in both sides. */
  readonly share: number;
  readonly p99Ms: number;
  /** Processor time of each server for a request: hardly depends on what else uses the machine. */
  readonly micros: number;
  readonly otherMicros: number;
}

export interface Rounds {
  readonly connections: number;
  readonly count: number;
  readonly ms: number;
  readonly isBodyless?: boolean;
}

interface Measured extends LoadResult {
  readonly micros: number;
}

/** Measures both sides alternately, several times. `from` goes on counting: no request is made twice. */
export async function compare(one: Side, other: Side, rounds: Rounds): Promise<Comparison> {
  const { connections, ms, isBodyless = false } = rounds;
  const pairs: { readonly one: Measured; readonly other: Measured }[] = [];
  const counts = { one: 0, other: 0 };
  const measure = async (side: Side, which: keyof typeof counts): Promise<Measured> => {
    const from = counts[which];
    const wanted = { connections, requests: 1e9, ms, isBodyless, make: (n: number) => side.make(from + n) };
    const cpu = cpuSeconds(side.server);
    const result = await load(side.server, wanted, side.expectStatus);
    counts[which] += result.requests + connections;
    return { ...result, micros: ((cpuSeconds(side.server) - cpu) * 1e6) / result.requests };
  };
  // The first round is for the compilers.
  for (let round = 0; round <= rounds.count; round += 1) {
    const pair = { other: await measure(other, 'other'), one: await measure(one, 'one') };
    if (round > 0) pairs.push(pair);
  }
  return {
    perSecond: medianOf(pairs.map((pair) => pair.one.perSecond)),
    otherPerSecond: medianOf(pairs.map((pair) => pair.other.perSecond)),
    share: medianOf(pairs.map((pair) => pair.one.perSecond / pair.other.perSecond)),
    p99Ms: medianOf(pairs.map((pair) => pair.one.p99Ms)),
    micros: medianOf(pairs.map((pair) => pair.one.micros)),
    otherMicros: medianOf(pairs.map((pair) => pair.other.micros)),
  };
}
