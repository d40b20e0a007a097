/** The number in a position (decision 128): an exact 64-bit integer where it is one, else the double. */
export function positionNumber(digits: string): bigint | number {
  const isInteger = /^-?\d{1,19}$/.test(digits) && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
  return isInteger ? BigInt(digits) : Number(digits);
}
