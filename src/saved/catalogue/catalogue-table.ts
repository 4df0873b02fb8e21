import type { Table } from 'apache-arrow';
import { fromColumns } from '../../frame/formats/rows.js';
import type { FrameColumn } from '../../frame/table/columns.js';
import { encodeDictionary, validityOf } from '../../frame/table/parse-column.js';
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
    columns[`${field}_name`] = encodeDictionary(rows.map(({ names }) => names[field]));
  }
  columns.region_level = whole(rows.map(({ level }) => level));
  columns.region_level_name = encodeDictionary(rows.map(({ level }) => LEVEL_NAMES.get(level ?? 0) ?? null));
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
