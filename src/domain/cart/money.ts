import { checkInteger, checkObject, checkString, isAbsent, type JsonNumber, mismatch } from '../../contract/check.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { getOwn } from '../json/values.ts';

/** An amount in the smallest unit of its currency. Sums are exact: they use integers of any length. */
export interface Money {
  readonly fractionDigits: number;
  readonly centAmount: bigint;
  readonly currencyCode: string;
}

/** Checks money at a path. Without `fractionDigits` they are those of the currency. */
export function checkMoney(value: JsonValue | undefined, path: string): Money {
  const money = checkObject(value, path);
  const currencyCode = checkString(getOwn(money, 'currencyCode'), `${path}.currencyCode`);
  if (!/^[A-Z]{3}$/.test(currencyCode)) throw mismatch(`${path}.currencyCode`, 'expected three capital letters');
  const centAmount = checkInteger(getOwn(money, 'centAmount'), `${path}.centAmount`);
  return { fractionDigits: digitsOf(money, currencyCode, path), centAmount, currencyCode };
}

function digitsOf(money: JsonObject, currencyCode: string, path: string): number {
  const given = getOwn(money, 'fractionDigits');
  if (isAbsent(given)) return usualDigits(currencyCode);
  const digits = checkInteger(given, `${path}.fractionDigits`);
  if (digits >= 0n && digits <= 20n) return Number(digits);
  throw mismatch(`${path}.fractionDigits`, 'expected an integer from 0 to 20');
}

/** Digits after the point that a currency has: 2 for EUR, 0 for JPY. */
export function usualDigits(currencyCode: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Money in the response. Throws if the amount has more than 64 bits. */
export function moneyJson({ fractionDigits, centAmount, currencyCode }: Money, path: string): JsonObject {
  if (BigInt.asIntN(64, centAmount) !== centAmount) throw mismatch(path, 'expected an amount of at most 64 bits');
  return { fractionDigits, centAmount: integerJson(centAmount), currencyCode };
}

function integerJson(value: bigint): JsonNumber {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(value));
}
