import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CircuitState, createCircuitBreaker } from '../../src/backend/http/circuit-breaker.ts';
import { ServiceError } from '../../src/contract/errors.ts';

function openTestCircuit() {
  const clock = { nowMs: 0 };
  const states: CircuitState[] = [];
  const circuit = createCircuitBreaker({
    ...{ failuresToOpen: 3, openMs: 5000, maxConcurrent: 2, nowMs: () => clock.nowMs },
    onChange: (state) => states.push(state),
  });
  const run = (ok: boolean) => {
    circuit.enter();
    circuit.leave(ok);
  };
  return { circuit, clock, states, run };
}

function retryAfter(enter: () => void): string | undefined {
  try {
    enter();
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'OverCapacity' && error.status === 503);
    return error.headers['retry-after'];
  }
  return undefined;
}

test('circuit: opens after so many failures in a row, and not after as many with a success between', () => {
  const { circuit, run } = openTestCircuit();
  for (const ok of [false, false, true, false, false]) run(ok);
  assert.equal(circuit.state(), 'closed');
  run(false);
  assert.equal(circuit.state(), 'open');
});

test('circuit: while open it refuses with the seconds that are left', () => {
  const { circuit, clock, run } = openTestCircuit();
  for (const ok of [false, false, false]) run(ok);
  assert.equal(retryAfter(circuit.enter), '5');
  clock.nowMs = 4500;
  assert.equal(retryAfter(circuit.enter), '1');
});

test('circuit: after its time one call is let through; success closes it', () => {
  const { circuit, clock, run, states } = openTestCircuit();
  for (const ok of [false, false, false]) run(ok);
  clock.nowMs = 5000;
  circuit.enter();
  assert.equal(circuit.state(), 'halfOpen');
  assert.equal(retryAfter(circuit.enter), '1');
  circuit.leave(true);
  assert.equal(retryAfter(circuit.enter), undefined);
  assert.deepEqual(states, ['open', 'halfOpen', 'closed']);
});

test('circuit: a probe that fails opens it for another time', () => {
  const { circuit, clock, run } = openTestCircuit();
  for (const ok of [false, false, false]) run(ok);
  clock.nowMs = 6000;
  run(false);
  assert.equal(circuit.state(), 'open');
  assert.equal(retryAfter(circuit.enter), '5');
});

test('circuit: more calls at once than allowed are refused, until one ends', () => {
  const { circuit } = openTestCircuit();
  circuit.enter();
  circuit.enter();
  assert.equal(retryAfter(circuit.enter), '1');
  circuit.leave(true);
  assert.equal(retryAfter(circuit.enter), undefined);
});
