import { checkArray, checkObject, checkString, isAbsent, mismatch, optional } from '../../contract/check.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../contract/json.ts';
import { getOwn, isJsonObject } from '../json/values.ts';
import { type LineItem, lineItemOf, orderedFields, type PricedItem } from './line-item.ts';
import { moneyJson, usualDigits } from './money.ts';

export interface Cart extends JsonObject {
  readonly lineItems: readonly LineItem[];
}

/** Defaults for what a document does not say. */
export interface CartDefaults {
  /** Id of a cart whose document has none. */
  readonly cartId: string;
  /** The version, if it does not come from the document. */
  readonly cartVersion?: string;
}

/** Limits the images that one response looks up. */
export const maxLineItems = 1000;

/**
 * A document as a cart (decision 26). `null` and `{}` are an empty cart. Throws 409 `CartConflict` that names the path
 * where the document is no cart, has several currencies, or amounts beyond 64 bits.
 */
export function cartOf(document: JsonValue, defaults: CartDefaults): Cart {
  try {
    return readCart(isAbsent(document) ? {} : checkObject(document, 'document'), defaults);
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'InvalidJsonInput' ? conflict(error) : error;
  }
}

function conflict({ details }: ServiceError): ServiceError {
  const { detailedErrorMessage } = details;
  const message = `The document of the backend cannot be read as a cart: ${detailedErrorMessage}.`;
  return new ServiceError('CartConflict', message, { detailedErrorMessage });
}

function readCart(given: JsonObject, { cartId: ownId, cartVersion }: CartDefaults): Cart {
  const cartId = optional(given, 'cartId', '', checkString) ?? ownId;
  const items = pricedItems(given, cartId);
  const known = {
    cartId,
    cartVersion: cartVersion ?? optional(given, 'cartVersion', '', checkString) ?? '0',
    lineItems: items.map(({ item }) => item),
    sum: sumOf(given, items),
    shippingAddress: optional(given, 'shippingAddress', '', checkObject) ?? {},
    billingAddress: optional(given, 'billingAddress', '', checkObject) ?? {},
    payments: optional(given, 'payments', '', checkArray) ?? [],
    discountCodes: optional(given, 'discountCodes', '', checkArray) ?? [],
  };
  return orderedFields(known, given);
}

function pricedItems(given: JsonObject, cartId: string): readonly PricedItem[] {
  const values: JsonArray = optional(given, 'lineItems', '', checkArray) ?? [];
  if (values.length > maxLineItems) throw mismatch('lineItems', `expected at most ${maxLineItems} line items`);
  // Ids are made from the names of an item, not from its index, so that they stay when another item is removed.
  const seen = new Map<string, number>();
  return values.map((value, i) => {
    const names = [textIn(value, 'variant', 'sku'), textIn(value, 'sku'), textIn(value, 'name')];
    const name = JSON.stringify(names);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return lineItemOf(value, `lineItems[${i}]`, [cartId, ...names, `${count}`]);
  });
}

function textIn(value: JsonValue, ...path: readonly string[]): string {
  let at: JsonValue | undefined = value;
  for (const name of path) at = isJsonObject(at) ? getOwn(at, name) : undefined;
  return typeof at === 'string' ? at : '';
}

/** The sum of the line items. A cart has one currency; an empty one has that of its written sum, else EUR. */
function sumOf(given: JsonObject, items: readonly PricedItem[]): JsonObject {
  const [first, ...others] = items;
  if (first === undefined) return emptySum(given);
  const { currencyCode, fractionDigits } = first.price;
  others.forEach(({ price }, i) => {
    const path = `lineItems[${i + 1}].price`;
    if (price.currencyCode !== currencyCode) {
      throw mismatch(
        `${path}.currencyCode`,
        `expected ${currencyCode} as in the first line item: a cart has one currency`,
      );
    }
    if (price.fractionDigits !== fractionDigits) {
      throw mismatch(`${path}.fractionDigits`, `expected ${fractionDigits} as in the first line item`);
    }
  });
  const centAmount = items.reduce((sum, { total }) => sum + total, 0n);
  return moneyJson({ fractionDigits, centAmount, currencyCode }, 'sum');
}

function emptySum(given: JsonObject): JsonObject {
  const sum = getOwn(given, 'sum');
  const written = isJsonObject(sum) ? getOwn(sum, 'currencyCode') : undefined;
  const currencyCode = typeof written === 'string' && /^[A-Z]{3}$/.test(written) ? written : 'EUR';
  return { fractionDigits: usualDigits(currencyCode), centAmount: 0, currencyCode };
}

/** The skus of a cart whose images were not written with it, each once. */
export function skusWithoutImages({ lineItems }: Cart): readonly string[] {
  const skus = lineItems.flatMap(({ variant }) =>
    variant.images.length === 0 && variant.sku !== '' ? variant.sku : [],
  );
  return [...new Set(skus)];
}

/** The cart with images by sku where none were written. */
export function withImages(cart: Cart, images: ReadonlyMap<string, readonly string[]>): Cart {
  const lineItems = cart.lineItems.map((item) => {
    const found = item.variant.images.length === 0 ? images.get(item.variant.sku) : undefined;
    return found ? { ...item, variant: { ...item.variant, images: found } } : item;
  });
  return { ...cart, lineItems };
}
