import { describe, expect, it } from 'vitest';
import { cropWeightedAverage } from '../../../src/agronomy/weights/weighted-average.js';
import { weightSeries } from '../../../src/agronomy/weights/weighted-series.js';
import { weightsFromMeans } from '../../../src/agronomy/weights/weights.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { WEIGHTS, YIELDS } from './region-values.js';

const wrong = (call: () => unknown, argument: RegExp) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(argument);
};

describe('columns that cannot be weighed', () => {
  it.each([
    ['region', [0, 1], /columns\.region/],
    ['start_date', new Float64Array(5), /columns\.start_date/],
    ['end_date', undefined, /columns\.end_date/],
    ['value', [1, 2, 3, 4, 5], /columns\.value/],
    ['value_valid', [true], /columns\.value_valid/],
    ['value_valid', undefined, /columns\.value_valid/],
    ['start_date', new BigInt64Array(4), /columns\.start_date: it has 4 rows, and region 5/],
    ['end_date', new BigInt64Array(6), /columns\.end_date: it has 6 rows, and region 5/],
    ['value', new Float64Array(4), /columns\.value: it has 4 rows, and region 5/],
  ])('are refused by the name of the column: %s %o', (name, value, message) => {
    const columns = { ...YIELDS, [name]: value } as never;
    wrong(() => cropWeightedAverage(columns, WEIGHTS), message);
    wrong(() => weightSeries(columns, WEIGHTS), message);
    wrong(() => weightsFromMeans(columns, [{ id: 7, name: 'Iowa' }]), message);
  });

  it('are refused where there are none', () => {
    wrong(() => weightSeries(undefined as never, WEIGHTS), /columns/);
  });
});

describe('weights that are none', () => {
  it.each([
    [undefined, /weights/],
    [{ without_data: [] }, /weights\.weights/],
    [{ weights: [1, '2'], without_data: [] }, /weights\.weights/],
    [{ weights: [1, 2], without_data: 'none' }, /weights\.without_data/],
    [new Map([[2012, { without_data: [] }]]), /weights of 2012\.weights/],
    [new Map([[2012, undefined]]), /weights of 2012/],
    [new Map(), /weights/],
  ])('are refused: %o', (weights, message) => {
    wrong(() => cropWeightedAverage(YIELDS, weights as never), message);
    wrong(() => weightSeries(YIELDS, weights as never), message);
  });

  it.each([[undefined], [[{ id: 7 }]], [[{ id: '7', name: 'Iowa' }]], [['Iowa']]])(
    'regions are refused: %o',
    (regions) => {
      wrong(() => weightsFromMeans(YIELDS, regions as never), /regions/);
    },
  );

  it('functions and options are refused', () => {
    wrong(() => weightSeries(YIELDS, WEIGHTS, 'sum' as never), /weighting_func/);
    wrong(() => cropWeightedAverage(YIELDS, WEIGHTS, { weighting_func: 1 } as never), /weighting_func/);
    wrong(() => cropWeightedAverage(YIELDS, WEIGHTS, { renormalise: 'no' } as never), /renormalise/);
    wrong(() => cropWeightedAverage(YIELDS, WEIGHTS, { renormalize: true } as never), /cropWeightedAverage/);
    wrong(() => weightsFromMeans(YIELDS, [], { since: 1 } as never), /weightsFromMeans/);
    wrong(() => weightsFromMeans(YIELDS, [], { start_date: 5 } as never), /start_date/);
  });
});
