import { NAME_COLUMNS } from '../../frame/table/names.js';

type Metadata = ReadonlyMap<string, string>;

const MAX_NAMES = 3;

/**
 * The field metadata of an average over regions: what the series of all regions have in common. Where they differ, as in
 * the region, the id is 0 and the name lists the names.
 * @param series the metadata of each series, as in the fields of a wide frame
 */
export function metadataOfRegions(series: readonly Metadata[]): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const { column, id, names } of NAME_COLUMNS) {
    metadata.set(id, commonValue(series, id) ?? '0');
    metadata.set(column, commonValue(series, column) ?? listNames(valuesOf(series, column), names));
  }
  for (const key of ['unit_id', 'unit_name', 'unit_abbreviation']) {
    const value = commonValue(series, key);
    if (value !== undefined) metadata.set(key, value);
  }
  return metadata;
}

function listNames(names: readonly string[], kind: string): string {
  return names.length > MAX_NAMES ? `${names.length} ${kind}` : names.join(', ');
}

function commonValue(series: readonly Metadata[], key: string): string | undefined {
  const values = valuesOf(series, key);
  return values.length === 1 ? values[0] : undefined;
}

function valuesOf(series: readonly Metadata[], key: string): string[] {
  return [...new Set(series.flatMap((one) => one.get(key) ?? []))];
}
