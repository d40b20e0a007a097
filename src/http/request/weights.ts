/**
 * The weights of the items of a header such as Accept (RFC 9110 §12.4.2), by their names in lower case. A malformed weight
 * is 0: not acceptable, rather than preferred. Of an item that is repeated, the higher weight counts.
 */
export function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=', 2)[1];
    const weight = quality === undefined ? 1 : Number(quality);
    const valid = weight >= 0 && weight <= 1 ? weight : 0;
    if (name !== '') weights.set(name, Math.max(weights.get(name) ?? 0, valid));
  }
  return weights;
}
