import type { Agent } from 'node:http';
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
  // Made for the first receiver, since loading the modules takes time. Not imported, which would load all of fetch, too.
  const agents = new Map<string, Agent>();
  function agentOf(protocol: string): Agent {
    const known = agents.get(protocol);
    if (known) return known;
    const module = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
    const agent = new module.Agent(pool);
    agents.set(protocol, agent);
    return agent;
  }
  return {
    addresses,
    routeOf: (protocol) => ({ agent: agentOf(protocol), guard: addresses.guardOf(protocol) }),
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
