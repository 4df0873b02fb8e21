import { beforeAll, describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { type Collected, collect, named, type PlainPoint, pointsOf, unitOf } from '../collect.js';

const psd = documentImporter('psd');
const FILE = 'test/fixtures/psd/grains.csv';

function point(all: Collected, metric: string, item: string, region: string): PlainPoint {
  const hits = pointsOf(all, { metric, item, region });
  expect(hits).toHaveLength(1);
  return hits[0]!;
}

describe('psd', () => {
  let all: Collected;
  beforeAll(async () => {
    all = await collect(psd, { files: [FILE] });
  });

  it('reads codes with and without leading zeros, quoted and unquoted', () => {
    expect(point(all, 'Production quantity', 'Corn', 'United States')).toMatchObject({
      value: 273_192,
      start: '2012-09-01',
      end: '2013-08-31',
      reported: '2014-01-01',
      available: '2014-01-10',
    });
    expect(point(all, 'Ending stocks', 'Corn', 'United States').value).toBe(20_859);
    expect(unitOf(all, point(all, 'Yield', 'Corn', 'Argentina'))).toBe('t/ha');
  });

  it('uses the marketing year of each country and crop, and trade years for their attributes', () => {
    const start = (metric: string, item: string, region: string): string =>
      point(all, metric, item, region).start;
    expect(start('TY Exports', 'Corn', 'United States')).toBe('2012-10-01');
    expect(start('Yield', 'Corn', 'Argentina')).toBe('2013-03-01');
    expect(start('Exports quantity', 'Rice, milled', 'Thailand')).toBe('2013-01-01');
    expect(start('TY Exports', 'Rice, milled', 'Thailand')).toBe('2013-01-01');
    expect(start('Production quantity', 'Cotton', 'Australia')).toBe('2012-08-01');
    expect(start('Beginning stocks', 'Animal Numbers, Cattle', 'Brazil')).toBe('2012-01-01');
  });

  it("resolves USDA's names of countries, former countries and groups", () => {
    expect(point(all, 'Imports quantity', 'Corn', 'South Korea').value).toBe(8174);
    expect(named(all.entities.regions, 'USSR').historical).toBe(true);
    expect(point(all, 'Area harvested', 'Corn', 'USSR')).toMatchObject({
      value: 4482,
      reported: '2006-07-01',
    });
    expect(named(all.entities.regions, 'European Union').level).toBe(8);
  });

  it('reads month 0 as an unknown month of the year', () => {
    expect(point(all, 'Domestic use', 'Corn', 'European Union')).toMatchObject({
      reported: '2014-01-01',
      available: '2015-01-01',
    });
  });

  it('adds entities that the vocabulary does not have, and reads missing values as null', () => {
    const odd = point(all, 'Malting Loss', 'Barley', 'Atlantis');
    expect([odd.value, unitOf(all, odd)]).toEqual([null, '1000 furlongs']);
    expect(named(all.entities.items, 'Animal Numbers, Cattle').id).toBe(10_011_000);
  });

  it('rejects invalid rows', () => {
    expect(all.rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [14, 'the market year "20x2" is not a whole number'],
      [15, 'month 13 of 2014 is not in the calendar'],
      [16, 'the Value "many" is not a number'],
    ]);
  });
});
