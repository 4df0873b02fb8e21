/** The label of a series, and the same with the words that all labels end with. */
export interface SeriesLabel {
  readonly label: string;
  readonly fullLabel: string;
}

/**
 * Labels of things that differ in some of their names: the fewest names that tell all apart, without the words with which
 * all of them end.
 * @param columns for each kind of name, that of each thing; the first ones are left out first
 */
export function shortLabels(columns: readonly (readonly string[])[], count: number): SeriesLabel[] {
  const joined = (kept: readonly (readonly string[])[]) =>
    Array.from({ length: count }, (_, i) =>
      kept
        .map((texts) => texts[i]!)
        .filter((text) => text !== '')
        .join(' · '),
    );
  const distinct = (labels: readonly string[]) => new Set(labels).size;
  const all = distinct(joined(columns));
  let kept = [...columns];
  for (let at = 0; at < kept.length && kept.length > 1; ) {
    const without = kept.filter((_, i) => i !== at);
    if (distinct(joined(without)) === all) kept = without;
    else at++;
  }
  const full = joined(kept);
  const short = joined(kept.map(withoutSharedEnding));
  const isShorter = distinct(short) === all;
  return full.map((text, i) => ({ label: isShorter ? short[i]! : text, fullLabel: text }));
}

/** The texts without the last words that all of them share, such as " weather station". */
export function withoutSharedEnding(texts: readonly string[]): readonly string[] {
  const [first] = texts;
  if (first === undefined || new Set(texts).size === 1) return texts;
  const words = first.split(' ');
  const endings = words.slice(1).map((_, i) => ` ${words.slice(i + 1).join(' ')}`);
  const shared = endings.find((ending) => texts.every((text) => text.endsWith(ending) && text !== ending));
  return shared === undefined ? texts : texts.map((text) => text.slice(0, text.length - shared.length));
}
