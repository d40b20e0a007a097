import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkObject,
  checkString,
  isAbsent,
  mismatch,
  optional,
} from '../../contract/check.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../contract/json.ts';
import { getOwn, isJsonObject } from '../json/values.ts';
import { uuidV8 } from '../uuid.ts';
import { checkMoney, type Money, moneyJson } from './money.ts';

export interface Variant extends JsonObject {
  readonly sku: string;
  readonly images: readonly string[];
}

export interface LineItem extends JsonObject {
  readonly variant: Variant;
}

/** A line item of the response, and what it adds to the sum of its cart. */
export type PricedItem = ReturnType<typeof lineItemOf>;

/** The known fields first, in the order of the interface; what else was written stays. */
export function orderedFields<T extends JsonObject>(known: T, given: JsonObject): T {
  return { ...known, ...given, ...known };
}

/**
 * Completes a written line item (decision 26). Missing fields are derived from the others, always in the same way; a
 * missing id is made from `identity`.
 */
export function lineItemOf(value: JsonValue, path: string, identity: readonly string[]) {
  const given = checkObject(value, path);
  const written = optional(given, 'variant', path, checkObject) ?? {};
  const texts = namesOf(given, written, path);
  const price = priceOf(given, written, path);
  const count = optional(given, 'count', path, checkInteger) ?? 1n;
  if (count < 0n) throw mismatch(`${path}.count`, 'expected an integer of at least 0');
  const total = price.centAmount * count;
  const known: LineItem = {
    lineItemId: optional(given, 'lineItemId', path, checkString) ?? uuidV8(...identity),
    productId: texts.productId,
    name: texts.name,
    type: optional(given, 'type', path, checkString) ?? 'variant',
    count: isAbsent(given.count) ? 1 : given.count!,
    price: moneyJson(price, `${path}.price`),
    discountTexts: optional(given, 'discountTexts', path, checkArray) ?? [],
    discounts: optional(given, 'discounts', path, checkArray) ?? [],
    totalPrice: moneyJson({ ...price, centAmount: total }, `${path}.totalPrice`),
    variant: variantOf(written, `${path}.variant`, texts, price),
    isGift: optional(given, 'isGift', path, checkBoolean) ?? false,
    _url: optional(given, '_url', path, checkUrlPath) ?? `/${encodeURIComponent(texts.productId)}`,
  };
  return { item: orderedFields(known, given), price, total };
}

/** The names of a line item; a missing one is taken from the next best one. */
function namesOf(given: JsonObject, variant: JsonObject, path: string) {
  const sku =
    optional(variant, 'sku', `${path}.variant`, checkString) ?? optional(given, 'sku', path, checkString) ?? '';
  const name = optional(given, 'name', path, checkString);
  const productId = optional(given, 'productId', path, checkString);
  return {
    sku,
    name: name ?? (sku || productId || ''),
    productId: productId ?? uuidV8('product', sku || name || ''),
  };
}

function priceOf(given: JsonObject, variant: JsonObject, path: string): Money {
  const own = getOwn(given, 'price');
  const price = isAbsent(own) ? getOwn(variant, 'price') : own;
  return checkMoney(price, `${path}.price`);
}

function variantOf(
  given: JsonObject,
  path: string,
  { sku, productId }: ReturnType<typeof namesOf>,
  price: Money,
): Variant {
  const known: Variant = {
    id: optional(given, 'id', path, checkString) ?? uuidV8('variant', productId, sku),
    sku,
    images: optional(given, 'images', path, checkTexts) ?? [],
    groupId: optional(given, 'groupId', path, checkString) ?? productId,
    attributes: optional(given, 'attributes', path, checkAttributes) ?? {},
    price: moneyJson(optional(given, 'price', path, checkMoney) ?? price, `${path}.price`),
    isOnStock: optional(given, 'isOnStock', path, checkBoolean) ?? true,
  };
  return orderedFields(known, given);
}

/** Every value a text, or an object with the texts `key` and `label`. */
function checkAttributes(value: JsonValue | undefined, path: string): JsonObject {
  const attributes = checkObject(value, path);
  for (const [name, attribute] of Object.entries(attributes)) {
    const isPair = isJsonObject(attribute) && typeof attribute.key === 'string' && typeof attribute.label === 'string';
    if (typeof attribute !== 'string' && !isPair) {
      throw mismatch(`${path}.${name}`, 'expected a string, or an object with the strings key and label');
    }
  }
  return attributes;
}

function checkTexts(value: JsonValue | undefined, path: string): readonly string[] {
  const texts: JsonArray = checkArray(value, path);
  texts.forEach((text, i) => {
    checkString(text, `${path}[${i}]`);
  });
  return texts as readonly string[];
}

function checkUrlPath(value: JsonValue | undefined, path: string): string {
  const text = checkString(value, path);
  if (text.startsWith('/')) return text;
  throw mismatch(path, 'expected a path that begins with /');
}
