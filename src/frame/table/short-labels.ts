/**
 * Labels objects with the fewest names that distinguish them, omitting trailing words that all of them share.
 * @param columns the names of all objects for each kind of name, such as the region
 * @param leftOut the kinds of names to omit if possible, in order of preference; all kinds by default
 */
export function shortLabels(
  columns: readonly (readonly string[])[],
  count: number,
  leftOut: readonly (readonly string[])[] = columns,
): string[] {
  const joined = (kept: readonly (readonly string[])[]) =>
    Array.from({ length: count }, (_, i) =>
      kept
        .map((texts) => texts[i]!)
        .filter((text) => text !== '')
        .join(' · '),
    );
  const distinct = (labels: readonly string[]) => new Set(labels).size;
  const all = distinct(joined(columns));
  let kept = columns;
  for (const column of leftOut) {
    const without = kept.filter((one) => one !== column);
    if (without.length > 0 && distinct(joined(without)) === all) kept = without;
  }
  const short = joined(kept.map(withoutSharedEnding));
  return distinct(short) === all ? short : joined(kept);
}

/** The names of a series: metric, item, region, partner region (empty for the world), frequency and source. */
export type SeriesNames = readonly [
  metric: string,
  item: string,
  region: string,
  partner: string,
  frequency: string,
  source: string,
];

/**
 * Labels series by item and region if these differ, and by as few other names as necessary. If all names are the same,
 * labels consist of the item and region. If the item or the region is empty, the label is the metric.
 */
export function seriesLabels(series: readonly SeriesNames[]): string[] {
  const [metric, item, region, partner, frequency, source] = [0, 1, 2, 3, 4, 5].map((place) =>
    series.map((names) => names[place]!),
  ) as [string[], string[], string[], string[], string[], string[]];
  const differs = (names: readonly string[]) => names.some((name) => name !== names[0]);
  const columns = [metric, item, region, partner, frequency, source].filter(differs);
  const same = [item, region].some(([name]) => name === '') ? [metric] : [item, region];
  const kept = columns.length === 0 ? same : columns;
  return shortLabels(kept, series.length, [source, frequency, partner, metric]);
}

/** Removes the longest sequence of trailing words that all labels share, such as " weather station". */
export function withoutSharedEnding(texts: readonly string[]): readonly string[] {
  const [first] = texts;
  if (first === undefined || new Set(texts).size === 1) return texts;
  const words = first.split(' ');
  const endings = words.slice(1).map((_, i) => ` ${words.slice(i + 1).join(' ')}`);
  const shared = endings.find((ending) => texts.every((text) => text.endsWith(ending) && text !== ending));
  return shared === undefined ? texts : texts.map((text) => text.slice(0, -shared.length).replace(/,$/, ''));
}
