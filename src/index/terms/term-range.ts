import type { TermBytes } from './block.ts';

/** From one term to below another; with endings those that end so. */
export interface Range {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly endings?: readonly Uint8Array[] | undefined;
}

/** All terms that begin so. */
export function beginningRange(beginning: string): Range {
  const from = Buffer.from(beginning);
  // No byte of a text is 255.
  return { from, to: Buffer.concat([from, Uint8Array.of(255)]) };
}

/** True if a term has no mark behind what begins at a place: it is that of a word. */
export function isOfWord({ term, length }: TermBytes, start: number): boolean {
  for (let at = start; at < length; at += 1) if (term[at] === bar) return false;
  return true;
}

const bar = '|'.charCodeAt(0);

export function endsIn({ term, length }: TermBytes, ending: Uint8Array): boolean {
  const start = length - ending.length;
  if (start < 0) return false;
  for (let at = 0; at < ending.length; at += 1) if (term[start + at] !== ending[at]) return false;
  return true;
}
