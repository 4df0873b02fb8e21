import { describe, expect, it } from 'vitest';
import { type SeriesNames, seriesLabels, shortLabels } from '../../../src/model/names/short-labels.js';

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
