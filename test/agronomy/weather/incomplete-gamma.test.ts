import { expect, it } from 'vitest';
import { lowerGamma } from '../../../src/agronomy/weather/incomplete-gamma.js';

// By scipy.special.gammainc of SciPy 1.10.1.
it.each([
  [0.5, 0.1, 0.34527915398142317],
  [0.5, 3, 0.9856941215645704],
  [1, 2, 0.8646647167633873],
  [5, 2.5, 0.10882198108584877],
  [20, 30, 0.9781265315586091],
  [200, 190, 0.2433474271006237],
  [0.01, 1e-5, 0.8963367982671969],
  [3, 100, 1],
  [3, 0, 0],
])('P(%d, %d)', (a, x, value) => {
  expect(lowerGamma(a, x)).toBeCloseTo(value, 11);
});
