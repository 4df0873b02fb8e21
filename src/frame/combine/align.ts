import type { Table } from 'apache-arrow';
import { distinctDates } from '../../columns/series-dates.js';
import { checkOptions } from '../../model/schema/check.js';
import { oneOf } from '../../model/schema/schemas.js';
import { buildWideOnDates } from '../series/build-frame.js';
import { readSeries, refusePlainColumns } from '../series/series-points.js';
import { derivedMetadata } from '../table/provenance.js';

type AlignJoin = 'inner' | 'outer' | 'left';

export function align(
  left: Table,
  right: Table,
  options: { join?: AlignJoin | undefined } = {},
): [Table, Table] {
  checkOptions(options, { join: oneOf(['inner', 'outer', 'left']) }, 'align');
  const { join = 'inner' } = options;
  refusePlainColumns(left, 'align');
  refusePlainColumns(right, 'align');
  const leftSeries = readSeries(left);
  const rightSeries = readSeries(right);
  const [inLeft, inRight] = [leftSeries, rightSeries].map((series) => series.flatMap(({ end }) => [...end]));
  const all = distinctDates(join === 'outer' ? [...inLeft!, ...inRight!] : inLeft!);
  const held = new Set(inRight);
  const dates = join === 'inner' ? all.filter((date) => held.has(date)) : all;
  const step = `align(${JSON.stringify({ join })})`;
  return [
    buildWideOnDates(leftSeries, dates, derivedMetadata(left, step)),
    buildWideOnDates(rightSeries, dates, derivedMetadata(right, step)),
  ];
}
