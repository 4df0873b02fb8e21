import { IngestError } from '../../model/errors.js';
import type { ImporterSettings } from '../../model/importing/job.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { splitText } from '../reading/tables.js';
import type { Groups } from './fields.js';
import type { FormKeys } from './form.js';
import type { HookTable } from './hook.js';
import { createNumberTexts, type NumberParser } from './numbers.js';
import type { Form } from './parse-form.js';
import { tableKind } from './table-kind.js';

interface SettingsContext {
  readonly form: Form;
  readonly settings: ImporterSettings;
  readonly batch: BatchBuilder;
  readonly parseNumber: NumberParser;
}

type DeclaredSetting = NonNullable<FormKeys['settings']>[string];
type Rule = NonNullable<DeclaredSetting['detect']>[number];

/** Returns passed, detected or default settings, keyed by name. @throws IngestError if a value cannot be detected */
export function readSettings(table: HookTable, context: SettingsContext): Groups {
  const values = Object.entries(context.form.settings ?? {}).map(([name, setting]) => {
    const detected = () => detectSetting(name, setting, { table, context });
    return [name, context.settings[name] ?? detected() ?? setting.default ?? ''];
  });
  return Object.fromEntries(values) as Groups;
}

/** Detects a setting's value with the first rule that applies, and adds a note about it. */
function detectSetting(
  name: string,
  { detect, description, default: fallback }: DeclaredSetting,
  { table, context }: { table: HookTable; context: SettingsContext },
): string | undefined {
  if (detect === undefined) return undefined;
  const { file } = table;
  const textsOf = readSample(table, context);
  const found = detect.find((rule) => appliesTo(textsOf, rule));
  if (found === undefined && fallback !== undefined) return undefined;
  if (found === undefined) {
    const words = [...new Set(detect.map(({ is }) => is))].join(', ');
    const message = `the ${name} of ${file} cannot be detected; specify the setting "${name}": ${words} (${description})`;
    throw new IngestError(context.form.name ?? 'table', message, { file });
  }
  context.batch.addNote(
    `the setting "${name}" for ${file} was detected as "${found.is}" from its figures; specify a different value if this is wrong`,
  );
  return found.is;
}

function readSample({ header, sample, skip }: HookTable, { form, parseNumber }: SettingsContext) {
  // The last row of the sample may be cut off.
  const whole = sample.slice(0, sample.lastIndexOf('\n') + 1);
  const rows = [...splitText(whole, tableKind(form))].filter(({ line }) => line > skip);
  const absent = createNumberTexts(form.missing.absent, parseNumber);
  return (columns: RegExp): string[] =>
    header
      .flatMap((name, at) => (columns.test(name) ? rows.map(({ fields }) => (fields[at] ?? '').trim()) : []))
      .filter((text) => text !== '' && !absent.has(text));
}

const appliesTo = (textsOf: (columns: RegExp) => string[], { some, none }: Rule): boolean => {
  const isFound = ({ columns, texts }: Rule['some'][number]) =>
    textsOf(columns).some((text) => texts.test(text));
  return some.every(isFound) && !none.some(isFound);
};
