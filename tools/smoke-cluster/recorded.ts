import { Client } from 'pg';

/** A statement that the service sent. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records every statement that this process sends to a database, the first of each text. */
export function recordStatements(): { clear(): void; stop(): readonly Sent[] } {
  const sent = new Map<string, Sent>();
  const original = Client.prototype.query;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [first] = args as [string | { readonly text: string; readonly values?: readonly unknown[] }];
    const statement = typeof first === 'string' ? { text: first } : first;
    if (!sent.has(statement.text)) sent.set(statement.text, { text: statement.text, values: statement.values ?? [] });
    return (original as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof original;
  return {
    clear: () => sent.clear(),
    stop() {
      Client.prototype.query = original;
      return [...sent.values()];
    },
  };
}
