import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of this project by Node, to its end. */
export async function runProgram(program: string, args: readonly string[]): Promise<ProgramResult> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...texts };
}
