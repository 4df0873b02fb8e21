import { describe, expect, it } from 'vitest';
import { drawSpec, type VegaLiteSpec } from '../../src/charts/draw.js';
import { writerIn } from '../../src/charts/language.js';
import { plotWeights, weightsHeadline } from '../../src/charts/weights.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { PROVENANCE } from '../frame/points.js';
import { drawnTexts, expectOwnNames } from './drawn.js';

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    region_id: i,
    region_name: `Region ${i % 40}`,
    weight: (i + 1) / ((count * (count + 1)) / 2),
    source_name: 'USDA NASS',
  }));

interface Data {
  readonly data: { readonly values: object[] };
}

describe('plotWeights', () => {
  it('draws a bar for each region, the heaviest first', async () => {
    const chart = plotWeights(fromRows(rows(3)));
    const texts = await drawnTexts(chart);
    expect(texts).toEqual(expect.arrayContaining(['50%', '33%', '17%', 'Source: USDA NASS']));
    const names = texts.filter((text) => text.startsWith('Region'));
    expect(names).toEqual(['Region 2', 'Region 1', 'Region 0']);
    expectOwnNames(chart);
  });

  it('keeps the heaviest first when only the data of a drawn chart are replaced', async () => {
    const [before, after] = [
      [3, 2, 1],
      [1, 2, 3],
    ].map((weights) => {
      const table = fromRows(rows(3).map((row, i) => ({ ...row, weight: weights[i]! / 6 })));
      const { data, ...spec } = structuredClone(plotWeights(table).spec) as unknown as VegaLiteSpec & Data;
      return { values: data.values, spec: { ...spec, data: { name: 'bars', values: data.values } } };
    });
    const view = await drawSpec(before!.spec);
    const names = () => [...(view.scale('y') as unknown as { domain(): string[] }).domain()];
    expect(names()).toEqual(['Region 0', 'Region 1', 'Region 2']);
    await view.data('bars', after!.values).runAsync();
    expect(names()).toEqual(['Region 2', 'Region 1', 'Region 0']);
    view.finalize();
  });

  it('has two significant digits of the lightest region, but no more than four decimal places', async () => {
    const drawnWith = async (lightest: number) => {
      const weights = [lightest, 0, 1 - lightest];
      const table = fromRows(rows(3).map((row, i) => ({ ...row, weight: weights[i]! })));
      const title = weightsHeadline(table, 'Corn area', writerIn(['en-GB']));
      return { texts: await drawnTexts(plotWeights(table)), title };
    };
    for (const [lightest, shares] of [
      [0.12, ['12%', '88%']],
      [0.0321, ['3.2%', '96.8%']],
      [0.00995, ['1.0%', '99.0%']],
      [0.000042, ['0.0042%', '99.9958%']],
      [0.00000123, ['0.0001%', '99.9999%']],
    ] as const) {
      const { texts, title } = await drawnWith(lightest);
      expect(texts).toEqual(expect.arrayContaining([...shares]));
      expect(title).toContain(`weighs most with ${shares[1]}`);
    }
  });

  it('says what part of many regions it shows, and tells regions of one name apart', async () => {
    const texts = await drawnTexts(plotWeights(fromRows(rows(50))));
    expect(texts.join()).toContain('the 30 heaviest of 50 regions, 83.529% of the weight');
    expect(texts).toEqual(expect.arrayContaining(['Region 9 (2)']));
  });

  it('says the years whose means the weights are', async () => {
    const [first, ...others] = rows(3).map((row, i) => ({
      ...row,
      start_date: new Date(`${2002 + i}-01-01`),
      end_date: new Date('2011-12-31'),
    }));
    const table = fromRows([first!, ...others]);
    expect(await drawnTexts(plotWeights(table))).toContain('mean of 2002 to 2011');
    expect(weightsHeadline(table, 'Corn area', writerIn(['en-GB']))).toBe(
      'Corn area, mean of 2002 to 2011: Region 2 weighs most with 50%, and 1 of 3 regions have half of the weight',
    );
  });

  it('names the licences of the sources where the table has their provenance', async () => {
    const credited = fromRows(rows(3)).withProvenance(PROVENANCE);
    expect(await drawnTexts(plotWeights(credited))).toContain('Source: USDA NASS (public domain)');
    const texts = await drawnTexts(plotWeights(credited, { source: 'my own' }));
    expect(texts).toContain('Source: my own');
  });

  it('refuses a table without weights', () => {
    expect(() => plotWeights(fromRows([{ value: 1 }]))).toThrow(/it has no column weight/);
    expect(() => plotWeights(fromRows([{ weight: 1 }]))).toThrow(/it has no column region_id/);
  });
});
