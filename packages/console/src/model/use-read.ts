import { useEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../app/notices.tsx';
import { whileVisible } from '../browser/while-visible.ts';

interface State<T> {
  readonly value?: T | undefined;
  readonly error?: unknown;
  /** The key that the last answer belongs to. */
  readonly key?: string | undefined;
}

interface ReadOptions {
  /** Reads again after each pause while the page is visible. */
  readonly pauseMs?: number;
  /** Waits before it reads, for keys that change while somebody types. */
  readonly delayMs?: number;
}

/**
 * Reads a value, and reads it again when `key` changes or `reload` is called; `undefined` as key reads on `reload` only. The last
 * value stays until the next one arrives, also after an error. An answer that a later reading has overtaken is dropped.
 */
export function useRead<T>(task: (signal: AbortSignal) => Promise<T>, key: string | undefined, options?: ReadOptions) {
  const { pauseMs, delayMs = 0 } = options ?? {};
  const [state, setState] = useState<State<T>>({});
  const latest = useRef({ task, key });
  latest.current = { task, key };
  const running = useRef(new AbortController());

  async function run(read: typeof task): Promise<void> {
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    const asked = latest.current.key;
    const outcome = await read(signal).then(
      (value) => ({ value, error: undefined }),
      (error: unknown) => ({ error }),
    );
    if (!signal.aborted) setState((before) => ({ ...before, ...outcome, key: asked }));
  }
  const reload = () => run((signal) => latest.current.task(signal));
  useEffect(() => {
    if (key === undefined) return;
    if (pauseMs === undefined && delayMs === 0) void reload();
    const timer = delayMs > 0 ? setTimeout(reload, delayMs) : undefined;
    const end = pauseMs === undefined ? undefined : whileVisible(pauseMs, reload);
    return () => {
      clearTimeout(timer);
      end?.();
      running.current.abort();
    };
  }, [key]);
  const { value, error } = state;
  const problem = error === undefined ? '' : errorText(error);
  /** `isAnswered`: the value or the error is that of the present key. */
  return { value, error, problem, isAnswered: state.key === key, reload, run };
}
