/**
 * The `nth` greatest of some numbers; -∞ if there are not so many. By a heap whose first is the least of the greatest so
 * far: most numbers are compared with that one alone.
 */
export function nthGreatest(numbers: ArrayLike<number>, nth: number): number {
  if (numbers.length < nth) return Number.NEGATIVE_INFINITY;
  const heap = new Float64Array(nth);
  for (let at = 0; at < nth; at += 1) heap[at] = numbers[at]!;
  heap.sort();
  for (let at = nth; at < numbers.length; at += 1) {
    if (numbers[at]! > heap[0]!) sink(heap, numbers[at]!);
  }
  return heap[0]!;
}

/** Puts a number in place of the first one. */
function sink(heap: Float64Array, number: number): void {
  let place = 0;
  for (let below = 1; below < heap.length; below = 2 * place + 1) {
    if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below += 1;
    if (heap[below]! >= number) break;
    heap[place] = heap[below]!;
    place = below;
  }
  heap[place] = number;
}
