import type { SeriesKey } from '../../model/series.js';

/** A column's type, independent of the engine. A `date` is a time in milliseconds. */
export type ColumnType = 'integer' | 'number' | 'text' | 'boolean' | 'date';

export type Columns = Readonly<Record<string, ColumnType>>;

/** The sort order in which series are numbered. Series that differ only in region get neighbouring numbers. */
export const LAYOUT = [
  'metric_id',
  'item_id',
  'source_id',
  'frequency_id',
  'region_id',
  'partner_region_id',
] as const satisfies (keyof SeriesKey)[];

/** The columns of the table `series` that hold facts about all points of a series. */
export const COMMON_COLUMNS = {
  /** Whether all points have the unit of the series. */
  has_one_unit: 'boolean',
  /** The number of days from start to end of every period; null if it varies. */
  period_days: 'integer',
  has_times: 'boolean',
  has_reporting_dates: 'boolean',
  has_metadata: 'boolean',
  /** The date when all points became available; null if they became available on different dates. */
  available_date: 'date',
} as const satisfies Columns;

/** The tables that imports write, other than the tables of entities and points. */
export const OTHER_TABLES = {
  containment: { entity_type: 'text', parent: 'integer', child: 'integer' },
  shape: { region_id: 'integer', detail: 'text', geojson: 'text' },
  series: {
    handle: 'integer',
    metric_id: 'integer',
    item_id: 'integer',
    region_id: 'integer',
    partner_region_id: 'integer',
    source_id: 'integer',
    frequency_id: 'integer',
    unit_id: 'integer',
    start_date: 'date',
    end_date: 'date',
    point_count: 'integer',
    ...COMMON_COLUMNS,
  },
  series_unit: { series: 'integer', unit_id: 'integer' },
  source_import: { source_id: 'integer', dataset: 'text', imported: 'number' },
  stored_fetch: { dataset: 'text', request: 'text', settings: 'text', files: 'text', fetched_at: 'number' },
  known_batch: { digest: 'text', kinds: 'text' },
} as const satisfies Readonly<Record<string, Columns>>;
