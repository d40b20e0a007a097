import { signal } from '@preact/signals';
import { ApiError } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { sendImage, type Target, uploadCall } from './send.ts';

/** A file on its way. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly target: Target;
  /** `chosen`: waits for somebody to say go. `waiting`: for those before it. */
  readonly state: 'chosen' | 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
  /** 0 to 100: how much is sent. */
  readonly percent: number;
  readonly problem?: string;
}

const accepted: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif']);

/** Files that are sent one after another, in their order: that is the order of the images. */
export function createQueue(projectKey: string, onStored: () => void) {
  const uploads = signal<readonly Upload[]>([]);
  let count = 0;
  let isRunning = false;
  let isClosed = false;
  const aborts = new Map<number, AbortController>();

  function change(id: number, next: Partial<Upload>): void {
    uploads.value = uploads.value.map((one) => (one.id === id ? { ...one, ...next } : one));
  }

  async function send({ id, file, target }: Upload): Promise<void> {
    const abort = new AbortController();
    aborts.set(id, abort);
    change(id, { state: 'sending', percent: 0 });
    const request = uploadCall(projectKey, file, target);
    const onProgress = (percent: number) => change(id, { percent });
    try {
      try {
        await sendImage(projectKey, request, onProgress, abort.signal);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        // The token ended: this way it is renewed, or a login is asked for.
        await call(projectKey, { ...request, signal: abort.signal });
      }
      change(id, { state: 'done', percent: 100 });
      onStored();
    } catch (error) {
      const isCancelled = abort.signal.aborted;
      change(id, isCancelled ? { state: 'cancelled' } : { state: 'failed', problem: errorText(error) });
    }
    aborts.delete(id);
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (;;) {
      const next = uploads.value.find(({ state }) => state === 'waiting');
      if (!next || isClosed) break;
      await send(next);
    }
    isRunning = false;
  }

  return {
    uploads,
    /** Takes files: a single one is sent at once, several wait until they are in their order. */
    add(files: readonly File[], target: Target): void {
      const isAlone = files.length === 1 && !uploads.value.some(({ state }) => state === 'chosen');
      const added = files.map((file): Upload => {
        count += 1;
        const own = { id: count, file, target, percent: 0 } as const;
        if (!accepted.has(file.type)) return { ...own, state: 'failed', problem: texts.images.notImage };
        return { ...own, state: isAlone ? 'waiting' : 'chosen' };
      });
      uploads.value = [...uploads.value, ...added];
      void run();
    },
    /** Sends those that were chosen. */
    start(target: Target): void {
      uploads.value = uploads.value.map((one) =>
        one.state === 'chosen' ? { ...one, target, state: 'waiting' as const } : one,
      );
      void run();
    },
    /** Sends one again that failed. */
    again(id: number): void {
      change(id, { state: 'waiting', percent: 0 });
      void run();
    },
    cancel(id: number): void {
      const abort = aborts.get(id);
      if (abort) abort.abort();
      else change(id, { state: 'cancelled' });
    },
    /** Moves one before another. */
    move(id: number, beforeId: number): void {
      const moved = uploads.value.find((one) => one.id === id);
      if (!moved || id === beforeId) return;
      const from = uploads.value.findIndex((one) => one.id === id);
      const to = uploads.value.findIndex((one) => one.id === beforeId);
      const others = uploads.value.filter((one) => one.id !== id);
      const at = others.findIndex((one) => one.id === beforeId) + (from < to ? 1 : 0);
      uploads.value = [...others.slice(0, at), moved, ...others.slice(at)];
    },
    /** Takes those out of the list that are over. */
    clear(): void {
      uploads.value = uploads.value.filter(({ state }) => ['chosen', 'waiting', 'sending'].includes(state));
    },
    close(): void {
      isClosed = true;
      for (const abort of aborts.values()) abort.abort();
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
