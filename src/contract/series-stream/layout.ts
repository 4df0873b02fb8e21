import type { BlockSeries } from '../series-blocks.js';

/**
 * What precedes the points of a stream by series: an Arrow IPC stream with one row a run of points of one series. What
 * does not change within a run is in its row once, the rest in lists. As in the stream with one row a point, the list of
 * series is JSON in the schema's metadata. `sealed-messages.ts` has the checksums, which other readers take for padding.
 */
export interface SeriesStreamHead {
  /** Every series of the request, including those without a point. */
  readonly series: readonly BlockSeries[];
  /** What tells the answer from others that list the same series; part of what the checksums cover. */
  readonly answer: string;
  readonly withAvailableDate: boolean;
  readonly withMetadata: boolean;
}

/** Key of the schema's metadata: the answer's identity. */
export const ANSWER_KEY = 'cropframe.answer';
/** Key of the last message's metadata: the number of points of the stream. */
export const POINTS_KEY = 'cropframe.points';

/** The type of a column, or of the elements of its lists. */
export type ElementType = 'uint32' | 'int32' | 'int64' | 'float64' | 'date32' | 'timestamp' | 'utf8';

/** A column of the stream. Lists have one element for each point of the run. */
export interface SeriesStreamColumn {
  readonly name: string;
  readonly type: ElementType;
  readonly list: boolean;
  readonly nullable: boolean;
  /** Whether an element of a list may be null. */
  readonly nullableElements: boolean;
}

/** The columns, in order. A reader relies on their order, names and types: others have another media type. */
export function seriesStreamColumns({
  withAvailableDate,
  withMetadata,
}: Pick<SeriesStreamHead, 'withAvailableDate' | 'withMetadata'>): SeriesStreamColumn[] {
  return [
    column('series', 'uint32', { nullable: false }),
    column('start_date', 'timestamp', { nullable: false }),
    ...dateColumns('start'),
    column('end_date', 'timestamp'),
    ...dateColumns('end'),
    column('unit_id', 'int32'),
    column('unit_ids', 'int32', { list: true, nullableElements: true }),
    column('reporting_date', 'timestamp'),
    column('reporting_dates', 'timestamp', { list: true, nullableElements: true }),
    ...(withAvailableDate
      ? [
          column('available_date', 'timestamp'),
          column('available_dates', 'timestamp', { list: true, nullableElements: true }),
        ]
      : []),
    ...(withMetadata ? [column('metadata', 'utf8', { list: true, nullableElements: true })] : []),
    column('value', 'float64', { list: true, nullable: false, nullableElements: true }),
  ];
}

function dateColumns(name: 'start' | 'end'): SeriesStreamColumn[] {
  return [
    column(`${name}_step_ms`, 'int64'),
    column(`${name}_days`, 'date32', { list: true }),
    column(`${name}_dates`, 'timestamp', { list: true }),
  ];
}

function column(
  name: string,
  type: ElementType,
  { list = false, nullable = true, nullableElements = false } = {},
): SeriesStreamColumn {
  return { name, type, list, nullable, nullableElements };
}
