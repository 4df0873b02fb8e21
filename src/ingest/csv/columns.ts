import { matchesDateFormat } from './dates.js';
import type { DateFormat, Mapping, NameFrom } from './mapping.js';

/** A test whether the mapping names a column, in any case. */
export function createColumnFilter(mapping: Mapping): (column: string) => boolean {
  const { start_date, region, partner_region, values, filters, flag } = mapping;
  const names = values.flatMap(({ metric, item, unit }) => [metric, item, unit]);
  const place =
    'station' in region
      ? [region.station, region.latitude, region.longitude, region.name]
      : [region, region.within];
  const dates = [start_date, mapping.end_date, mapping.reporting_date, mapping.available_date];
  const partner = [partner_region, partner_region?.within];
  const froms = [...values, ...filters, ...names, ...place, ...partner, ...dates, flag];
  const folded = new Set(
    froms.flatMap((from) =>
      typeof from === 'object' && from !== null && 'column' in from ? [from.column.toLowerCase()] : [],
    ),
  );
  const isDate = (column: string) => 'header' in start_date && matchesDateFormat(column, start_date.header);
  return (column) => folded.has(column.toLowerCase()) || isDate(column);
}

/** The columns of values that are named by their dates. */
export function findValueColumns(header: readonly string[], format: DateFormat): readonly string[] {
  return [...new Set(header.filter((column) => matchesDateFormat(column, format)))];
}

/** The names of the columns that are not read: those outside the mapping, and the second of two with one name. */
export function findUnread(header: readonly string[], mapping: Mapping): string[] {
  const wantsColumn = createColumnFilter(mapping);
  const seen = new Set<string>();
  return header.flatMap((name, i) => {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (wantsColumn(name) && !isRepeated) return [];
    return name === '' ? `column ${i + 1}` : isRepeated ? `${name} (column ${i + 1})` : name;
  });
}

/** A reader of a trimmed field, of its name where there is a list of names, or of the one name of all rows. */
export function createTextReader(
  from: NameFrom,
  at: (column: string) => number,
): (fields: readonly string[]) => string {
  if ('name' in from) return () => from.name;
  const { names } = from;
  const column = at(from.column);
  if (names === undefined) return (fields) => fields[column]!.trim();
  return (fields) => names.get(fields[column]!.trim()) ?? '';
}
