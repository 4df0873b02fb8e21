import { describe, expect, it } from 'vitest';
import { Metric } from '../../../src/service/metrics/service-metrics.js';

describe("metrics in Prometheus' text form", () => {
  it('are written as its documentation shows them', () => {
    const counter = new Metric('counter', 'requests_total', 'Answers.');
    counter.add(1, { path: '/v2/data', status: '200' });
    counter.add(2, { path: 'C:\\DIR "x"\n', status: '500' });
    counter.add(3, { path: '/v2/data', status: '200' });
    expect(counter.text()).toBe(
      [
        '# HELP requests_total Answers.',
        '# TYPE requests_total counter',
        'requests_total{path="/v2/data",status="200"} 4',
        'requests_total{path="C:\\\\DIR \\"x\\"\\n",status="500"} 2',
        '',
      ].join('\n'),
    );
    const histogram = new Metric('histogram', 'seconds', 'How long.');
    for (const value of [0.05, 0.1, 0.5, 3]) histogram.observe(value, [0.1, 1], { path: '/' });
    expect(histogram.text().split('\n').slice(2)).toEqual([
      'seconds_bucket{path="/",le="0.1"} 2',
      'seconds_bucket{path="/",le="1"} 3',
      'seconds_bucket{path="/",le="+Inf"} 4',
      'seconds_sum{path="/"} 3.65',
      'seconds_count{path="/"} 4',
      '',
    ]);
  });
});
