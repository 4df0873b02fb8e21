import { namesOf, unitOf } from '../../charts/frame-texts.js';
import { readSeries } from '../../frame/series/series-points.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { readProvenance } from '../../frame/table/provenance.js';
import type { SeriesView } from '../../frame/table/series-view.js';
import { fewestNames } from './labels.js';

/** A series of a frame in one unit, by ascending period. */
export interface Line extends Pick<SeriesView, 'key' | 'names'> {
  /** First day of each period, UTC milliseconds. */
  readonly start: Float64Array;
  /** Last day of each period, included. */
  readonly end: Float64Array;
  /** NaN where there is no value. */
  readonly value: Float64Array;
  /** Abbreviation of the unit; empty without one. */
  readonly unit: string;
}

/** The series of a long frame with names, in the order in which they first appear. A series in two units is two lines. */
export function readLines(table: LongFrame): Line[] {
  const provenance = readProvenance(table);
  return readSeries(table).map(({ view, start, end, value }) => ({
    key: view.key,
    names: view.names,
    start,
    end,
    value,
    unit: view.unit_id === null ? '' : unitOf(view, provenance),
  }));
}

/** The points of a line that have a value. */
export function withValues(line: Line): Line {
  const hasValue = (_: number, row: number) => !Number.isNaN(line.value[row]);
  const { start, end, value } = line;
  return { ...line, start: start.filter(hasValue), end: end.filter(hasValue), value: value.filter(hasValue) };
}

/** What tells each line from the others, in few words; a series in several units is told by them too. */
export function labelsOf(lines: readonly Line[]): readonly string[] {
  const labels = fewestNames(lines.map(namesOf));
  const isRepeated = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
  return labels.map((label, at) => (isRepeated(label) ? `${label} (${lines[at]!.unit || at + 1})` : label));
}
