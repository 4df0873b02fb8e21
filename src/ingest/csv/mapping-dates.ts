import { DATE_FORMATS, type DateFormat, type DateFrom, EQUAL_DATES, type Mapping } from './mapping.js';
import { mappingError, readObject, readOneOf, readText } from './mapping-json.js';

export function readStartDate(value: unknown): Mapping['start_date'] {
  const isHeader = typeof value === 'object' && value !== null && 'header' in value;
  if (!isHeader) return readDate(value, 'start_date');
  const { header } = readObject(value, 'start_date', ['header']);
  return { header: readDateFormat(header, 'start_date.header') };
}

export function readDate(value: unknown, key: string): DateFrom {
  if (typeof value === 'string') return { column: value, format: 'YYYY-MM-DD' };
  if (value === undefined) throw mappingError(key, 'is missing: name a column');
  const { column, format = 'YYYY-MM-DD' } = readObject(value, key, ['column', 'format']);
  return { column: readText(column, `${key}.column`), format: readDateFormat(format, `${key}.format`) };
}

function readDateFormat(value: unknown, key: string): DateFormat {
  const format = DATE_FORMATS.find((known) => known === value);
  if (format !== undefined) return format;
  throw mappingError(key, `must be one of ${DATE_FORMATS.join(', ')}`);
}

/** @param hasReporting whether the mapping has a reporting date */
export function readAvailableDate(value: unknown, hasReporting: boolean): Mapping['available_date'] {
  if (value === undefined) return null;
  const isEqual = typeof value === 'object' && value !== null && 'equal_to' in value;
  if (!isEqual) return readDate(value, 'available_date');
  const from = readObject(value, 'available_date', ['equal_to']);
  const equal_to = readOneOf(from.equal_to, 'available_date.equal_to', EQUAL_DATES);
  if (equal_to === 'reporting_date' && !hasReporting)
    throw mappingError('available_date', 'is equal to reporting_date, which is missing: name its column');
  return { equal_to };
}
