import type { Table } from 'apache-arrow';
import { ArgumentError } from '../../model/errors.js';
import type { WideFrame } from '../table/frame-types.js';
import { derivedMetadata } from '../table/provenance.js';
import { buildWideOnDates } from './build-frame.js';
import { readSeries } from './series-points.js';

/** Which dates two aligned frames keep: those of both, of either, or of the first. */
export type AlignJoin = 'inner' | 'outer' | 'left';

/**
 * Two frames, long or wide, as two wide frames on the same end dates, row by row: what one of them lacks on a date is
 * null. `inner` (default) keeps the dates that both have, `outer` all, `left` those of the first.
 * @throws ArgumentError when a table is no frame of series, or `join` is none of these
 */
export function align(
  left: Table,
  right: Table,
  options: {
    /** The dates that both frames keep; default `'inner'`. */
    join?: AlignJoin | undefined;
  } = {},
): [WideFrame, WideFrame] {
  const { join = 'inner' } = options;
  const ofLeft = readSeries(left);
  const ofRight = readSeries(right);
  const leftDates = new Set(ofLeft.flatMap(({ end }) => [...end]));
  const rightDates = new Set(ofRight.flatMap(({ end }) => [...end]));
  const dates = joinDates(leftDates, rightDates, join).sort();
  const step = `align(${JSON.stringify({ join })})`;
  return [
    buildWideOnDates(ofLeft, dates, derivedMetadata(left, step)),
    buildWideOnDates(ofRight, dates, derivedMetadata(right, step)),
  ];
}

function joinDates(left: ReadonlySet<number>, right: ReadonlySet<number>, join: AlignJoin): Float64Array {
  switch (join) {
    case 'inner':
      return Float64Array.from([...left].filter((date) => right.has(date)));
    case 'outer':
      return Float64Array.from(new Set([...left, ...right]));
    case 'left':
      return Float64Array.from(left);
    default:
      throw new ArgumentError('join', `join: "${String(join)}" is none of inner, outer, left`);
  }
}
