import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ImageStore } from '../../src/domain/ports/image-store.ts';
import { openS3Store, type S3Parts } from '../../src/images/s3/store.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const program = fileURLToPath(new URL('s3-server-process.ts', import.meta.url));

/** What the server knows. */
export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: undefined };

/** Settings of a service that uses the bucket behind a port. */
export function settingsFor(port: number, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    IMAGE_STORE_URL: addressOf(port),
    ...{ S3_ACCESS_KEY_ID: credentials.accessKeyId, S3_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    ...more,
  };
}

export function addressOf(port: number, prefix = 'images'): string {
  return `s3://pictures/${prefix}?endpoint=http://127.0.0.1:${port}&region=us-east-1`;
}

/** A store on an address; throws where the address is none. */
export function storeOn(address: string, more: Partial<S3Parts> = {}): ImageStore {
  const parts = { credentials, log: noLog, metrics: createMetrics(), nowMs: Date.now, ...more };
  const opened = openS3Store(address, parts);
  if ('problem' in opened) throw new Error(opened.problem);
  return opened;
}

export interface S3Server {
  readonly port: number;
  /** Ends it at once, as a power failure would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with its files. */
  restart(): Promise<void>;
}

/** Starts object storage with an empty bucket `pictures`; it ends with the test file. It compares signatures. */
export async function startS3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'grs-s3-'));
  let started = await start(folder, 0);
  const { port } = started;
  const kill = async () => {
    const { child } = started;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  after(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ...{ port, kill },
    async restart() {
      started = await start(folder, port);
    },
  };
}

async function start(folder: string, port: number): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  // Its pages of lists are named by a cipher that is off by default.
  const child = fork(program, [folder, String(port)], { execArgv: ['--openssl-legacy-provider'], stdio: 'ignore' });
  const [listening] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the S3 server ended with ${code}`))),
  ]);
  return { child, port: listening as number };
}
