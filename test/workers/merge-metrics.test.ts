import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeExpositions } from '../../src/telemetry/merge-metrics.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';

function filled(fill: (metrics: Metrics) => void): string {
  const metrics = createMetrics();
  fill(metrics);
  return metrics.render();
}

describe('The metrics of several processes', () => {
  it('are one exposition: each family once, each series with the label of its process', () => {
    const one = filled((metrics) => {
      metrics.counter('a_total', 'As.').add(2);
      metrics.gauge('b', 'Bs.', () => 1.5, { of: 'x y}' });
    });
    const two = filled((metrics) => metrics.gauge('b', 'Bs.', () => 3, { of: 'x y}' }));
    const merged = mergeExpositions(new Map(Object.entries({ primary: one, '1': two })));
    assert.deepEqual(merged.split('\n').sort(), [
      '',
      '# HELP a_total As.',
      '# HELP b Bs.',
      '# TYPE a_total counter',
      '# TYPE b gauge',
      'a_total{worker="primary"} 2',
      'b{worker="1",of="x y}"} 3',
      'b{worker="primary",of="x y}"} 1.5',
    ]);
  });

  it('keep the lines of a histogram together under its name', () => {
    const text = filled((metrics) => metrics.histogram('h', 'Hs.', [1, 2]).observe(1.5));
    const merged = mergeExpositions(new Map(Object.entries({ '1': text, '2': text })));
    assert.equal(merged.match(/^# TYPE/gm)?.length, 1);
    assert.match(merged, /^h_bucket\{worker="1",le="\+Inf"\} 1$/m);
    assert.match(merged, /^h_count\{worker="2"\} 1$/m);
  });
});
