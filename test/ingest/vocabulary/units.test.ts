import { describe, expect, it } from 'vitest';
import { BASE_UNITS, findUnitId, UNITS, unitId } from '../../../src/ingest/vocabulary/units.js';
import { nearestUnit } from '../../../src/model/names/nearest-unit.js';

const unit = (name: string) => UNITS.find(({ id }) => id === unitId(name))!;

/** Definitions: the pound is 0.45359237 kg, the acre 0.40468564224 ha, the inch 25.4 mm, all exact. */
const EXACT: readonly (readonly [from: string, to: string, factor: number])[] = [
  ['bu (corn)', 't', (56 * 0.45359237) / 1000],
  ['bu (soybeans)', 't', (60 * 0.45359237) / 1000],
  ['bu (wheat)', 't', (60 * 0.45359237) / 1000],
  ['bu (sorghum)', 't', (56 * 0.45359237) / 1000],
  ['bu (barley)', 't', (48 * 0.45359237) / 1000],
  ['bu (oats)', 't', (32 * 0.45359237) / 1000],
  ['ac', 'ha', 0.40468564224],
  ['cwt', 't', 0.045359237],
  ['short ton', 't', 0.90718474],
  ['lb', 'kg', 0.45359237],
  ['bale', 't', (480 * 0.45359237) / 1000],
  ['60 kg bag', 't', 0.06],
  ['bu/ac (corn)', 't/ha', 0.0627676647],
  ['bu/ac (wheat)', 't/ha', 0.0672510694],
  ['hg/ha', 't/ha', 0.0001],
  ['kg/ha', 't/ha', 0.001],
  ['in', 'mm', 25.4],
];

describe('UNITS', () => {
  it.each(EXACT)('1 %s converts to %s', (from, to, factor) => {
    expect(unit(from).dimension).toBe(unit(to).dimension);
    const ratio = unit(from).baseConvFactor.factor! / unit(to).baseConvFactor.factor!;
    expect(Math.abs(ratio / factor - 1)).toBeLessThan(1e-9);
  });

  it('converts temperatures through °C', () => {
    const celsius = (value: number, name: string): number => {
      const { factor = 0, offset = 0 } = unit(name).baseConvFactor;
      return value * factor + offset;
    };
    expect(celsius(32, '°F')).toBeCloseTo(0, 12);
    expect(celsius(212, '°F')).toBeCloseTo(100, 12);
    expect(celsius(0, 'K')).toBe(-273.15);
  });

  it('has one base of factor 1 in each dimension', () => {
    for (const [dimension, name] of Object.entries(BASE_UNITS)) {
      expect(unit(name).dimension).toBe(dimension);
      expect(unit(name).baseConvFactor).toEqual({ factor: 1 });
    }
  });

  it('has no factor for money and bushels of an unnamed crop', () => {
    for (const name of ['USD', 's/quarter', 's/week', 'bu', 'bu/ac'])
      expect(unit(name).baseConvFactor).toEqual({});
  });

  it('has unique ids and abbreviations', () => {
    expect(new Set(UNITS.map(({ id }) => id)).size).toBe(UNITS.length);
    expect(new Set(UNITS.map(({ abbreviation }) => abbreviation)).size).toBe(UNITS.length);
  });

  it.each([
    ['F', '°F'],
    ['degrees celcius', '°C'],
    ['Tonnes', 't'],
    ['bu(corn)', 'bu (corn)'],
    ['kilogramme per hectare', 'kg/ha'],
    ['MT', 't'],
    ['(1000 MT)', 'kt'],
    ['1000 HA', 'kha'],
    ['€/t', undefined],
    ['qt', undefined],
    ['furlong', undefined],
  ])('takes %s to mean %s', (text, abbreviation) => {
    expect(nearestUnit(text, UNITS)?.abbreviation).toBe(abbreviation);
  });

  it('finds by abbreviation, name and plural', () => {
    expect(findUnitId('acres')).toBe(21);
    expect(findUnitId('acre')).toBe(21);
    expect(findUnitId('furlong')).toBeUndefined();
    expect(() => unitId('furlong')).toThrow('there is no unit "furlong"');
  });
});
