import { expect, it, onTestFinished, vi } from 'vitest';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import { SOURCES } from '../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../src/model/calendar.js';
import { cornSeries } from '../journeys/corn-states.js';
import { madeUpPoints } from './made-up-points.js';
import { clientOf } from './serving.js';
import { newStore } from './stores.js';

/** One figure of one year, available when it is imported. */
const cornYield = (value: number): Importer =>
  madeUpPoints([SOURCES.nassCornStates], (points, availableMs) =>
    points.add(cornSeries(1)[0]!, {
      ...yearsPeriod(2020),
      ...{ value, unitId: unitId('ac'), reportingMs: null, availableMs },
    }),
  );

it('importDataset counts as newer than the last import what is imported with a clock that was set back, and says so', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 22) });
  onTestFinished(() => void vi.useRealTimers());
  const store = await newStore();
  const first = await importDataset(store, cornYield(10));
  expect(first.notes).toEqual([]);
  vi.setSystemTime(Date.UTC(2026, 10, 21));
  const second = await importDataset(store, cornYield(11));
  expect(second).toMatchObject({ added: 1, revised: 1 });
  expect(second.notes).toEqual([
    expect.stringMatching(
      /^the clock says 2026-11-21T00:00:00\.000Z, but the last import was at 2026-11-22T/,
    ),
  ]);
  const third = await importDataset(store, cornYield(12));
  expect(third.added).toBe(1);
  const latest = await clientOf(store).getDataPoints(cornSeries(1)[0]!);
  expect(latest.map(({ value }) => value)).toEqual([12]);
});
