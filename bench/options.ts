import { parseArgs } from 'node:util';

/** What `npm run bench` was asked for: the options are described in `bench/run.ts`. */
export interface BenchOptions {
  readonly quick: boolean;
  readonly save: boolean;
  readonly sources: boolean;
  readonly only: string;
  readonly workers: string;
  readonly database: string;
  /** Resources in the stores, one after the other. */
  readonly sizes: readonly number[];
  readonly wrk: boolean;
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${option}: expected whole numbers from 1 on`);
  return value;
}

/** Reads the arguments of `npm run bench`; throws where one is not known or has no sense. */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      sources: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      workers: { type: 'string', default: '1' },
      database: { type: 'string', default: 'sqlite' },
      sizes: { type: 'string' },
      count: { type: 'string' },
      wrk: { type: 'boolean', default: false },
    },
  });
  const { count, sizes, ...others } = values;
  if (count !== undefined && sizes !== undefined) throw new Error('expected --count or --sizes, not both');
  if (count !== undefined) return { ...others, sizes: [wholeNumber('--count', count)] };
  return { ...others, sizes: (sizes ?? '1000,100000').split(',').map((size) => wholeNumber('--sizes', size)) };
}
