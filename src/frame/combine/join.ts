import type { Table } from 'apache-arrow';
import { checkFlag, checkText, fieldsOf, needed, oneOf } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { CALENDARS } from '../../model/calendar.js';
import { ArgumentError } from '../../model/errors.js';
import { buildTable } from '../table/build-table.js';
import { checkTable } from '../table/check-table.js';
import type { WideFrame } from '../table/frame-types.js';
import { mergedMetadata } from '../table/merge-provenance.js';
import { joinBy } from './join-by.js';
import { joinSides, renameTaken } from './join-sides.js';
import { type JoinOn, readSide } from './joined-side.js';

/** How two frames are joined. */
export interface JoinOptions {
  /**
   * Rows belong together that have the same end date (default), or whose end dates lie in the same calendar period; then
   * `end_date` is the last day of the period.
   */
  on?: JoinOn | undefined;
  /**
   * The column that tells the places apart in both, such as `region_name`, or its name in each. Rows are then joined that have the
   * same date and the same text there.
   */
  by?:
    | string
    | {
        /** Its name in the first frame. */
        left: string;
        /** Its name in the second frame. */
        right: string;
      }
    | undefined;
  /** The dates to keep: those of both frames (default), of either, or of the first. */
  how?: 'inner' | 'outer' | 'left' | undefined;
  /** Whether the value of a coarser series stands on each date within its period, not on its last alone (default false). */
  repeat_coarser?: boolean | undefined;
  /** Appended to the names of columns of the second frame that the first has as well. */
  suffix?: string | undefined;
  /** The column of dates of the first frame (default `end_date`). With `on: 'monthly'` or coarser it may hold months as texts (`2012-07`), with `on: 'annual'` years as numbers. */
  left_date?: string | undefined;
  /** The column of dates of the second frame (default `end_date`). With `on: 'monthly'` or coarser it may hold months as texts (`2012-07`), with `on: 'annual'` years as numbers. */
  right_date?: string | undefined;
}

const checkOn = oneOf(['end_date', ...CALENDARS]);
const checkBy = fieldsOf({ left: needed(checkText), right: needed(checkText) });

const JOIN_KEYS: OptionKeys<JoinOptions> = {
  on: (on, argument) => {
    if (!Array.isArray(on)) return checkOn(on, argument);
    throw new ArgumentError(
      argument,
      `on: it is a list; give the period alone, and another column as by: "region_name"`,
    );
  },
  by: (by, argument) => (typeof by === 'string' ? checkText : checkBy)(by, argument),
  how: oneOf(['inner', 'outer', 'left']),
  repeat_coarser: checkFlag,
  suffix: checkText,
  left_date: checkText,
  right_date: checkText,
};

/**
 * Two frames, long or wide, or tables with a column of dates, side by side in one wide frame: `end_date`, ascending, then
 * the columns of the first and of the second. A value that a frame lacks on a date is null; nothing is aggregated. Units,
 * sources and reports of both are kept. With `by`, a row for each place and date, with that column after `end_date`: the series
 * of a long frame that differ by place alone are one column, and the table is no frame of series any more.
 * @throws ArgumentError when a series is finer than the periods of `on`, a column has two values for one of them, or both
 * frames have a column of the same name and no `suffix` is given
 */
export function join(left: Table, right: Table, options: JoinOptions = {}): WideFrame {
  checkTable(left, 'left');
  checkTable(right, 'right');
  checkOptions(options, JOIN_KEYS, 'join');
  const { on = 'end_date', how = 'inner', repeat_coarser = false } = options;
  const { left_date = 'end_date', right_date = 'end_date' } = options;
  const metadata = mergedMetadata([left, right], `join(${JSON.stringify(options)})`);
  if (options.by !== undefined) {
    const by = typeof options.by === 'string' ? { left: options.by, right: options.by } : options.by;
    const sides = {
      left: { table: left, date: left_date, by: by.left },
      right: { table: right, date: right_date, by: by.right },
    };
    return buildTable(joinBy(sides, { on, how, repeat_coarser, suffix: options.suffix }), metadata);
  }
  const first = readSide(left, { side: 'left', on, date: left_date });
  const second = renameTaken(
    readSide(right, { side: 'right', on, date: right_date }),
    new Set(['end_date', ...first.columns.map(({ name }) => name)]),
    options.suffix,
  );
  return buildTable(joinSides(first, second, { how, repeat_coarser }), metadata);
}
