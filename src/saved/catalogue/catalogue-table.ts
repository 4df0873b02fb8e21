import type { Table } from 'apache-arrow';
import { emptyBitmap, setBit } from '../../columns/bitmap.js';
import { fromColumns } from '../../frame/formats/rows.js';
import type { DictionaryColumn, FrameColumn, Validity } from '../../frame/table/columns.js';
import { REGION_LEVELS } from '../../model/entity.js';
import { CATALOGUE_FIELDS, type CataloguedGroup, type SeriesCount } from './series-counts.js';

/** A row of a catalogue. */
export interface CatalogueRow extends Pick<CataloguedGroup, 'ids'>, SeriesCount {
  readonly names: Readonly<Record<keyof CataloguedGroup['names'], string>>;
  readonly level: number | null;
  readonly regions: number;
}

const LEVEL_NAMES = new Map<number, string>(
  Object.entries(REGION_LEVELS).map(([name, level]) => [level, name]),
);

/** The rows of a catalogue as a frame. */
export function catalogueTable(rows: readonly CatalogueRow[]): Table {
  const columns: Record<string, FrameColumn> = {};
  for (const [field] of CATALOGUE_FIELDS) {
    columns[`${field}_id`] = whole(rows.map(({ ids }) => ids[field]));
    columns[`${field}_name`] = texts(rows.map(({ names }) => names[field]));
  }
  columns.region_level = whole(rows.map(({ level }) => level));
  columns.region_level_name = texts(rows.map(({ level }) => LEVEL_NAMES.get(level ?? 0) ?? null));
  columns.regions = whole(rows.map(({ regions }) => regions));
  columns.series = whole(rows.map(({ series }) => series));
  columns.points = numbers(rows.map(({ points }) => points));
  columns.start_date = times(rows.map(({ start }) => start));
  columns.end_date = times(rows.map(({ end }) => end));
  return fromColumns(columns);
}

type Values = readonly (number | null)[];

function whole(values: Values): FrameColumn {
  return { type: 'int32', values: Int32Array.from(values, (value) => value ?? 0), valid: validityOf(values) };
}

function numbers(values: Values): FrameColumn {
  const given = Float64Array.from(values, (value) => value ?? Number.NaN);
  return { type: 'float64', values: given, valid: validityOf(values) };
}

function times(values: Values): FrameColumn {
  const given = BigInt64Array.from(values, (value) => BigInt(value ?? 0));
  return { type: 'timestamp', values: given, valid: validityOf(values) };
}

function texts(values: readonly (string | null)[]): DictionaryColumn {
  const codes = new Map<string, number>();
  const coded = Int32Array.from(values, (text) => {
    if (text === null) return 0;
    const code = codes.get(text) ?? codes.size;
    codes.set(text, code);
    return code;
  });
  return { type: 'dictionary', values: coded, categories: [...codes.keys()], valid: validityOf(values) };
}

function validityOf(values: readonly unknown[]): Validity {
  if (!values.includes(null)) return null;
  const valid = emptyBitmap(values.length);
  for (const [row, value] of values.entries()) if (value !== null) setBit(valid, row);
  return valid;
}
