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
