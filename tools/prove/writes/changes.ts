import type { ProcessAnswer } from '../service-process.ts';
import type { Fields, SingleWrite, Write } from './write.ts';

/** A change that an answer tells of. */
export interface ToldChange {
  readonly id: string;
  readonly version: number;
  readonly resource: Fields | undefined;
}

/** The writes of one resource each that a write consists of. */
export function singlesOf(write: Write): readonly SingleWrite[] {
  switch (write.kind) {
    case 'batch':
      return write.operations;
    case 'import':
      return write.lines.map((draft) => ({ kind: 'draft', mode: write.mode, draft }));
    case 'draft':
    case 'update':
    case 'delete':
    case 'restore':
    case 'complex':
      return [write];
    case 'forget':
      // It has an event of its own.
      return [{ kind: 'delete', target: { id: write.id } }];
    default:
      return [];
  }
}

interface Result {
  readonly outcome?: string;
  readonly status?: string | number;
  readonly id: string;
  readonly version: number;
  readonly resource?: Fields;
}

/** The lines of an import's answer, without the summary. */
export function importResults(text: string): readonly (Result & { readonly line: number })[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"line"'))
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

const changed = ['created', 'updated', 'deleted'];

/** What a batch or an import changed by its answer, in order; of an import as far as it was told. */
export function changesOf(write: Write, answer: ProcessAnswer): readonly ToldChange[] {
  if (write.kind === 'import') {
    const results = importResults(answer.text).filter(({ status }) => changed.includes(String(status)));
    return results.map(({ id, version }) => ({ id, version, resource: undefined }));
  }
  const json = JSON.parse(answer.text) as { readonly results: readonly Result[] };
  const results = json.results.filter(({ outcome = '' }) => changed.includes(outcome));
  return results.map(({ id, version, resource }) => ({ id, version, resource }));
}

/** The resource that a single write left, or deleted, by its answer. */
export function toldOf(write: Write, { text, headers }: ProcessAnswer): ToldChange {
  if (write.kind !== 'complex') {
    const resource = JSON.parse(text) as Fields;
    return { id: resource.id as string, version: Number(resource.version), resource };
  }
  const id = decodeURIComponent(String(headers.location).split('/').at(-1) ?? '');
  return { id, version: Number(/\d+/.exec(String(headers.etag))?.[0]), resource: undefined };
}

/** True of a write that makes no version where it changes nothing. */
export function mayLeaveAsIs(write: Write): boolean {
  if (write.kind === 'draft' || write.kind === 'complex') return true;
  const without = ['publish', 'revertStagedChanges'];
  return write.kind === 'update' && write.actions.every(({ action }) => without.includes(action));
}
