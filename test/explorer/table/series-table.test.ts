import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/charts/lines.js';
import { transformFrame } from '../../../src/charts/transform-frame.js';
import { seriesTable } from '../../../src/explorer/table/series-table.js';
import type { Every, Scale } from '../../../src/model/chart-choices.js';
import { PROVENANCE } from '../../frame/points.js';
import { annual, longOf, monthly } from '../../frame/verbs.js';

const line = (starts: readonly number[], values: readonly number[]): Line =>
  ({
    ...{ label: 'Iowa', metric: 'Yield', item: 'Corn', region: 'Iowa', unit: '' },
    start: Float64Array.from(starts),
    end: Float64Array.from(starts),
    value: Float64Array.from(values),
  }) as Line;

const lines = [line([1, 2, 3], [30, Number.NaN, 10]), line([2, 4], [5, 6])];

describe('the table of periods', () => {
  it('has a row for each period, and tells an absent point from a null', () => {
    expect(seriesTable(lines).rows).toEqual([
      [{ start: 1, end: 1 }, 30, undefined],
      [{ start: 2, end: 2 }, Number.NaN, 5],
      [{ start: 3, end: 3 }, 10, undefined],
      [{ start: 4, end: 4 }, undefined, 6],
    ]);
  });

  const harvests = [{ metric_id: 1 }, annual(2010, [4, 5])] as const;
  const areas = [{ metric_id: 2 }, annual(2010, [8, 10])] as const;
  const months = [{ frequency_id: 4 }, monthly('2010-01', [1, 2, 3])] as const;
  it.each([
    ['auto', null, [harvests], ['Corn · Iowa: yield']],
    ['index', null, [harvests], ['Corn · Iowa: yield, index, first value = 100']],
    ['yoy', null, [harvests], ['Corn · Iowa: yield, percent change from a year earlier']],
    ['season', 'quarter', [months], ['Corn · Iowa: yield, mean of each quarter']],
    [
      ...(['change', null, [harvests, areas]] as const),
      [
        'Yield, change from a year earlier: corn, Iowa',
        'Area, harvested, change from a year earlier: corn, Iowa',
      ],
    ],
  ] as const)(
    'says in a file how the values of scale %s and period %s are derived',
    (scale, every, of, names) => {
      const choices: { scale: Scale; every: Every | null } = { scale, every };
      const table = longOf(...of).withProvenance(PROVENANCE);
      const { rows } = transformFrame(table, { ...choices, periods: 5, formula: 'none' });
      expect(
        seriesTable(rows)
          .columns.slice(1)
          .map(({ fullName }) => fullName),
      ).toEqual(names);
    },
  );
});
