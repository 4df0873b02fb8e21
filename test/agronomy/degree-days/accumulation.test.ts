import { describe, expect, it } from 'vitest';
import { accumulate, accumulateFromBiofix } from '../../../src/agronomy/degree-days/accumulation.js';
import { ArgumentError } from '../../../src/model/errors.js';

const DAILY = Float64Array.of(1, 2, Number.NaN, 4);

describe('accumulate', () => {
  it('is the running sum, and counts NaN as 0', () => {
    expect(accumulate(DAILY)).toEqual(Float64Array.of(1, 3, 3, 7));
    expect(accumulate(new Float64Array(0))).toEqual(new Float64Array(0));
  });
});

describe('accumulateFromBiofix', () => {
  it('is 0 before the biofix and counts the biofix itself', () => {
    expect(accumulateFromBiofix(DAILY, '2020-02-28', '2020-02-29')).toEqual(Float64Array.of(0, 2, 2, 6));
    expect(accumulateFromBiofix(DAILY, '2020-02-28', '2020-02-28')).toEqual(accumulate(DAILY));
  });

  it.each(['2020-02-27', '2020-03-03'])('refuses a biofix outside the days: %s', (biofix) => {
    const attempt = () => accumulateFromBiofix(DAILY, '2020-02-28', biofix);
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(`biofix ${biofix} is not one of the 4 days from 2020-02-28`);
  });
});
