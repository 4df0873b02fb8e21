import { describe, expect, it } from 'vitest';
import { cornHeatUnits } from '../../../src/agronomy/degree-days/corn-heat-units.js';
import { type DegreeDaysOptions, degreeDays } from '../../../src/agronomy/degree-days/degree-days.js';
import type { Cutoff, DegreeDayMethod } from '../../../src/agronomy/degree-days/plan.js';
import { printedPrecision, publishedColumns, publishedEntry } from './published-values.js';

function ofDay(
  [tmin, tmax, next_tmin]: readonly [number, number, number?],
  rule: Omit<DegreeDaysOptions, 'tmin' | 'tmax'>,
): number {
  return degreeDays({ tmin: Float64Array.of(tmin), tmax: Float64Array.of(tmax), next_tmin, ...rule }).total;
}

function expectPrinted(computed: number, printed: number, decimals: number): void {
  expect(Math.abs(computed - printed), `${computed} is printed ${printed}`).toBeLessThanOrEqual(
    printedPrecision(decimals),
  );
}

describe('Zalom et al. 1983, Table 7', () => {
  const { base, cap, columns, days, misprints } = publishedEntry('zalom-1983-table-7');
  const methods = columns.slice(3) as DegreeDayMethod[];
  const cells = days.flatMap((day, row) =>
    methods.map((method, i) => ({ day, row, method, printed: day[i + 3]! })),
  );

  it.each(cells)('day $row by $method: $printed', ({ day, row, method, printed }) => {
    const rule = { base_temperature: base, upper_temperature_cap: cap, method };
    const computed = ofDay([day[0]!, day[1]!, day[2]!], rule);
    const misprint = misprints!.find((found) => found.day === row && found.column === method);
    expectPrinted(computed, misprint?.correct ?? printed, 2);
    if (misprint) expect(Math.abs(computed - printed)).toBeGreaterThan(2);
  });

  it('has one misprint: its own single-triangle halves average to the correction', () => {
    const [misprint] = misprints!;
    const half = (tmin: number) =>
      ofDay([tmin, 100], { base_temperature: base, upper_temperature_cap: cap, method: 'single-triangle' });
    expect((half(60) + half(75)) / 2).toBeCloseTo(misprint!.correct, 12);
  });
});

describe('McMaster & Wilhelm 1997, Table 1', () => {
  const { base, days } = publishedEntry('mcmaster-wilhelm-1997-table-1');

  it.each(days)('%d and %d °C', (tmax, tmin, method1, method2) => {
    expect(ofDay([tmin!, tmax!], { base_temperature: base, method: 'mcmaster-wilhelm-1' })).toBe(method1);
    const capped = { base_temperature: base, upper_temperature_cap: 100 };
    expect(ofDay([tmin!, tmax!], { ...capped, method: 'mcmaster-wilhelm-2' })).toBe(method2);
  });
});

describe('University of California IPM', () => {
  const ojai = publishedEntry<
    { base: number; cap: number; totals: Record<string, number> } & Record<'tmin' | 'tmax', number[][]>
  >('ojai-2016');

  it.each(Object.entries(ojai.totals))('Ojai 2016 by %s: %d', (method, printed) => {
    const { total, days, cutoff } = degreeDays({
      tmin: Float64Array.from(ojai.tmin.flat()),
      tmax: Float64Array.from(ojai.tmax.flat()),
      base_temperature: ojai.base,
      upper_temperature_cap: ojai.cap,
      method: method as DegreeDayMethod,
    });
    expect([days, cutoff]).toEqual([366, 'horizontal']);
    expectPrinted(total, printed, 2);
  });

  const esparto = publishedColumns('uc-ipm-esparto-2020.csv');
  const rule = { base_temperature: 50, upper_temperature_cap: 70, temperature_unit: 'fahrenheit' } as const;
  const cases = [...esparto.keys()].slice(4).map((name) => name.split(' ') as [DegreeDayMethod, Cutoff]);
  const espartoDays = Array.from(
    esparto.get('tmin')!,
    (tmin, i) => [tmin, esparto.get('tmax')![i]!, esparto.get('next_tmin')![i]!] as const,
  );

  it.each(cases)('Esparto 2020 by %s, %s cut-off', (method, cutoff) => {
    const printed = esparto.get(`${method} ${cutoff}`)!;
    espartoDays.forEach((day, i) => {
      if (method.endsWith('sine') && cutoff === 'intermediate' && isBelowVertical(day)) return;
      expectPrinted(ofDay(day, { ...rule, method, cutoff }), printed[i]!, 2);
    });
  });

  it('the calculator prints the vertical value where the intermediate sine formula gives less', () => {
    const below = espartoDays.filter(isBelowVertical);
    expect(below.map(([tmin, tmax]) => [tmin, tmax])).toEqual([
      [59, 103],
      [68, 107],
    ]);
    for (const day of below) {
      const i = espartoDays.indexOf(day);
      expect(esparto.get('single-sine intermediate')![i]).toBe(esparto.get('single-sine vertical')![i]);
    }
  });

  function isBelowVertical([tmin, tmax]: readonly [number, number, number]): boolean {
    const by = (cutoff: Cutoff) => ofDay([tmin, tmax], { ...rule, method: 'single-sine', cutoff });
    return by('intermediate') < by('vertical') - 0.01;
  }
});

describe('corn', () => {
  const { base, cap, days } = publishedEntry('corn-86-50');

  it.each(days)('86/50 °F of a day %d over %d', (tmax, tmin, printed) => {
    const rule = { base_temperature: base, upper_temperature_cap: cap };
    expect(ofDay([tmin!, tmax!], { ...rule, method: 'mcmaster-wilhelm-2' })).toBe(printed);
  });

  it.each(publishedEntry('corn-heat-units').days)('heat units of %d to %d °C', (tmin, tmax, printed) => {
    const { daily } = cornHeatUnits({ tmin: Float64Array.of(tmin!), tmax: Float64Array.of(tmax!) });
    expect(daily[0]).toBeCloseTo(printed!, 9);
  });
});

describe('a day of 60 to 100 °F, integrated', () => {
  type Rates = Record<Exclude<Cutoff, 'none'>, number>;
  const entry = publishedEntry<
    { base: number; cap: number } & Record<'single-sine' | 'single-triangle', Rates>
  >('integrated-60-100');
  const cells = (['single-sine', 'single-triangle'] as const).flatMap((method) =>
    (['horizontal', 'intermediate', 'vertical'] as const).map((cutoff) => [method, cutoff] as const),
  );

  it.each(cells)('%s, %s cut-off', (method, cutoff) => {
    const rule = { base_temperature: entry.base, upper_temperature_cap: entry.cap, method, cutoff };
    expectPrinted(ofDay([60, 100], rule), entry[method][cutoff], 3);
  });
});
