import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { ReceiverAddresses } from './addresses.ts';
import type { SenderOptions } from './send.ts';

/** The connections to receivers. Must be closed. */
export interface Receivers {
  readonly addresses: Pick<ReceiverAddresses, 'guardOf'>;
  readonly routeOf: SenderOptions['routeOf'];
  close(): void;
}

/** Less than the 5 s after which common servers close idle connections. */
const idleMs = 4000;

/** Connections to receivers at such addresses; none is open yet. */
export function createReceivers(addresses: Receivers['addresses']): Receivers {
  const pool = { keepAlive: true, timeout: idleMs };
  const [secure, plain] = [new HttpsAgent(pool), new HttpAgent(pool)];
  return {
    addresses,
    routeOf: (protocol) => ({
      agent: protocol === 'https:' ? secure : plain,
      guard: addresses.guardOf(protocol),
    }),
    close() {
      secure.destroy();
      plain.destroy();
    },
  };
}
