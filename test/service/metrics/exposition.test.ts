import { describe, expect, it } from 'vitest';
import { Counter, Histogram } from '../../../src/service/metrics/service-metrics.js';

describe("metrics in Prometheus' text form", () => {
  it('are written as its documentation shows them', () => {
    const counter = new Counter({ name: 'requests_total', help: 'Answers.' });
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
    const histogram = new Histogram({ name: 'seconds', help: 'How long.' }, [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 3]) histogram.observe(value, { path: '/' });
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
