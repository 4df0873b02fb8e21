import type { TakenName, TakenNames } from '../../model/entity.js';
import type { DataSeries } from '../../model/series.js';
import { type CommandContext, warnOfAll } from '../terminal/io.js';
import type { SelectedNames } from './random-choice.js';
import { NAME_FIELDS } from './series-choice.js';

type NameWord = (typeof NAME_FIELDS)[number][0];

/** Warns, also without a terminal, of what was taken for names that fit nothing exactly; once for each. */
export function warnOfTaken(
  context: CommandContext,
  found: readonly { readonly taken?: TakenNames | undefined }[],
): Promise<void> {
  const texts = found.flatMap(({ taken = {} }) =>
    NAME_FIELDS.flatMap(([word]) => (taken[word] === undefined ? [] : [takenText(word, taken[word])])),
  );
  return warnOfAll(context, [...new Set(texts)]);
}

/** The names of a search that no found series fits exactly, with what the first series has in place of them. */
export function takenByAll(
  found: readonly { readonly taken?: TakenNames | undefined }[],
): readonly { readonly taken: TakenNames }[] {
  const words = NAME_FIELDS.map(([word]) => word).filter((word) =>
    found.every(({ taken }) => taken?.[word] !== undefined),
  );
  return found.slice(0, 1).map(({ taken }) => ({
    taken: Object.fromEntries(words.map((word) => [word, taken![word]])),
  }));
}

/** Warns of names that differ from what the series is of, such as a synonym or a part of its name. */
export function warnOfOtherNames(
  context: CommandContext,
  series: DataSeries,
  names: SelectedNames,
): Promise<void> {
  const texts = NAME_FIELDS.flatMap(([word, , field]) => {
    const [asked, name] = [names[word], series[`${word}_name`] ?? String(series[field])];
    return asked === undefined || asked.toLowerCase() === name.toLowerCase()
      ? []
      : [takenText(word, { asked, name })];
  });
  return warnOfAll(context, texts);
}

/** How a warning says what was taken for a name. */
export function takenText(
  word: NameWord | 'source',
  { asked, name, namesakes = [] }: Pick<TakenName, 'asked' | 'name' | 'namesakes'>,
): string {
  const others = namesakes.length === 0 ? '' : `, not ${namesakes.map((one) => `"${one}"`).join(' or ')}`;
  return `"${name}" was taken for the ${word.replace('_', ' ')} "${asked}"${others}`;
}
