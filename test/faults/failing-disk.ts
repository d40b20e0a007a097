/** A disk that fails while the service uses it: strace makes chosen calls fail, on one file or on all. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type ServiceProcess, startService } from './service-process.ts';

const canInject = spawnSync('strace', ['-f', '-e', 'inject=fsync:error=EIO', 'true']).status === 0;
export const skip = canInject ? false : 'strace is not here, or may not trace';
if (skip) console.log(`Tests of disks that fail are skipped: ${skip}.`);

/** Starts the service so that these calls fail: `when` as strace counts them in each thread. */
export function startFailing(
  dataDir: string,
  calls: string,
  when: string,
  file?: string,
  error = 'EIO',
): Promise<ServiceProcess> {
  return startInjecting(dataDir, [`${calls}:error=${error}:when=${when}`], file);
}

/** Starts the service with faults as strace writes them, such as `fsync:error=EIO:when=1`. */
export function startInjecting(
  dataDir: string,
  faults: readonly string[],
  file?: string,
  nodeArgs: readonly string[] = [],
): Promise<ServiceProcess> {
  const only = file === undefined ? [] : ['-P', join(dataDir, file)];
  const calls = faults.map((fault) => fault.split(':', 1)[0]).join();
  const injected = faults.flatMap((fault) => ['-e', `inject=${fault}`]);
  const under = ['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', ...only, '-e', `trace=${calls}`];
  return startService(dataDir, {}, { under: [...under, ...injected], nodeArgs });
}

/** Whether a program that runs may be traced, which some systems allow for children alone. */
function canAttach(): boolean {
  const { status, stderr } = spawnSync('strace', ['-p', String(process.pid), '-e', 'trace=none'], { timeout: 500 });
  return status === null && /attached/.test(String(stderr));
}
export const skipAttached = canInject && canAttach() ? false : 'strace may not trace a program that runs';
if (skipAttached) console.log(`Tests of disks that begin to fail are skipped: ${skipAttached}.`);

/** Has calls on one file of a service that runs fail, until the function that it returns is called. */
export async function failWhileRunning(
  { pid }: ServiceProcess,
  calls: string,
  file: string,
): Promise<() => Promise<void>> {
  const args = ['-f', '-p', String(pid), '-o', '/dev/null', '-P', file, '-e', `inject=${calls}:error=EIO`];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  await once(tracer.stderr, 'data');
  const ended = once(tracer, 'exit');
  return async () => {
    tracer.kill('SIGTERM');
    await ended;
  };
}
