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
  });
});
