import { setTimeout as pause } from 'node:timers/promises';

/** Waits until work in progress has reached a condition. Work that ends before ends the wait too, with its error. */
export async function waitUntil(isSo: () => boolean, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver && !isSo()) await pause(5);
}
