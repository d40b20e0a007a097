import { setTimeout as pause } from 'node:timers/promises';

/** Asks for readiness until it is there: the threads of queries start when the service listens, or is asked. */
export async function untilReady<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask();
    if (answer.status === 200 || tries === 1000) return answer;
    await pause(20);
  }
}
