import type { Table } from 'apache-arrow';
import { distinctDates } from '../../columns/series-dates.js';
import { checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { oneOf } from '../../model/schema/schemas.js';
import { buildWideOnDates } from '../series/build-frame.js';
import { readSeries, refusePlainColumns } from '../series/series-points.js';
import { checkTable } from '../table/check-table.js';
import { derivedMetadata, stepText } from '../table/provenance.js';
import { type JoinOptions, joinByDates } from './join-dates.js';
import { joinByKeys, type KeyJoinOptions } from './join-keys.js';

export function join(left: Table, right: Table, options: JoinOptions | KeyJoinOptions = {}): Table {
  checkTable(right, 'other');
  return typeof options?.on === 'object'
    ? joinByKeys(left, right, options as KeyJoinOptions)
    : joinByDates(left, right, options as JoinOptions);
}

const ALIGN = {
  /** Which dates to keep: those in both frames (`inner`, default), in either (`outer`), or in this frame (`left`). */
  join: oneOf(['inner', 'outer', 'left']),
};

/** Options for aligning two frames of series. */
export interface AlignOptions extends OptionsOf<typeof ALIGN> {}

export function align(left: Table, right: Table, options: AlignOptions = {}): [Table, Table] {
  checkOptions(options, ALIGN, 'align');
  const { join = 'inner' } = options;
  refusePlainColumns(left, 'align');
  refusePlainColumns(right, 'align');
  const leftSeries = readSeries(left);
  const rightSeries = readSeries(right);
  const [inLeft, inRight] = [leftSeries, rightSeries].map((series) => series.flatMap(({ end }) => [...end]));
  const all = distinctDates(join === 'outer' ? [...inLeft!, ...inRight!] : inLeft!);
  const held = new Set(inRight);
  const dates = join === 'inner' ? all.filter((date) => held.has(date)) : all;
  const step = stepText('align', { join });
  return [
    buildWideOnDates(leftSeries, dates, derivedMetadata(left, step)),
    buildWideOnDates(rightSeries, dates, derivedMetadata(right, step)),
  ];
}
