import { operatorCode } from '../extensions/operator-code.ts';
import type { Log } from '../telemetry/log.ts';

/** The store, the disk or the process itself failed. */
export const exitFault = 70;

/** Ends the process for a reason, with an exit code. */
export type End = (reason: string, exitCode: number) => void;

/** Ends the process in order on a signal or a fault; the first reason decides the exit code. */
export function endInOrder(service: { close(): Promise<void> }, log: Log, deadlineMs: number): End {
  let ending = false;
  return (reason, exitCode) => {
    if (ending) process.exit(exitCode === 0 ? 1 : exitCode);
    ending = true;
    log.write(exitCode === 0 ? 'info' : 'fatal', 'ending', { reason });
    // Whatever hangs, the process ends.
    setTimeout(() => process.exit(exitFault), deadlineMs).unref();
    service.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.write('fatal', 'ending-failed', { error });
        process.exit(exitFault);
      },
    );
  };
}

/**
 * Ends the process in order where nobody caught an error. A promise that the module of an operator forgot is only logged:
 * nothing of the service was in the middle of it, and a client must not be able to end the service for all others.
 */
export function endOnUncaught(end: End, log: Log): void {
  process.on('uncaughtException', (error, origin) => {
    const file = operatorCode();
    if (origin === 'unhandledRejection' && file !== undefined) {
      log.write('error', 'module-rejection', { file, error });
      return;
    }
    log.write('fatal', 'uncaught', { error });
    end('uncaught exception', exitFault);
  });
}
