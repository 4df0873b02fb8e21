import { beforeAll, describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { type Collected, collect, named, type PlainPoint, pointsOf } from '../collect.js';

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

  it('has the update of a figure as its reporting date, and the release of that month as the available date', () => {
    expect(point(all, 'Production quantity', 'Corn', 'United States')).toMatchObject({
      value: 273_192,
      start: '2012-09-01',
      end: '2013-08-31',
      reported: '2014-01-01',
      available: '2014-01-10',
    });
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

  it('identifies items that the vocabulary does not have by their code', () => {
    expect(named(all.entities.items, 'Animal Numbers, Cattle').id).toBe(10_011_000);
  });
});
