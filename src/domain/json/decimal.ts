import type { JsonNumber } from '../../contract/check.ts';
import { isRawNumber } from './number.ts';

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** Digits of an operand, and the size of its exponent: enough for 64 bits, and for fractions of any use. */
const maxDigits = 40;
/** A double gives each decimal of so many digits back as it was written. */
const exactDigits = 15;

/**
 * The sum of two numbers as they are written: 0.1 and 0.2 make 0.3. It is an integer of 64 bits, or has at most 15 digits;
 * undefined where it would be another one.
 */
export function sumOf(a: JsonNumber, b: JsonNumber): JsonNumber | undefined {
  const [first, second] = [decimalOf(a), decimalOf(b)];
  if (first === undefined || second === undefined) return undefined;
  let scale = Math.max(first.scale, second.scale);
  let digits = scaled(first, scale) + scaled(second, scale);
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  if (scale > 0) {
    const isShort = String(digits).replace('-', '').length <= exactDigits;
    return isShort ? Number(`${digits}e-${scale}`) : undefined;
  }
  if (BigInt.asIntN(64, digits) !== digits) return undefined;
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : (JSON.rawJSON(String(digits)) as JsonNumber);
}

/** A number as an integer over a power of ten. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

function decimalOf(value: JsonNumber): Decimal | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    parts.exec(isRawNumber(value) ? value.rawJSON : String(value)) ?? [];
  const power = Number(exponent);
  if (whole.length + fraction.length > maxDigits || Math.abs(power) > maxDigits) return undefined;
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length - power };
}

function scaled({ digits, scale }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}
