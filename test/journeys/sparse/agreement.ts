import type { CropframeError } from '../../../src/model/errors.js';
import type { Omission } from './omissions.js';

/** What an error says of a field that is left out, where it does not say the field's own name. */
const WORDS: Readonly<Record<string, RegExp>> = {
  baseConvFactor: /conversion factor/,
  factor: /conversion factor/,
  offset: /conversion factor|offset/,
  unitId: /unit/,
  '4': /unit/,
  name: /call|name/,
  exact: /call|name/,
  abbreviation: /°C|°F/,
  dimension: /dimension/,
  metricId: /metric_?id/i,
  itemId: /item_?id/i,
  regionId: /region_?id/i,
  partnerRegionId: /partner_?region_?id/i,
  frequencyId: /frequency_?id/i,
  sourceId: /source_?id/i,
};

/** Whether an error names one of the fields that are left out. */
export function namesWhatIsMissing(error: CropframeError, omitted: readonly Omission[]): boolean {
  const text = textOf(error);
  return omitted.some(({ field }) => (WORDS[field] ?? new RegExp(field)).test(text));
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const causes = error instanceof AggregateError ? error.errors : [];
  return [error.message, textOf(error.cause), ...causes.map(textOf)].join('\n');
}
