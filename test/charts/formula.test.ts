import { describe, expect, it } from 'vitest';
import { fittingChoices, transformFrame } from '../../src/charts/transform-frame.js';
import { viewChart } from '../../src/charts/view-chart.js';
import { WRITE } from '../../src/explorer/controls/format.js';
import { seriesTable } from '../../src/explorer/table/series-table.js';
import type { Formula } from '../../src/model/chart-choices.js';
import { PROVENANCE } from '../frame/points.js';
import { annual, longOf } from '../frame/verbs.js';

const units = [
  ['1000 t', 70],
  ['1000 ha', 71],
  ['°C', 72],
  ['million bu (corn)', 73],
  ['Mac', 74],
] as const;
const provenance = {
  ...PROVENANCE,
  units: units.map(([abbreviation, id]) => ({ ...PROVENANCE.units[0]!, id, abbreviation })),
};
const frameOf = ([one, other]: readonly [number, number]) =>
  longOf(
    [{ metric_id: 1, unit_id: one }, annual(2010, [400, 500, 630])],
    [{ metric_id: 2, unit_id: other }, annual(2010, [50, 0, 70, 80])],
  ).withProvenance(provenance);
const choices = { scale: 'auto', periods: 5 } as const;
const shown = (formula: Formula, unit_ids: readonly [number, number] = [70, 71]) =>
  transformFrame(frameOf(unit_ids), { ...choices, formula });

describe('a formula of two series', () => {
  it.each([
    ['a-over-b', [70, 71], [8, Number.NaN, 9], 't/ha'],
    ['b-over-a', [70, 71], [0.125, 0, 1 / 9], 'ha/t'],
    ['a-over-b', [73, 74], [8, Number.NaN, 9], 'bu/ac'],
    ['a-share-of-b', [70, 70], [800, Number.NaN, 900], '%'],
    ['a-over-b', [70, 70], [8, Number.NaN, 9], ''],
    ['b-minus-a', [70, 70], [-350_000, -500_000, -560_000], 't'],
  ] as const)('%s of units %s', (formula, unit_ids, values, unit) => {
    const { lines } = shown(formula, unit_ids);
    expect(lines.map((line) => [[...line.value], line.unit])).toEqual([[values, unit]]);
  });

  it('refuses units that cannot be combined so, and is offered only where they can', () => {
    expect(() => shown('a-minus-b')).toThrow(
      /values in 1000 t and 1000 ha cannot be combined with this formula/,
    );
    expect(() => shown('a-over-b', [70, 72])).toThrow(/1000 t and °C cannot be combined with this formula/);
    const offered = (unit_ids: readonly [number, number]) =>
      fittingChoices(frameOf(unit_ids), null).formulas.map(([formula]) => formula);
    expect(offered([70, 71])).toEqual(['a-over-b', 'b-over-a']);
    expect(offered([70, 70])).toHaveLength(6);
    expect(offered([72, 72])).toEqual(['a-minus-b', 'b-minus-a']);
    // Annual values cannot be resampled to months.
    expect(fittingChoices(frameOf([70, 70]), null).longer).toEqual(['year']);
  });

  it('has the same digits in title and figure, whatever dates are shown', () => {
    const table = longOf([{ unit_id: 71 }, annual(2010, [13_725, 8_050, 9_000])]).withProvenance(provenance);
    const { frame, lines, credit } = transformFrame(table, {
      ...choices,
      formula: 'none',
      from: '2011-01-01',
    });
    const look = { scale: 'auto', notes: [], write: WRITE, asof: null, credit } as const;
    const { title, lines: drawn } = viewChart(frame, lines, look).figure;
    expect(title).toContain('9.000 million ha');
    const [line] = drawn;
    expect(WRITE.quantity(line!.value[0]!, line!.unit, line!.figures)).toBe('8.050 million ha');
    expect(seriesTable(lines).columns[1]!.figures).toEqual(line!.figures);
  });

  it('leaves a mean the digits of its values plus one, alike in title, figure and description', () => {
    const table = longOf([{ unit_id: 72 }, annual(2010, [172, 173, 175, 171])]).withProvenance(provenance);
    const { frame, lines, credit } = transformFrame(table, { scale: 'mean', periods: 3, formula: 'none' });
    const look = { scale: 'mean', notes: [], write: WRITE, asof: null, credit } as const;
    const { title, description } = viewChart(frame, lines, look).figure;
    expect(title).toContain('173.0 °C');
    expect(description).toMatch(/ 173\.0 °C\.$/);
  });

  it('names what it combines in the title of its chart', () => {
    const { frame, lines, credit } = shown('a-over-b');
    const look = { scale: 'auto', notes: [], write: WRITE, asof: null, credit } as const;
    const { title, subtitle } = viewChart(frame, lines, look).figure;
    expect(title).toBe('Iowa corn yield per area, harvested 2012: 9 t/ha');
    expect(subtitle).toContain('Yield per area, harvested');
  });

  it('has the name of its own unit, or none', () => {
    const [one, other] = [annual(2010, [4, 5]), annual(2010, [8, 10])];
    const table = longOf([{ metric_id: 1 }, one], [{ metric_id: 2 }, other]).withProvenance(PROVENANCE);
    const unitsOf = (formula: Formula) => [
      ...new Set(
        transformFrame(table, { ...choices, formula })
          .frame.toRows()
          .map((row) => row.unit_name),
      ),
    ];
    expect(unitsOf('a-over-b')).toEqual([null]);
    expect(unitsOf('a-share-of-b')).toEqual(['%']);
    expect(unitsOf('a-minus-b')).toEqual(['t/ha']);
  });

  it('is called by its terms, not by what they have in common', () => {
    const of = (region_id: number) => [{ region_id, unit_id: 70 }, annual(2010, [400, 500])] as const;
    const table = longOf(of(10019), of(10017)).withProvenance(provenance);
    const { lines } = transformFrame(table, { ...choices, formula: 'a-minus-b' });
    expect(lines.map(({ label }) => label)).toEqual(['Yield, 10019 minus 10017']);
  });
});
