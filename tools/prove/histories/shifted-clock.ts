/**
 * Loaded before a program, in each of its threads: shifts its wall clock by the milliseconds in a file, which may change meanwhile. The
 * path of the file is the query of the address of this one. The clock that only measures durations stays.
 */
import { readFileSync } from 'node:fs';

const file = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const RealDate = Date;
const realNow = Date.now;
const readAgainMs = 20;
let [shiftMs, readMs] = [0, Number.NEGATIVE_INFINITY];

function now(): number {
  const atMs = performance.now();
  if (atMs - readMs > readAgainMs) [shiftMs, readMs] = [Number(readFileSync(file, 'utf8')), atMs];
  return realNow() + shiftMs;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
});
RealDate.now = now;
