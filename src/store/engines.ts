import { type Engine, StoreRefused } from '../record/engine.ts';
import { postgres } from './postgres/engine.ts';
import { sqlite } from './sqlite/engine.ts';

export { embeddedAddress } from './sqlite/engine.ts';

/** All engines: one line each. Their code is loaded when a store is opened. */
const all = [sqlite, postgres] as const;

/** The settings of all engines together. */
export type EngineSettings = typeof all extends readonly Engine<infer Settings>[] ? Settings : never;

export const engines: readonly Engine<EngineSettings>[] = all;

/** What the address of a store must be; undefined if the text is one. */
export function checkStoreAddress(text: string): string | undefined {
  if (engines.some(({ isAddress }) => isAddress(text))) return undefined;
  return engines.map(({ addressForm }) => addressForm).join(' or ');
}

/** The engine of an address. Throws `StoreRefused` for an unknown scheme; the message does not contain the address. */
export function engineOf(address: string): Engine<EngineSettings> {
  const engine = engines.find(({ isAddress }) => isAddress(address));
  if (!engine) throw new StoreRefused(`DATABASE_URL must be ${checkStoreAddress(address)}.`);
  return engine;
}

/** The addresses of all engines, as text for the settings page. */
export const addressHelp = engines
  .map(({ addressForm, addressNote }) => addressForm + (addressNote === undefined ? '' : ` (${addressNote})`))
  .join(', ');
