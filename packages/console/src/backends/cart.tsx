import type { Json } from '../api/json.ts';
import { texts } from '../app/texts.ts';

interface Money {
  readonly fractionDigits: number;
  readonly centAmount: Json;
  readonly currencyCode: string;
}

/** A cart, as the API makes it of the document. */
export interface CartView {
  readonly lineItems: readonly {
    readonly lineItemId: string;
    readonly name: string;
    readonly count: Json;
    readonly price: Money;
    readonly totalPrice: Money;
    readonly variant?: { readonly sku?: string; readonly images?: readonly string[] };
  }[];
  readonly sum: Money;
}

/** An amount as people write it, with all its digits: it may have more than a number can hold. */
function money({ fractionDigits, centAmount, currencyCode }: Money): string {
  const text = String(centAmount);
  const digits = text.replace('-', '').padStart(fractionDigits + 1, '0');
  const whole = digits.slice(0, digits.length - fractionDigits).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const fraction = fractionDigits === 0 ? '' : `.${digits.slice(-fractionDigits)}`;
  return `${text.startsWith('-') ? '−' : ''}${whole}${fraction} ${currencyCode}`;
}

/** The line items of a cart with their prices and pictures. */
export function CartTable({ cart }: { readonly cart: CartView }) {
  const { backends } = texts;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard.
    <section class="scroll" tabIndex={0} aria-label={backends.cart}>
      <table class="cart">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">SKU</th>
            <th scope="col" class="number">
              Count
            </th>
            <th scope="col" class="number">
              Price
            </th>
            <th scope="col" class="number">
              Sum
            </th>
          </tr>
        </thead>
        <tbody>
          {cart.lineItems.map(({ lineItemId, name, count, price, totalPrice, variant }) => (
            <tr key={lineItemId}>
              <th scope="row" dir="auto">
                {variant?.images?.[0] !== undefined && <img src={variant.images[0]} alt="" loading="lazy" />}
                {name}
              </th>
              <td>{variant?.sku ?? '–'}</td>
              <td class="number">{String(count)}</td>
              <td class="number">{money(price)}</td>
              <td class="number">{money(totalPrice)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={4} class="total">
              Total
            </th>
            <td class="number">
              <strong>{money(cart.sum)}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
