import { badArgument, shownValue } from '../model/errors.js';
import type { ImporterSettings } from '../model/importing/job.js';
import { nearestWord } from '../model/names/edit-distance.js';

/** A setting that a data set declares. */
export interface Setting {
  /** Describes in one line what the setting controls. */
  readonly description: string;
  /** The only values, if the setting has a list of them. */
  readonly words?: readonly string[] | undefined;
  /** The pattern that every value matches. */
  readonly form?: RegExp | undefined;
  /** A value that matches `form`, for messages. */
  readonly example?: string | undefined;
  /** The default value. */
  readonly default?: string | undefined;
  /** Rules by which the data set finds the value in a file. The default then applies where none of them does. */
  readonly detect?: readonly unknown[] | undefined;
}

/** The settings of a data set by name. */
export type DeclaredSettings = Readonly<Record<string, Setting>>;

interface WithSettings {
  readonly dataset: string;
  readonly settings?: DeclaredSettings | undefined;
}

/**
 * Checks the settings of an import against those that the data set declares.
 * @throws ArgumentError that names the setting, and the known names or values
 */
export function checkSettings(
  { dataset, settings: declared = {} }: WithSettings,
  given: ImporterSettings = {},
): void {
  for (const [name, value] of Object.entries(given)) {
    const setting = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (setting === undefined) throw unknownSetting(name, dataset, Object.keys(declared));
    const fault = settingFault(value, setting);
    if (fault !== undefined) throw badArgument(`settings.${name}`, fault);
  }
}

/** Explains why a setting does not accept a value. Returns undefined if it does. */
export function settingFault(
  value: string,
  { words, form, example }: Pick<Setting, 'words' | 'form' | 'example'>,
): string | undefined {
  if (words !== undefined && !words.includes(value))
    return `${shownValue(value)} is none of its values, which are ${words.join(', ')}`;
  if (form === undefined || form.test(value)) return undefined;
  return `${shownValue(value)} is not of its form${example === undefined ? '' : `, such as ${example}`}`;
}

function unknownSetting(name: string, dataset: string, known: readonly string[]): Error {
  const nearest = nearestWord(name, known);
  const remedy =
    nearest === undefined ? `it takes ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`;
  return badArgument(`settings.${name}`, `${dataset} has no such setting; ${remedy}`);
}
