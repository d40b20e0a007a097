/** Damerau–Levenshtein distance in code points, by the whole table of Lowrance and Wagner: slow, and plainly right. */
export function naiveDistance(first: string, second: string): number {
  const [a, b] = [[...first], [...second]];
  const far = a.length + b.length;
  const table = Array.from({ length: a.length + 2 }, () => new Array<number>(b.length + 2).fill(far));
  for (let i = 0; i <= a.length; i += 1) table[i + 1]![1] = i;
  for (let j = 0; j <= b.length; j += 1) table[1]![j + 1] = j;
  const lastRow = new Map<string, number>();
  for (let i = 1; i <= a.length; i += 1) {
    let lastColumn = 0;
    for (let j = 1; j <= b.length; j += 1) {
      const [row, column] = [lastRow.get(b[j - 1]!) ?? 0, lastColumn];
      const same = a[i - 1] === b[j - 1];
      if (same) lastColumn = j;
      table[i + 1]![j + 1] = Math.min(
        table[i]![j]! + (same ? 0 : 1),
        table[i + 1]![j]! + 1,
        table[i]![j + 1]! + 1,
        table[row]![column]! + (i - row - 1) + 1 + (j - column - 1),
      );
    }
    lastRow.set(a[i - 1]!, i);
  }
  return table[a.length + 1]![b.length + 1]!;
}
