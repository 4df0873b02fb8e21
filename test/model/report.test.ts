import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AuthenticationError, HttpError, NetworkError } from '../../src/model/errors.js';
import { PartialDataError, partialFailure, type SeriesReport } from '../../src/model/report.js';

function entry(region_id: number, reason: string | null): SeriesReport {
  const series = { metric_id: 1, item_id: 2, region_id, partner_region_id: 0, source_id: 4, frequency_id: 9 };
  const outcome = reason === null ? 'data' : 'failed';
  return { series, rows: 0, outcome, reason, truncated: false, from_cache: false };
}

describe('an error of a thousand series', () => {
  const report = Array.from({ length: 1000 }, (_, i) => entry(i, i === 0 ? null : `timeout\n of ${i}`));
  const error = new PartialDataError(report, () => ({ series: report }), new NetworkError('timeout'));

  it('prints in a few lines, caught or not: how many failed, the first, and how to see all', () => {
    // An uncaught error is printed without custom inspection.
    for (const customInspect of [true, false]) {
      const lines = inspect(error, { customInspect, depth: 5 }).split('\n');
      const message = lines.filter((line) => !/^\s+at /.test(line));
      expect(message).toEqual([
        'PartialDataError: 999 of 1000 series failed:',
        '  metric 1, item 2, region 1, source 4: timeout of 1',
        '  metric 1, item 2, region 2, source 4: timeout of 2',
        '  metric 1, item 2, region 3, source 4: timeout of 3',
        '  … and 996 more; see the "failed" property of this error',
        "  code: 'partial_data'",
        '}',
      ]);
    }
  });

  it('holds every series, what arrived, and the first cause', () => {
    expect(error.failed).toHaveLength(999);
    expect(error.report).toBe(report);
    expect(error.partial).toEqual({ series: report });
    expect(error.partial).toBe(error.partial);
    expect(error.firstCause).toBeInstanceOf(NetworkError);
  });
});

describe('the failure of some series', () => {
  const refused = () => new AuthenticationError(401, 'points', 'points: answered 401');
  const partial = () => null;

  it('is the cause itself when one failed all of them', () => {
    const report = [entry(1, 'refused'), entry(2, 'refused')];
    const causes = [refused(), refused()];
    expect(partialFailure(report, { causes, partial })).toBe(causes[0]);
  });

  it.each([
    ['a series arrived', [entry(1, 'refused'), entry(2, null)], [refused()]],
    ['causes differ', [entry(1, 'refused'), entry(2, 'x')], [refused(), new HttpError(400, 'points', 'x')]],
  ])('is a PartialDataError when %s', (_, report, causes) => {
    expect(partialFailure(report, { causes, partial })).toBeInstanceOf(PartialDataError);
  });
});
