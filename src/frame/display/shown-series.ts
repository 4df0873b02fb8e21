import { type SeriesView, seriesNames, unitOf } from '../table/series-view.js';

/** Labels each series with its names, or its ids if the frame has no names, and with the abbreviation of its unit. */
export function labelSeries(views: readonly SeriesView[]) {
  const parts = views.map((view): string[] => [...seriesNames(view), unitOf(view)]);
  const shared = (parts[0] ?? []).map(
    (part, at) => views.length > 1 && parts.every((other) => other[at] === part),
  );
  const join = (texts: string[]) => texts.filter((text) => text !== '').join(' | ');
  const labels = parts.map((texts) => join(texts.filter((_, at) => !shared[at])));
  return {
    shared: join((parts[0] ?? []).filter((_, at) => shared[at])),
    labels: labels.map((label, at) => label || join(parts[at]!)),
  };
}

const LEVELS = '▁▂▃▄▅▆▇█';

/**
 * Draws values as at most `width` block characters. Each character shows the mean of an equal share of the values, or
 * is a space if the share has no values. Returns an empty string if there are fewer than three means or all means are
 * equal.
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
