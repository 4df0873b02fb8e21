import { describe, expect, it } from 'vitest';
import { NO_UNIT_ID } from '../../src/columns/point-columns.js';
import { requireAllowed, type UnitUse, undecidedUses, unitUses } from '../../src/compute/conversion-rule.js';
import type { Unit } from '../../src/model/entity.js';
import { UnitError } from '../../src/model/errors.js';
import { seriesOf } from '../frame/points.js';

const unit = (id: number, name: string, dimension?: string): [number, Unit] => [
  id,
  { id, name, namePlural: `${name}s`, abbreviation: `u${id}`, baseConvFactor: { factor: 2 }, dimension },
];
const UNITS = new Map([
  unit(1, 'one', 'mass'),
  unit(2, 'two', 'mass'),
  unit(3, 'three', 'area'),
  unit(4, 'four'),
  unit(5, 'five'),
  unit(6, 'kilogram'),
  unit(7, 'Tonne'),
  unit(8, 'hectare'),
]);
const use = (unit_id: number): UnitUse => ({ metric_id: 10, item_id: 20, unit_id });

/** The uses that need the allowed units, and what came of the check. */
function check(uses: readonly UnitUse[], target: number, allowed: readonly number[] = []) {
  const asked: number[][] = [];
  try {
    for (const one of undecidedUses(uses, target, UNITS)) {
      asked.push([one.metric_id, one.item_id]);
      requireAllowed(one, target, { unitsById: UNITS, allowed });
    }
    return { asked, outcome: 'converts' };
  } catch (outcome) {
    return { asked, outcome };
  }
}

describe('the rule of conversions', () => {
  it('lets units of one stated dimension convert, without asking', () => {
    expect(check([use(1)], 2)).toEqual({ asked: [], outcome: 'converts' });
  });

  it('looks neither at values in the target unit nor at those without one', () => {
    expect(check([use(99), use(NO_UNIT_ID)], 99)).toEqual({ asked: [], outcome: 'converts' });
  });

  it('refuses stated dimensions that differ, without asking', () => {
    const { asked, outcome } = check([use(1)], 3, [1, 3]);
    expect(asked).toEqual([]);
    expect(outcome).toBeInstanceOf(UnitError);
    expect(String(outcome)).toMatch(/unit_id 1 .* unit_id 3: one \(u1\) .*"mass", three \(u3\) .*"area"/);
  });

  it.each([
    [[4, 5, 6], 'converts'],
    [[4, 6], 'refused'],
    [[5, 6], 'refused'],
  ])(
    'needs both units among the allowed ones %j where a dimension is not stated: %s',
    (allowed, expected) => {
      const { asked, outcome } = check([use(4)], 5, allowed);
      expect(asked).toEqual([[10, 20]]);
      expect(outcome instanceof UnitError ? 'refused' : outcome).toBe(expected);
    },
  );

  it.each([
    [6, 7, 'converts'],
    [4, 5, 'converts'],
    [6, 8, 'refused'],
    [6, 5, 'refused'],
  ])('where none is allowed, goes by what our own table knows: %d to %d %s', (from, to, expected) => {
    const { outcome } = check([use(from)], to);
    expect(outcome instanceof UnitError ? 'refused' : outcome).toBe(expected);
  });

  it('says what is not known of a unit', () => {
    const { outcome } = check([use(6)], 5);
    expect(String(outcome)).toMatch(
      /kilogram \(u6\) is of the dimension "mass", five \(u5\) is of no stated dimension/,
    );
  });

  it('asks once for each metric, item and unit', () => {
    const { asked } = check([use(4), use(4), use(6), { ...use(4), item_id: 21 }], 5, [4, 5, 6]);
    expect(asked).toEqual([
      [10, 20],
      [10, 20],
      [10, 21],
    ]);
  });

  it('refuses a unit that nobody knows', () => {
    expect(String(check([use(99)], 1).outcome)).toMatch(/unit_id 99 .* no such unit/);
  });
});

describe('the uses of units', () => {
  it('are listed once for each metric and item, whether a run has one unit or many', () => {
    const series = [seriesOf(), seriesOf({ region_id: 6 }), seriesOf({ item_id: 4 })];
    const runs = [
      { series: 0, unit_id: Int32Array.of(7, 7, NO_UNIT_ID, 9, 7) },
      { series: 1, unit_id: 9 },
      { series: 1, unit_id: NO_UNIT_ID },
      { series: 2, unit_id: 7 },
    ];
    expect([...unitUses({ series, runs })]).toEqual([
      { metric_id: 1, item_id: 2, unit_id: 7 },
      { metric_id: 1, item_id: 2, unit_id: 9 },
      { metric_id: 1, item_id: 4, unit_id: 7 },
    ]);
  });
});
