import { type Ledger, noteSent, type Step } from './ledger.ts';
import type { Draft } from './resources.ts';
import type { ServiceProcess } from './service-process.ts';

export interface Writing {
  readonly service: ServiceProcess;
  readonly project: string;
  readonly token: string;
  readonly ledger: Ledger;
  /** Begins every id of these writes. */
  readonly prefix: string;
  /** Where unexpected responses are noted. */
  readonly violations: string[];
}

/** The correlation id of a write, which its response repeats. */
export const correlationOf = (id: string, version: number, isDeletion: boolean) =>
  `write ${id} ${isDeletion ? 'deleted' : version}`;

/** One resource in this many is large: its change spans many pages and has many words to index. */
const largeEvery = 16;
const manyWords = Array.from({ length: 1500 }, (_, n) => `word${n.toString(36)}`).join(' ');

function draftOf(id: string, n: number): Draft & { readonly filler: string } {
  const filler = n % largeEvery === 0 ? manyWords : 'x'.repeat(300);
  return { id, key: `key-${id}`, value: `${id} created`, kind: `k${n % 3}`, name: { en: `common ${id}` }, filler };
}

/** Sends one write and notes what became of it. Rejects with `NoAnswer`. */
async function send(
  { service, token, ledger, violations }: Writing,
  id: string,
  step: Step,
  request: { readonly method: string; readonly path: string; readonly body?: unknown },
): Promise<void> {
  const account = noteSent(ledger, id, step);
  const headers = { 'x-correlation-id': correlationOf(id, step.version, step.value === undefined) };
  const { status, text } = await service.request({ ...request, token, headers });
  if (status === 200 || status === 201) account.acknowledged += 1;
  else violations.push(`refused: ${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`);
}

/** Creates resources one after the other, updates each up to three times and deletes every fifth. */
export async function writeResources(writing: Writing, writer: number, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await writeOne(writing, `${writing.prefix}w${writer}-${n}`, n);
}

async function writeOne(writing: Writing, id: string, n: number): Promise<void> {
  const path = `/${writing.project}/resource`;
  const draft = draftOf(id, n);
  const first = { version: 1, value: draft.value };
  await send(writing, id, first, { method: 'POST', path, body: draft });
  let version = 1;
  for (; version <= n % 4; version += 1) {
    const step = { version: version + 1, value: `${id} updated to ${version + 1}` };
    const body = { version, actions: [{ action: 'setField', path: 'value', value: step.value }] };
    await send(writing, id, step, { method: 'POST', path: `${path}/${id}`, body });
  }
  if (n % 5 !== 4) return;
  await send(writing, id, { version, value: undefined }, { method: 'DELETE', path: `${path}/${id}` });
}
