import { statSync } from 'node:fs';
import { isAddressRange } from '../network/address-range.ts';

/** Each of these says what a text must be; undefined where it is that. */

/** A path of names. */
export function checkDottedPath(text: string): string | undefined {
  return text.split('.').includes('') ? 'names separated by dots, such as name.en' : undefined;
}

/** An address, or a range of them. */
export function checkAddresses(text: string): string | undefined {
  return isAddressRange(text) ? undefined : 'an address or a CIDR range';
}

/** An origin of CORS. */
export function checkOrigin(text: string): string | undefined {
  const isOrigin = URL.canParse(text) && new URL(text).origin === text;
  return isOrigin ? undefined : 'an origin as browsers send it, such as https://shop.example.com';
}

/** A folder that exists. */
export function checkFolder(text: string): string | undefined {
  return statSync(text, { throwIfNoEntry: false })?.isDirectory() ? undefined : 'an existing folder';
}
