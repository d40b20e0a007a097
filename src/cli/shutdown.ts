import { settingTable } from '../config/settings.ts';
import { operatorCode } from '../extensions/operator-code.ts';
import type { Log } from '../telemetry/log.ts';
import { exitFailure } from './command.ts';

/** Ends the process for a reason, with an exit code. */
export type End = (reason: string, exitCode: number) => void;

/**
 * How long an end may take with such a `DRAIN_TIMEOUT_MS`: almost two seconds longer, to close the store, and never less
 * than with the default, so that a slow disk has the ten seconds of common supervisors.
 */
export function endDeadlineMs(drainTimeoutMs: number): number {
  return Math.max(drainTimeoutMs, settingTable.drainTimeoutMs.default) + 1900;
}

/**
 * Shuts down in order, on a signal or an error, also one that nobody caught. A second reason ends at once: with 1 after two
 * signals, else with the code of the error.
 */
export function endInOrder(service: { close(): Promise<void> }, log: Log, deadlineMs: number): End {
  let endingWith: number | undefined;
  const end: End = (reason, exitCode) => {
    if (endingWith !== undefined) process.exit(endingWith || exitCode || 1);
    endingWith = exitCode;
    log.write(exitCode === 0 ? 'info' : 'fatal', 'ending', { reason });
    // The process ends even if something hangs.
    setTimeout(() => process.exit(exitFailure), deadlineMs).unref();
    service.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.write('fatal', 'ending-failed', { error });
        process.exit(exitFailure);
      },
    );
  };
  // An unhandled rejection in a module of the operator is only logged: the service itself is not affected, and a client
  // must not be able to end it for all others.
  process.on('uncaughtException', (error, origin) => {
    const file = operatorCode();
    if (origin === 'unhandledRejection' && file !== undefined) {
      log.write('error', 'module-rejection', { file, error });
      return;
    }
    log.write('fatal', 'uncaught', { error });
    end('uncaught exception', exitFailure);
  });
  return end;
}
