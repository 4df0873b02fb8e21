import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import { describeImports } from '../conformance/imports.js';
import { describePoints } from '../conformance/points.js';
import { describeRevisions } from '../conformance/revisions.js';
import { importVintages, readRows } from '../conformance/sample-data.js';
import { runSql } from './run-sql.js';
import { openUnsortedStore } from './unsorted-store.js';

describe('a store whose points are not in the order of the layout', () => {
  describePoints(openUnsortedStore);
  describeImports(openUnsortedStore);
  describeRevisions(openUnsortedStore);
});

describe('a store with several points of one period, which no import makes', () => {
  it('returns them by reporting and available date', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'repeated-'));
    const path = join(folder, 'store.db');
    const first = await openStore(path);
    await importVintages(first, [
      { day: 0, value: 1 },
      { day: 1, value: 2, reported: 60 },
    ]);
    await first.close();
    const copy = (
      value: number,
      reporting: string,
    ) => `INSERT INTO packed_point SELECT * REPLACE (${value} AS value,
      ${reporting} AS reporting_date, available_date + INTERVAL ${value} DAY AS available_date)
      FROM packed_point WHERE value = 2`;
    await runSql(path, copy(4, 'reporting_date'));
    await runSql(path, copy(3, 'NULL'));
    const store = await openStore(path);
    expect((await readRows(store)).map(({ value }) => value)).toEqual([1, 3, 2, 4]);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});
