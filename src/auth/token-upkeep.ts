import type { ClientStore } from '../domain/ports/client-store.ts';
import { startBackgroundTask } from '../telemetry/background-task.ts';
import type { Log } from '../telemetry/log.ts';
import type { KeyRing } from './keys.ts';
import type { Revocations } from './token-validity.ts';

export interface TokenUpkeepDeps {
  readonly clients: ClientStore;
  readonly keys: KeyRing;
  readonly revocations: Revocations;
  readonly nowMs: () => number;
  /** Called before each poll. */
  readonly onPoll: () => void;
  /** Called when cached tokens may no longer be valid. */
  readonly onInvalid: () => void;
  readonly log: Log;
}

const everyMs = 500;
/** All revocations are read again every minute; every hour keys rotate and expired rows are deleted. */
const pollsPerFullReload = 120;
const pollsPerRotation = 7200;

/** Keeps the keys and revocations of this process current with those of the store. */
export class TokenUpkeep {
  readonly #deps: TokenUpkeepDeps;
  #polls = 0;
  /** Both stay due until they succeeded: a short failure of the store does not delay them by an hour. */
  #isFullReloadDue = false;
  #isRotationDue = false;
  /** Damaged revocations for which all keys were replaced already, and which could not be deleted. */
  #undeletable = 0;

  /** Ends the upkeep, once it was started. */
  close = (): void => {};

  constructor(deps: TokenUpkeepDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { keys, log } = this.#deps;
    await keys.rotate();
    await this.#reloadRevocations();
    const run = () => this.#poll();
    this.close();
    this.close = startBackgroundTask({ everyMs, run, log, failedEvent: 'token-reload-failed' });
  }

  async #poll(): Promise<void> {
    const { clients, keys, revocations, nowMs, onPoll } = this.#deps;
    this.#polls += 1;
    onPoll();
    if (this.#polls % pollsPerFullReload === 0) this.#isFullReloadDue = true;
    if (this.#polls % pollsPerRotation === 0) this.#isRotationDue = true;
    if (!this.#isFullReloadDue) this.#isFullReloadDue = (await revocations.reload(clients, nowMs(), false)) > 0;
    if (this.#isFullReloadDue) await this.#reloadRevocations();
    this.#isFullReloadDue = false;
    await this.#reloadKeys();
    if (!this.#isRotationDue) return;
    await clients.deleteExpired(nowMs());
    await keys.rotate();
    this.#isRotationDue = false;
  }

  /** A damaged revocation may refuse any token, so every token issued so far ends (decision 88). */
  async #reloadRevocations(): Promise<void> {
    const { clients, keys, revocations, nowMs, onInvalid } = this.#deps;
    const damaged = await revocations.reload(clients, nowMs(), true);
    this.#undeletable = Math.min(this.#undeletable, damaged);
    if (damaged === this.#undeletable) return;
    await keys.replaceAll();
    onInvalid();
    this.#undeletable = await revocations.reload(clients, nowMs(), true);
  }

  /** A key that is gone before it expired was damaged or replaced: the tokens that it signed are no longer valid. */
  async #reloadKeys(): Promise<void> {
    const { keys, onInvalid } = this.#deps;
    const before = keys.generation;
    await keys.reload();
    if (keys.generation !== before) onInvalid();
    if (keys.jwks().keys.length === 0) this.#isRotationDue = true;
  }
}
