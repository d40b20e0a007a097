/**
 * `npm run bench`: measures the service against bare node:http in the same minute and prints the ratios. Machines differ
 * and swing, so look at the shares, at the two looks at the ceiling around each trial, and at the processor time of a
 * request beside that of the ceiling. Starts, memory, bytes written and disk are measured as well. Options:
 *   --quick               1 s a trial
 *   --save                adds bench/results/<date>.md
 *   --only <text>         trials whose name has it
 *   --sizes <a,b>         resources in the stores of SQLite: 1000,100000 by default
 *   --count <n>           a store of one size, as --sizes with one number
 *   --wrk                 each trial on SQLite by wrk as well, where it is installed
 *   --sources             the service from its sources, and not what `npm ci` or `npm run build` made of them
 *   --workers <n>         processes of the service
 *   --database <engine>   the engine, sqlite by default: bench/<engine>/run.ts
 */
import { engines } from '../src/store/engines.ts';
import { say, warmCeiling } from './measure.ts';
import { type BenchOptions, parseBenchOptions } from './options.ts';
import { type Running, startCeiling, startedFrom, startSources } from './service.ts';

const options = parseBenchOptions(process.argv.slice(2));

/** The bench of an engine: its `run.ts`. */
interface EngineBench {
  benchEngine(ceiling: Running, options: BenchOptions): Promise<void>;
}

if (options.sources) startSources();
say(`The service runs from ${startedFrom()}.`);
const engine = engines.find(({ id }) => id === options.database);
if (!engine) throw new Error(`--database: expected ${engines.map(({ id }) => id).join(' or ')}`);
const { benchEngine } = (await import(`./${engine.id}/run.ts`)) as EngineBench;
const ceiling = await startCeiling();
try {
  await warmCeiling(ceiling);
  await benchEngine(ceiling, options);
} finally {
  await ceiling.stop();
}
