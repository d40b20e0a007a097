import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ImageToOpen, OpenedImage } from './open-image.ts';

const program = fileURLToPath(new URL('./open-image.ts', import.meta.url));
/** Long enough for a start on a busy machine. */
const patienceMs = 120_000;

/** A process that opens images. Must be closed. */
export interface ImageProcess {
  /** Opens an image. Its process is replaced if it ends or hangs. */
  open(image: ImageToOpen): Promise<OpenedImage>;
  close(): void;
}

export function startImageProcess(): ImageProcess {
  let child: ChildProcess | undefined;
  const start = () => fork(program, [], { serialization: 'advanced' });
  return {
    async open(image) {
      child ??= start();
      const current = child;
      const { promise, resolve } = Promise.withResolvers<OpenedImage>();
      const failed = (why: string) => {
        child = undefined;
        current.kill('SIGKILL');
        resolve({ found: new Map(), violations: [`start: ${why}`] });
      };
      const timer = setTimeout(failed, patienceMs, `no response within ${patienceMs / 1000} s`);
      const onExit = (code: number | null, signal: string | null) => failed(`the process ended: ${signal ?? code}`);
      current.once('message', resolve as (message: unknown) => void).once('exit', onExit);
      current.send(image);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        current.off('exit', onExit);
      }
    },
    close: () => void child?.disconnect(),
  };
}
