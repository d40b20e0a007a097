/** How many there are, where the service may have stopped counting: then `total` is the least that there are. */
export const totalText = (total: number, isLeast: boolean): string => {
  const text = total.toLocaleString('en');
  return isLeast ? `at least ${text}` : text;
};

/** A count of a facet. One that was estimated from a sample has two digits that say something, and no more. */
export const countText = (count: number, sampled: number | undefined): string =>
  sampled === undefined
    ? count.toLocaleString('en')
    : `about ${count.toLocaleString('en', { maximumSignificantDigits: 2 })}`;
