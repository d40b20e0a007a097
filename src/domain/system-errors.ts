import { ServiceError } from '../contract/errors.ts';

/** Faults of the machine rather than of the service, by the code that the system gives them. */
const problems: readonly (readonly [codes: readonly string[], status: 503 | 507, problem: string])[] = [
  [['ENOSPC', 'EDQUOT', 'EFBIG'], 507, 'There is no space left on the disk of the service.'],
  [['EMFILE', 'ENFILE'], 503, 'The service has as many files open as it may have.'],
  [['ENOMEM', 'EAGAIN', 'ERR_WORKER_OUT_OF_MEMORY'], 503, 'The machine is short of memory or threads.'],
  [['EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'ESHUTDOWN', 'EUCLEAN'], 503, 'The disk cannot be read or written.'],
  [['EROFS', 'EACCES', 'EPERM'], 503, 'The service may not write its files.'],
];

/** How far the cause of an error is looked for. */
const maxCauses = 5;

/**
 * The refusal for an error of the system, whatever part of the service met it; undefined for any other error. It has the
 * error as its cause, so that the log tells which file it was.
 */
export function systemRefusal(error: unknown): ServiceError | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < maxCauses && at instanceof Error; depth += 1) {
    const code = codeOf(at);
    const found = problems.find(([codes]) => code !== undefined && codes.includes(code));
    if (found) return refusal(found, error);
    at = at.cause;
  }
  return undefined;
}

/** Errors from other threads have lost their code, but begin or end with it: “EIO: i/o error, read”. */
function codeOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) return code;
  // Errors of Node when it reads the file of a module.
  if (/too many open files/i.test(error.message)) return 'EMFILE';
  const [, first, last] = /^(E[A-Z0-9]+)[:,]|: (E[A-Z0-9]+)$/.exec(error.message) ?? [];
  return first ?? last ?? code;
}

function refusal([, status, problem]: (typeof problems)[number], cause: unknown): ServiceError {
  const made =
    status === 507
      ? new ServiceError('InsufficientStorage', `${problem} Try again when there is room.`)
      : new ServiceError('OverCapacity', `${problem} Try again later.`, {}, { 'retry-after': '5' });
  return Object.assign(made, { cause });
}
