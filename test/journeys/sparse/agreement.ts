import { UNITS } from '../../../src/ingest/vocabulary/units.js';
import type { CropframeError } from '../../../src/model/errors.js';
import type { Omission } from './omissions.js';

/** Fields that may be unknown: an answer without them says no other figure. */
const MAY_BE_UNKNOWN: ReadonlySet<string> = new Set([
  ...['definition', 'contains', 'belongsTo', 'level', 'latitude', 'longitude', 'historical'],
  ...['abbrev', 'periodLength', 'longName', 'licence', 'citation', 'url', 'abbreviation', 'namePlural'],
  ...['baseConvFactor', 'factor', 'offset', 'dimension', 'start_date', 'end_date', 'metadata'],
  ...['data_count_estimate', 'unit_id', 'unitId', 'sum', 'centre', 'reporting_date'],
  ...['available_date', 'station_id', 'station_name', 'station_km', 'available_timestamp'],
  ...['start_timestamp', 'weight_present', 'belongs_to', 'days', 'months', 'years'],
  ...['regions_without_data', 'regions_without_weight'],
]);

/** What a name may be where a service does not say it: the id, or another text of the unit. */
const OTHER_NAMES: ReadonlySet<unknown> = new Set(
  UNITS.flatMap(({ name, namePlural, abbreviation }) => [name, namePlural, abbreviation]),
);

/** Whether an answer is the full one, with at most what may be unknown missing. */
export function agrees(full: unknown, sparse: unknown, field = ''): boolean {
  if (Object.is(full, sparse)) return true;
  if (isUnknown(sparse) && (MAY_BE_UNKNOWN.has(field) || field.endsWith('name'))) return true;
  if (/name(Plural)?$|Name$|^abbrev/.test(field))
    return typeof sparse === 'string' && (/^\d+$/.test(sparse) || OTHER_NAMES.has(sparse));
  if (typeof full !== 'object' || typeof sparse !== 'object' || full === null || sparse === null)
    return false;
  if (Array.isArray(full) !== Array.isArray(sparse)) return false;
  if (Array.isArray(full) && full.length !== (sparse as unknown[]).length) return false;
  const fields = new Set([...Object.keys(full), ...Object.keys(sparse)]);
  const [given, read] = [full, sparse] as [Record<string, unknown>, Record<string, unknown>];
  return [...fields].every((name) =>
    agrees(given[name], read[name], Number.isNaN(Number(name)) ? name : field),
  );
}

function isUnknown(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isUnknown);
}

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
