import type { Call } from '../api/client.ts';
import { read } from '../app/session.ts';
import type { Page } from './pages.ts';
import { useRead } from './use-read.ts';

/**
 * A list that the service gives page by page: its rows so far, undefined until the first ones are read. It is read again
 * when `key` changes; `more` is undefined where nothing follows.
 */
export function usePages<Row>(projectKey: string, callOf: (cursor: string | undefined) => Call, key = '') {
  const readPage = (signal: AbortSignal, cursor?: string) => read<Page<Row>>(projectKey, { ...callOf(cursor), signal });
  const { value, problem, reload, run } = useRead((signal) => readPage(signal), `${projectKey} ${key}`);
  const { results: rows, next } = value ?? {};
  const more = async (signal: AbortSignal) => {
    const page = await readPage(signal, next);
    return { ...page, results: [...(rows ?? []), ...page.results] };
  };
  return { rows, problem, reload, more: next === undefined ? undefined : () => run(more) };
}
