import { describe, expect, it } from 'vitest';
import { fewestNames } from '../../../src/explorer/state/labels.js';
import type { SeriesNames } from '../../../src/model/names/short-labels.js';

const weather = (metric: string, item: string, region: string, source = 'NOAA'): SeriesNames => [
  metric,
  item,
  region,
  '',
  'daily',
  source,
];

describe('fewestNames', () => {
  it('names item and region of a single series', () => {
    expect(fewestNames([weather('Temperature', 'Temperature max', 'Seattle')])).toEqual([
      'Temperature max · Seattle',
    ]);
  });

  it('leaves out the metric where the item tells as much', () => {
    expect(
      fewestNames([
        weather('Temperature', 'Temperature max', 'Seattle'),
        weather('Precipitation quantity', 'Rain', 'Seattle'),
      ]),
    ).toEqual(['Temperature max', 'Rain']);
  });

  it('says which place and which crop, also where one of them tells all apart', () => {
    expect(
      fewestNames([
        weather('Temperature', 'Temperature max', 'Seattle'),
        weather('Yield', 'Corn', 'Iowa', 'NASS'),
      ]),
    ).toEqual(['Temperature max · Seattle', 'Corn · Iowa']);
  });

  it('leaves out the words with which all regions end', () => {
    const max = (region: string) => weather('Temperature', 'Temperature max', region);
    expect(fewestNames([max('Seattle weather station'), max('Boston weather station')])).toEqual([
      'Seattle',
      'Boston',
    ]);
    expect(fewestNames([max('Ames station'), max('station')])).toEqual(['Ames station', 'station']);
  });

  it('tells the same series apart by nothing', () => {
    const one = weather('Yield', 'Corn', 'Iowa');
    expect(fewestNames([one, one])).toEqual(['Corn · Iowa', 'Corn · Iowa']);
    expect(fewestNames([])).toEqual([]);
  });
});
