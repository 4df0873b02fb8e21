import { badArgument, shownValue } from '../model/errors.js';
import type { ImporterSettings } from '../model/importing/job.js';
import { nearestWord } from '../model/names/edit-distance.js';

/** A setting that a data set declares. */
export interface Setting {
  /** A one-line description of what the setting controls. */
  readonly description: string;
  /** The allowed values, if there is a fixed list of them. */
  readonly words?: readonly string[] | undefined;
  /** The pattern that values must match. */
  readonly form?: RegExp | undefined;
  /** An example of a value that matches `form`, for use in error messages. */
  readonly example?: string | undefined;
  /** The default value. */
  readonly default?: string | undefined;
  /** Rules that detect the value in a file. The default value applies only if no rule matches. */
  readonly detect?: readonly unknown[] | undefined;
}

/** A data set's settings, by name. */
export type DeclaredSettings = Readonly<Record<string, Setting>>;

/** Checks that settings are declared and that their values are valid. @throws ArgumentError that names the setting */
export function checkSettings(
  { dataset, settings: declared = {} }: { dataset: string; settings?: DeclaredSettings | undefined },
  given: ImporterSettings = {},
): void {
  for (const [name, value] of Object.entries(given)) {
    const setting = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (setting === undefined) throw unknownSetting(name, dataset, Object.keys(declared));
    const fault = settingFault(value, setting);
    if (fault !== undefined) throw badArgument(`settings.${name}`, fault);
  }
}

function settingFault(value: string, { words, form, example }: Setting): string | undefined {
  if (words !== undefined && !words.includes(value))
    return `${shownValue(value)} is not one of its values, which are ${words.join(', ')}`;
  if (form === undefined || form.test(value)) return undefined;
  return `${shownValue(value)} is not in the expected form${example === undefined ? '' : `, such as ${example}`}`;
}

function unknownSetting(name: string, dataset: string, known: readonly string[]): Error {
  const nearest = nearestWord(name, known);
  const remedy =
    nearest === undefined ? `it takes ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`;
  return badArgument(`settings.${name}`, `${dataset} has no such setting; ${remedy}`);
}
