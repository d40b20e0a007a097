import { type Load, type LoadResult, runLoad } from '../load.ts';
import type { Running } from '../service.ts';
import type { Corpus } from './corpus.ts';
import type { Target } from './requests.ts';

/** The service under measurement, filled with the documents. */
export interface Stage {
  readonly service: Running;
  readonly target: Target;
  readonly corpus: Corpus;
  /** Ids of the documents, by their number. */
  readonly ids: readonly string[];
  readonly trialMs: number;
}

/** One line of progress on standard output. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The same at each start, whatever its port: tokens outlive a restart. */
export const serviceSettings = { ISSUER: 'http://bench.example' };

const patienceMs = 60_000;

/** How many responses had another status than the expected one. */
export function unexpected({ statuses }: LoadResult, expectStatus: number): number {
  return [...statuses].reduce((sum, [status, count]) => (status === expectStatus ? sum : sum + count), 0);
}

/** Runs a load, and fails where the service ends or stops responding: a bench must end by itself. */
export async function load(service: Running, wanted: Omit<Load, 'port'>, expectStatus: number): Promise<LoadResult> {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const onExit = (code: number | null) => reject(new Error(`The service ended with exit code ${code}.`));
  const silent = () => reject(new Error('The service does not respond any more.'));
  const timer = setTimeout(silent, wanted.ms + patienceMs);
  service.process.once('exit', onExit);
  try {
    const result = await Promise.race([runLoad({ ...wanted, port: service.port }), failure]);
    if (unexpected(result, expectStatus) > 0) {
      say(`  !! not only ${expectStatus}: statuses and their numbers ${JSON.stringify([...result.statuses])}`);
    }
    return result;
  } finally {
    clearTimeout(timer);
    service.process.off('exit', onExit);
  }
}
