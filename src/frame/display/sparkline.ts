const LEVELS = '▁▂▃▄▅▆▇█';

/**
 * The course of the values as at most `width` block characters, each the mean of its share of the values; a space where a
 * share has no value. Empty when there are fewer than three means or all are equal.
 * @param values NaN where there is no value
 */
export function sparkline(values: ArrayLike<number>, width = 32): string {
  const shares = shareMeans(values, Math.min(width, values.length));
  const known = shares.filter((mean) => Number.isFinite(mean));
  const min = Math.min(...known);
  const max = Math.max(...known);
  if (known.length < 3 || min === max) return '';
  return shares
    .map((mean) => {
      if (!Number.isFinite(mean)) return ' ';
      const level = Math.round(((mean - min) / (max - min)) * (LEVELS.length - 1));
      return LEVELS[level]!;
    })
    .join('');
}

function shareMeans(values: ArrayLike<number>, shares: number): number[] {
  return Array.from({ length: shares }, (_, share) => {
    const to = Math.floor(((share + 1) * values.length) / shares);
    let sum = 0;
    let count = 0;
    for (let i = Math.floor((share * values.length) / shares); i < to; i++) {
      if (Number.isNaN(values[i])) continue;
      sum += values[i]!;
      count++;
    }
    return sum / count;
  });
}
