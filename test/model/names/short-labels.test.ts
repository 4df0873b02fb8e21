import { describe, expect, it } from 'vitest';
import {
  fewestNames,
  type SeriesNames,
  seriesLabels,
  shortLabels,
} from '../../../src/model/names/short-labels.js';

const labels = (...columns: string[][]) => shortLabels(columns, columns[0]!.length).map(({ label }) => label);

describe('short labels', () => {
  it('leave out names that are not needed to tell series apart', () => {
    expect(labels(['Yield', 'Area'], ['Corn', 'Wheat'])).toEqual(['Corn', 'Wheat']);
    expect(labels(['Yield', 'Yield', 'Area'], ['Corn', 'Wheat', 'Corn'])).toEqual([
      'Yield · Corn',
      'Yield · Wheat',
      'Area · Corn',
    ]);
  });

  it('leave out the words with which all end, but never make two labels equal or empty', () => {
    expect(labels(['Ames weather station', 'Boone weather station'])).toEqual(['Ames', 'Boone']);
    expect(labels(['station', 'Ames station'])).toEqual(['station', 'Ames station']);
    expect(labels(['Iowa', 'Iowa'])).toEqual(['Iowa', 'Iowa']);
  });
});

describe('labels of series', () => {
  const of = (...series: string[]) =>
    seriesLabels(series.map((names) => names.split('|') as unknown as SeriesNames)).map(({ label }) => label);

  it('name item and region where they differ, and nothing else that is not needed', () => {
    expect(of('Temperature|Maximum|Ames||daily|NOAA', 'Yield|Corn|Iowa||annual|NASS')).toEqual([
      'Maximum · Ames',
      'Corn · Iowa',
    ]);
    expect(of('Yield|Corn|Iowa||annual|NASS', 'Yield|Corn|Iowa||annual|PSD')).toEqual(['NASS', 'PSD']);
    expect(of('Yield|Corn|Iowa||annual|NASS', 'Area|Corn|Iowa||annual|PSD')).toEqual(['Yield', 'Area']);
  });
});

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
