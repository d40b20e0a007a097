import { setTimeout as pause } from 'node:timers/promises';

/** Waits until work that goes on has come so far. Work that ends before ends the wait too: it tells what was wrong. */
export async function waitUntil(isSo: () => boolean, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver && !isSo()) await pause(5);
}
