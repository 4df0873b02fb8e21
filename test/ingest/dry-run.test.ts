import { describe, expect, it } from 'vitest';
import { dryRun } from '../../src/ingest/dry-run.js';
import { nass } from '../../src/ingest/nass/nass.js';

describe('dryRun', () => {
  it('reports what an import would add, without a store', async () => {
    const report = await dryRun(nass, {
      files: ['test/fixtures/nass/quick-stats.tsv'],
      maxRejectedShare: 0.2,
    });
    expect(report).toMatchObject({ dataset: 'nass', rows: 26, rejectedRows: 4 });
    expect(report.entities.items!.map(({ name }) => name)).toEqual([
      'Corn, grain, irrigated',
      'Corn, grain; area harvested: (1.0 to 24.9 acres)',
      'Hogs',
    ]);
    expect(report.series.length).toBe(21);
    expect(report.dates).toEqual({ start_date: '2011-12-01', end_date: '2013-08-31' });
    expect(report.firstPeriod).toBe('the calendar year 2012');
    expect(report.sample).toHaveLength(5);
    expect(report.sample[0]).toEqual({
      metric: 'Area harvested',
      item: 'Corn',
      region: 'United States',
      start_date: '2012-01-01',
      end_date: '2012-12-31',
      value: 87_375_000,
      unit: 'ac',
      reporting_date: '2013-02-22',
      available_date: '2013-02-22',
    });
    expect(report.units).toEqual(expect.arrayContaining(['ac', 'bu/ac (corn)']));
  });
});
