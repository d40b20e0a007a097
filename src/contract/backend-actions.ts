import type { JsonSchema } from './check.ts';
import { list, object, text } from './json.ts';

/** The backend actions E14–E18: method and last path segment of each. */
export const actionTable = {
  'POST namespace-action': { method: 'POST', segment: 'namespace-action' },
  'GET namespace-action': { method: 'GET', segment: 'namespace-action' },
  'GET namespace-action-with-example': { method: 'GET', segment: 'namespace-action-with-example' },
  'GET namespace-action-with-headers': { method: 'GET', segment: 'namespace-action-with-headers' },
  'PUT json-serializable-primitive-type': { method: 'PUT', segment: 'json-serializable-primitive-type' },
} as const satisfies Record<string, { method: 'GET' | 'POST' | 'PUT'; segment: string }>;

export type ActionName = keyof typeof actionTable;

export const actionNames = Object.keys(actionTable) as readonly ActionName[];

/** True for the backend actions that return a cart: E16 and E17. */
export function returnsCart(action: ActionName): boolean {
  return action === 'GET namespace-action-with-example' || action === 'GET namespace-action-with-headers';
}

/** The cart that E16 and E17 return (decision 26): its schema for the OpenAPI document, with an example. */
const money = (centAmount: number) => ({ fractionDigits: 2, centAmount, currencyCode: 'EUR' });

const cartExample = {
  cartId: 'my-shop',
  cartVersion: '3',
  lineItems: [
    {
      lineItemId: '6f0c1f5e-2a47-8d10-9b3e-1c5a7e90d2f4',
      productId: 'oak-chair',
      name: 'Oak chair',
      type: 'variant',
      count: 2,
      price: money(12_950),
      discountTexts: [],
      discounts: [],
      totalPrice: money(25_900),
      variant: {
        id: 'oak-chair-natural',
        sku: 'OAK-1',
        images: ['/images/my-shop/oak-1.jpg'],
        groupId: 'oak-chair',
        attributes: { colour: { key: 'natural', label: 'Natural oak' }, material: 'oak' },
        price: money(12_950),
        isOnStock: true,
      },
      isGift: false,
      _url: '/oak-chair',
    },
  ],
  sum: money(25_900),
  shippingAddress: {},
  billingAddress: {},
  payments: [],
  discountCodes: [],
};

const moneySchema: JsonSchema = object('Money', {
  fractionDigits: { type: 'integer', minimum: 0, description: 'Digits after the point.' },
  centAmount: { type: 'integer', format: 'int64', description: 'Amount in the smallest unit.' },
  currencyCode: { type: 'string', pattern: '^[A-Z]{3}$' },
});

const attributeSchema: JsonSchema = {
  title: 'CartAttribute',
  oneOf: [
    { type: 'string' },
    {
      type: 'object',
      required: ['key', 'label'],
      properties: { key: { type: 'string' }, label: { type: 'string' } },
    },
  ],
};

const plainText: JsonSchema = { type: 'string' };

const variantSchema: JsonSchema = object('CartVariant', {
  id: plainText,
  sku: plainText,
  images: list(plainText, { description: 'URLs; from the images of the sku where none were written.' }),
  groupId: plainText,
  attributes: { type: 'object', additionalProperties: attributeSchema },
  price: moneySchema,
  isOnStock: { type: 'boolean' },
});

const lineItemSchema: JsonSchema = object('LineItem', {
  lineItemId: plainText,
  productId: plainText,
  name: plainText,
  type: plainText,
  count: { type: 'integer', minimum: 0 },
  price: moneySchema,
  discountTexts: list({}),
  discounts: list({}),
  totalPrice: moneySchema,
  variant: variantSchema,
  isGift: { type: 'boolean' },
  _url: text('Path of the product.'),
});

export const cartSchema: JsonSchema = object(
  'Cart',
  {
    cartId: plainText,
    cartVersion: text('Number of writes to the document.'),
    lineItems: list(lineItemSchema),
    sum: moneySchema,
    shippingAddress: { type: 'object' },
    billingAddress: { type: 'object' },
    payments: list({}),
    discountCodes: list({}),
  },
  { description: 'Further fields that were written are kept.', examples: [cartExample] },
);
