import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyStore } from '../../../src/store/copying/copy-store.js';
import { openStore } from '../../../src/store/open.js';
import { importVintages, readRows } from '../conformance/sample-data.js';

it('copies every vintage under its handle, also one that repeats an older one which came later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copy-'));
  try {
    const [from, to] = [join(folder, 'from.duckdb'), join(folder, 'to.duckdb')];
    const source = await openStore(from);
    await importVintages(source, [{ day: 1, value: 7, available: 10 }]);
    await importVintages(source, [
      { of: { metric_id: 2, region_id: 10 }, day: 1, value: 3 },
      { of: { region_id: 10 }, day: 1, value: 2 },
      { day: 1, value: 7, available: 5 },
      { day: 1, value: 8, available: 20 },
    ]);
    const wanted = await readRows(source, { history: 'complete' });
    expect(wanted.map(({ available }) => available)).toEqual([5, 10, 20, 100, 100]);
    await source.close();
    expect(await copyStore(from, to)).toEqual({ series: 3, points: 5 });
    expect(readdirSync(folder).sort()).toEqual(['from.duckdb', 'to.duckdb']);
    const copy = await openStore(to);
    expect(await readRows(copy, { history: 'complete' })).toEqual(wanted);
    expect(await copy.findFaults()).toEqual([]);
    await copy.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
