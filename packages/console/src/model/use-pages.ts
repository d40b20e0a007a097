import { useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { read } from '../app/session.ts';

/**
 * A list that the service gives page by page: its rows so far, undefined until the first ones are read. It is read again
 * when `key` changes; `more` is undefined where nothing follows.
 */
export function usePages<Row>(projectKey: string, callOf: (cursor: string | undefined) => Call, key = '') {
  const [rows, setRows] = useState<readonly Row[]>();
  const [next, setNext] = useState<string>();
  const [problem, setProblem] = useState('');
  /** Rises with each reading, so that an answer that others have overtaken is not shown. */
  const readings = useRef(0);

  async function load(cursor?: string): Promise<void> {
    readings.current += 1;
    const own = readings.current;
    try {
      const page = await read<{ readonly results: readonly Row[]; readonly next?: string }>(projectKey, callOf(cursor));
      if (own !== readings.current) return;
      setRows((before = []) => [...(cursor === undefined ? [] : before), ...page.results]);
      setNext(page.next);
      setProblem('');
    } catch (error) {
      if (own === readings.current) setProblem(errorText(error));
    }
  }
  useEffect(() => {
    void load();
    return () => {
      readings.current += 1;
    };
  }, [projectKey, key]);

  return { rows, problem, reload: () => load(), more: next === undefined ? undefined : () => load(next) };
}
