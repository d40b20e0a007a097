import { hash } from 'node:crypto';

/** Which rows of what belongs to no project are found under; every table is spread by its project key. */
export const servicePartition = '~';

/** The project of a client, as its id says: clients of none are under ''. */
export function clientPartition(id: string): string {
  const dot = id.indexOf('.');
  return dot === -1 ? '' : id.slice(0, dot);
}

/** What an answer is kept under: its scope may be longer than the key of an index. */
export function answerKey(scope: string): string {
  return hash('sha256', scope);
}

/** The project of an answer kept for repeats: the first segment of the path in its scope. */
export function answerPartition(scope: string): string {
  const path = scope.split('\n', 3)[2] ?? '';
  return path.startsWith('/') ? path.slice(1).split('/', 1)[0]! : '';
}
