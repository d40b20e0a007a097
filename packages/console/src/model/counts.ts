/** How many there are, where the service may have stopped counting: then `total` is the least that there are. */
export const totalText = (total: number, isLeast: boolean): string => {
  const text = total.toLocaleString('en');
  return isLeast ? `at least ${text}` : text;
};
