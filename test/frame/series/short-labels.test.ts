import { describe, expect, it } from 'vitest';
import { shortLabels } from '../../../src/frame/series/short-labels.js';

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
