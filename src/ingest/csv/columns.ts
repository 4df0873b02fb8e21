import { findColumn } from '../reading/tables.js';
import { parseCellDate, parseMappedDate } from './dates.js';
import type { Mapping, NameFrom } from './mapping.js';

type Fields = readonly string[];

/** A column of values, with readers of its metric, item and unit. */
export interface MappedValue {
  readonly column: string;
  readonly at: number;
  readonly metric: (fields: Fields) => string;
  readonly item: (fields: Fields) => string;
  readonly unit: (fields: Fields) => string;
}

/** Readers of a row, from a mapping and the header of one table. */
export interface MappedColumns {
  readonly partner: ((fields: Fields) => string) | undefined;
  /** UTC milliseconds; null when the field is empty or not mapped. The same holds for the other dates. */
  readonly start: (fields: Fields) => number | null;
  readonly end: (fields: Fields) => number | null;
  readonly reporting: (fields: Fields) => number | null;
  readonly values: readonly MappedValue[];
}

/** A test whether the mapping names a column, in any case. */
export function createColumnFilter(mapping: Mapping): (column: string) => boolean {
  const { region, partner_region, start_date, end_date, reporting_date, values } = mapping;
  const names: NameFrom[] = values.flatMap(({ column, metric, item, unit }) => [
    { column },
    metric,
    item,
    unit,
  ]);
  if (!('station' in region)) names.push(region);
  if (partner_region !== null) names.push(partner_region);
  const wanted = new Set(names.flatMap((from) => ('column' in from ? [from.column] : [])));
  for (const date of [start_date, end_date, reporting_date]) if (date !== null) wanted.add(date.column);
  if ('station' in region) {
    for (const column of [region.station, region.latitude, region.longitude]) wanted.add(column);
    if (region.name !== null) wanted.add(region.name);
  }
  const folded = new Set([...wanted].map((column) => column.toLowerCase()));
  return (column) => folded.has(column.toLowerCase());
}

/**
 * @param hasTypes whether dates may be cells of that type
 * @throws IngestError when the header does not have a column of the mapping
 */
export function bindColumns(
  header: Fields,
  file: string,
  { mapping, hasTypes }: { mapping: Mapping; hasTypes: boolean },
): MappedColumns {
  const parseDate = hasTypes ? parseCellDate : parseMappedDate;
  const at = (column: string): number => findColumn(header, column, { dataset: 'csv', file });
  const name = (from: NameFrom): ((fields: Fields) => string) => {
    if ('name' in from) return () => from.name;
    const column = at(from.column);
    return (fields) => fields[column]!.trim();
  };
  const day = (from: Mapping['end_date']): ((fields: Fields) => number | null) => {
    if (from === null) return () => null;
    const column = at(from.column);
    return (fields) => (fields[column]!.trim() === '' ? null : parseDate(fields[column]!, from.format));
  };
  return {
    partner: mapping.partner_region === null ? undefined : name(mapping.partner_region),
    start: day(mapping.start_date),
    end: day(mapping.end_date),
    reporting: day(mapping.reporting_date),
    values: mapping.values.map(({ column, metric, item, unit }) => ({
      column,
      at: at(column),
      metric: name(metric),
      item: name(item),
      unit: name(unit),
    })),
  };
}
