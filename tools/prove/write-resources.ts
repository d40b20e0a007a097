import { type Ledger, noteSent, type Step } from './ledger.ts';
import type { Draft } from './resources.ts';
import type { ProcessAnswer, ServiceProcess } from './service-process.ts';

export interface Writing {
  readonly service: ServiceProcess;
  readonly project: string;
  readonly token: string;
  readonly ledger: Ledger;
  /** Begins every id of these writes. */
  readonly prefix: string;
  /** Where unexpected responses are noted. */
  readonly violations: string[];
  /** What a response says of a write that the service had no time for; undefined for all others. */
  readonly unavailability?: (answer: ProcessAnswer) => 'refused' | 'unknown' | undefined;
}

/** The correlation id of a write, which its response repeats. */
export const correlationOf = (id: string, version: number, isDeletion: boolean) =>
  `write ${id} ${isDeletion ? 'deleted' : version}`;

/** Every so many resources one is large, so that its change spans many pages. */
const largeEvery = 16;

function draftOf(id: string, n: number): Draft & { readonly filler: string } {
  const filler = n % largeEvery === 0 ? 'filling words '.repeat(3000) : 'x'.repeat(300);
  return { id, key: `key-${id}`, value: `${id} created`, kind: `k${n % 3}`, name: { en: `common ${id}` }, filler };
}

/** Sends one write and notes what became of it; false if it may have been stored or not. Rejects with `NoAnswer`. */
async function send(
  { service, token, ledger, violations, unavailability }: Writing,
  id: string,
  step: Step,
  request: { readonly method: string; readonly path: string; readonly body?: unknown },
): Promise<boolean> {
  const account = noteSent(ledger, id, step);
  const headers = { 'x-correlation-id': correlationOf(id, step.version, step.value === undefined) };
  for (;;) {
    const answer = await service.request({ ...request, token, headers });
    const unavailable = unavailability?.(answer);
    if (unavailable === 'unknown') return false;
    if (unavailable === 'refused') continue;
    const { status, text } = answer;
    if (status === 200 || status === 201) account.acknowledged += 1;
    else violations.push(`refused: ${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`);
    return true;
  }
}

/**
 * Creates resources one after the other, updates each up to three times and deletes every fifth, until the service is gone
 * or so many are done.
 */
export async function writeResources(
  writing: Writing,
  writer: number,
  count = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let n = 0; n < count; n += 1) await writeOne(writing, `${writing.prefix}w${writer}-${n}`, n);
}

/** Ends where it is not known whether a write was stored. */
async function writeOne(writing: Writing, id: string, n: number): Promise<void> {
  const path = `/${writing.project}/resource`;
  const draft = draftOf(id, n);
  const first = { version: 1, value: draft.value };
  if (!(await send(writing, id, first, { method: 'POST', path, body: draft }))) return;
  let version = 1;
  for (; version <= n % 4; version += 1) {
    const step = { version: version + 1, value: `${id} updated to ${version + 1}` };
    const body = { version, actions: [{ action: 'setField', path: 'value', value: step.value }] };
    if (!(await send(writing, id, step, { method: 'POST', path: `${path}/${id}`, body }))) return;
  }
  if (n % 5 !== 4) return;
  await send(writing, id, { version, value: undefined }, { method: 'DELETE', path: `${path}/${id}` });
}
