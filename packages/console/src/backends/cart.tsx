import type { Cart, LineItem, Money } from 'generic-resource-service-client/api-types';
import { texts } from '../app/texts.ts';
import { type Column, ListTable } from '../table/list-table.tsx';

/** An amount as people write it, with all its digits: it may have more than a number can hold. */
function money({ fractionDigits, centAmount, currencyCode }: Money): string {
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: fractionDigits });
  // A text is formatted with all its digits.
  const amount = `${centAmount}e-${fractionDigits}` as Intl.StringNumericLiteral;
  return `${format.format(amount).replace('-', '−')} ${currencyCode}`;
}

/** The line items of a cart with their prices and pictures. */
export function CartTable({ cart }: { readonly cart: Cart }) {
  const columns: readonly Column<LineItem>[] = [
    {
      name: 'Item',
      kind: 'head',
      cell: ({ name, variant }) => (
        <>
          {variant.images[0] !== undefined && <img src={variant.images[0]} alt="" loading="lazy" />}
          {name}
        </>
      ),
    },
    { name: 'SKU', cell: ({ variant }) => variant.sku },
    { name: 'Count', kind: 'number', cell: ({ count }) => String(count) },
    { name: 'Price', kind: 'number', cell: ({ price }) => money(price) },
    { name: 'Sum', kind: 'number', cell: ({ totalPrice }) => money(totalPrice) },
  ];
  const total = (
    <tr>
      <th scope="row" colSpan={4} class="number">
        Total
      </th>
      <td class="number">
        <strong>{money(cart.sum)}</strong>
      </td>
    </tr>
  );
  return (
    <ListTable
      label={texts.backends.cart}
      class="cart"
      rows={cart.lineItems}
      keyOf={({ lineItemId }) => lineItemId}
      columns={columns}
      foot={total}
    />
  );
}
