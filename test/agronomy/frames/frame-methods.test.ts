import { expect, it } from 'vitest';
import '../../../src/agronomy/frames/frame-methods.js';
import { frame } from '../../../src/frame/frame.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { toRows } from '../../../src/frame/table/row-reader.js';
import { daily, longOf } from '../../frame/verbs.js';

const DAYS = { frequency_id: 1, unit_id: 7 };
const table = frame(
  longOf(
    [{ ...DAYS, region_id: 3 }, daily('2012-05-01', [20, 31])],
    [{ ...DAYS, region_id: 6 }, daily('2012-05-01', [10, 11])],
  ),
);

it('frames have the methods of agronomy, which are those of a chain', () => {
  const mean = table.weighted({
    weights: [
      { id: 3, weight: 3 },
      { id: 6, weight: 1 },
    ],
  });
  const season = { from: '05-01', to: '05-02' };
  const compute = (values: Float64Array) => Math.max(...values);
  const highest = mean.seasonStatistics({ season, statistics: { highest: { of: {}, compute } } });
  expect(toRows(highest)).toMatchObject([{ season: 2012, highest: 26, coverage: 1 }]);
  expect(derivationSteps(highest).map((step) => /^\w+/.exec(step)![0])).toEqual([
    'weighted',
    'seasonStatistics',
  ]);
  expect(Object.keys(table)).not.toContain('weighted');
  for (const name in table) expect(name).not.toBe('degreeDays');
});

it('say what they need otherwise', () => {
  expect(() => table.degreeDays({ base_temperature: 10 })).toThrow(
    /no series has the item name "Temperature min"/,
  );
});
