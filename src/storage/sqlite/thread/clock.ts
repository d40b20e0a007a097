/** Milliseconds that count up alike in all threads: `performance.now` alone begins with each thread anew. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}
