import { type Line, NAME_COLUMNS } from './lines.js';

/** The names of a series, by the order of `NAME_COLUMNS`: metric, item, region, partner region, frequency and source. */
type Names = readonly string[];

/** Which of the names are left out first, where the others tell the series apart: places of `NAME_COLUMNS`. */
const LEFT_OUT_FIRST = [5, 4, 3, 0, 1, 2];
const ITEM_AND_REGION = [1, 2];

/** The fewest names that tell each series from the others; for a single series its item and region. */
export function fewestNames(series: readonly Names[]): readonly string[] {
  const labels = (kept: readonly number[]) =>
    series.map((names) =>
      kept
        .map((place) => names[place]!)
        .filter((name) => name !== '')
        .join(' · '),
    );
  if (series.length < 2) return labels(ITEM_AND_REGION);
  const distinct = (kept: readonly number[]) => new Set(labels(kept)).size;
  let kept: readonly number[] = NAME_COLUMNS.map((_, place) => place);
  const all = distinct(kept);
  if (all === 1) return labels(ITEM_AND_REGION);
  for (const place of LEFT_OUT_FIRST) {
    const without = kept.filter((one) => one !== place);
    if (distinct(without) === all) kept = without;
  }
  const short = NAME_COLUMNS.map((_, place) => withoutSharedEnding(series.map((names) => names[place]!)));
  const shortened = series.map((_, i) =>
    kept
      .map((place) => short[place]![i]!)
      .filter((name) => name !== '')
      .join(' · '),
  );
  return new Set(shortened).size === all ? shortened : labels(kept);
}

/** The names without the last words that all of them share, such as “weather station”, as the legend of a chart has them. */
function withoutSharedEnding(names: readonly string[]): readonly string[] {
  const words = names[0]!.split(' ');
  const shared = words
    .map((_, i) => ` ${words.slice(i + 1).join(' ')}`)
    .find((ending) => ending !== ' ' && names.every((name) => name.endsWith(ending) && name !== ending));
  if (shared === undefined || new Set(names).size === 1) return names;
  return names.map((name) => name.slice(0, -shared.length));
}

/** What tells each series from the others, in few words; for a single series its item and region. */
export function labelsOf(lines: readonly Line[]): readonly string[] {
  const labels = fewestNames(lines.map(({ names }) => NAME_COLUMNS.map((part) => names[part])));
  const isRepeated = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
  return labels.map((label, at) => (isRepeated(label) ? `${label} (${lines[at]!.unit || at + 1})` : label));
}
