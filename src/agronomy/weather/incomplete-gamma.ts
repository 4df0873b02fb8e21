const TINY = 1e-300;
const PRECISION = 1e-15;
const MAX_TERMS = 10_000;

/**
 * The regularised lower incomplete gamma function P(a, x), for a > 0 and x ≥ 0: by its series below a + 1 (DLMF 8.11.4), else
 * by its continued fraction (DLMF 8.9.2) by Lentz's method.
 */
export function lowerGamma(a: number, x: number): number {
  if (x <= 0) return 0;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? scale * series(a, x) : 1 - scale * fraction(a, x);
}

function series(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < MAX_TERMS && term > sum * PRECISION; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let result = d;
  for (let n = 1; n < MAX_TERMS; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / nonZero(numerator * d + b);
    c = nonZero(b + numerator / c);
    result *= c * d;
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  return result;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** Coefficients of Stirling's series: B₂ₙ / (2n (2n − 1)) (DLMF 5.11.1). */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360_360, 1 / 156];

/** ln Γ(a) for a > 0 by Stirling's series, after the recurrence has brought the argument above 10. */
function logGamma(a: number): number {
  let z = a;
  let shift = 0;
  for (; z < 10; z++) shift += Math.log(z);
  const inverse = 1 / z;
  const tail = STIRLING.reduceRight((sum, coefficient) => sum * inverse * inverse + coefficient, 0) * inverse;
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + tail - shift;
}
