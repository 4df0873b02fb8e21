import { NAME_COLUMNS } from '../../frame/table/names.js';

type Metadata = ReadonlyMap<string, string>;

const MAX_NAMES = 3;

/**
 * What the field of an average says of its series: what the series of all its regions have in common. Where they differ, as in
 * their region, the id is 0 and the name lists them.
 * @param series the metadata of each of them, as the fields of a wide frame carry it
 */
export function metadataOfRegions(series: readonly Metadata[]): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const { column, id, names } of NAME_COLUMNS) {
    metadata.set(id, onlyOne(series, id) ?? '0');
    metadata.set(column, onlyOne(series, column) ?? listed(valuesOf(series, column), names));
  }
  for (const key of ['unit_id', 'unit_name']) {
    const value = onlyOne(series, key);
    if (value !== undefined) metadata.set(key, value);
  }
  return metadata;
}

function listed(names: readonly string[], kind: string): string {
  return names.length > MAX_NAMES ? `${names.length} ${kind}` : names.join(', ');
}

function onlyOne(series: readonly Metadata[], key: string): string | undefined {
  const values = valuesOf(series, key);
  return values.length === 1 ? values[0] : undefined;
}

function valuesOf(series: readonly Metadata[], key: string): string[] {
  return [...new Set(series.flatMap((one) => one.get(key) ?? []))];
}
