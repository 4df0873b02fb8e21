import type { Wanted } from './engine.js';
import type { StoreShape } from './synthetic-weather.js';

/** Without a common divisor with the sizes of stores, so that requests go all over a store. */
const STRIDE = 97;

/** One series a request, other ones each time, from all over the store. */
export function singles(count: number, { series }: StoreShape): Wanted[] {
  const stride = STRIDE * Math.ceil(series / 10_000) + 1;
  return Array.from({ length: count }, (_, call) => [(call * stride) % series]);
}

/** Series at even distances over the whole store. */
export function scattered(count: number, { series }: StoreShape): Wanted {
  return Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * series) / count));
}

/** Series that lie beside each other. */
export function neighbouring(count: number, { series }: StoreShape): Wanted {
  const first = Math.min(1_000, series - count);
  return Array.from({ length: count }, (_, i) => first + i);
}
