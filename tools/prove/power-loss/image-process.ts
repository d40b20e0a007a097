import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LostPower, ProcessMessage } from './lose-power.ts';
import type { TracedService } from './trace-service.ts';

const program = fileURLToPath(new URL('./lose-power.ts', import.meta.url));
/** Long enough for a start on a busy machine. */
const patienceMs = 120_000;

/** A process that makes images of a traced service and opens them. Must be closed. */
export interface ImageProcess {
  /** Makes the image of a seed and opens it. The process is replaced if it ends or hangs. */
  losePower(seed: number): Promise<LostPower>;
  close(): void;
}

/** `folder`: where the process makes its images, one after the other. */
export function startImageProcess(traced: TracedService, folder: string): ImageProcess {
  let child: ChildProcess | undefined;
  const send = (to: ChildProcess, message: ProcessMessage) => void to.send(message);
  const start = () => {
    const started = fork(program, [], { serialization: 'advanced' });
    send(started, { traced, folder });
    return started;
  };
  return {
    async losePower(seed) {
      child ??= start();
      const current = child;
      const { promise, resolve } = Promise.withResolvers<LostPower>();
      const failed = (why: string) => {
        child = undefined;
        current.kill('SIGKILL');
        resolve({ violations: [`start: ${why}, seed ${seed}`], expectedWrites: 0, isService: false });
      };
      const timer = setTimeout(failed, patienceMs, `no response within ${patienceMs / 1000} s`);
      const onExit = (code: number | null, signal: string | null) => failed(`the process ended: ${signal ?? code}`);
      current.once('message', resolve as (message: unknown) => void).once('exit', onExit);
      send(current, { seed });
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
