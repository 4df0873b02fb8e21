import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { formatDay, parseTime } from '../../model/time.js';
import { formatNumber, formatPeriod, formatShortDate, plural } from '../controls/format.js';
import { Pager, TableBox } from '../controls/table-box.js';
import { type TriangleRow, triangleOf, vintagesOf } from './vintages.js';

/** Columns that can be compared with one another. */
const MAX_VINTAGES = 12;
const ROWS_PER_PAGE = 25;

/** A row for each period, a column for each vintage; values that changed since the vintage before are marked. */
export function TriangleTable({ frame }: { frame: LongFrame }) {
  const page = useSignal(0);
  const days = useMemo(() => [...new Set(vintagesOf(frame).dates.map(formatDay))], [frame]);
  const { rows, unit, days: shown } = useMemo(() => triangleOf(frame, days.slice(-MAX_VINTAGES)), [frame]);
  if (days.length === 0) return null;
  const from = page.value * ROWS_PER_PAGE;
  return (
    <>
      <TableBox>
        <table class="values triangle">
          <caption>
            {plural(rows.length, 'period')} in{' '}
            {days.length > shown.length
              ? `the latest ${shown.length} of ${plural(days.length, 'vintage')}`
              : plural(days.length, 'vintage')}
            {unit !== '' && `, ${unit}`}. Marked values differ from the vintage before; an empty cell was not
            known yet.
          </caption>
          <thead>
            <tr>
              <th scope="col">Period</th>
              {shown.map((day) => (
                <th key={day} scope="col">
                  {formatShortDate(parseTime(day, 'day'))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(from, from + ROWS_PER_PAGE).map((row) => (
              <TriangleLine key={`${row.start} ${row.end}`} row={row} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager
        total={rows.length}
        perPage={ROWS_PER_PAGE}
        at={page.value}
        onPage={(next) => (page.value = next)}
      />
    </>
  );
}

function TriangleLine({ row }: { row: TriangleRow }) {
  return (
    <tr>
      <th scope="row">{formatPeriod(row.start, row.end)}</th>
      {row.values.map((value, at) => {
        const before = row.values[at - 1];
        const isChanged = value !== undefined && before !== undefined && !Object.is(value, before);
        return (
          <td key={at} class="number">
            {value === undefined ? '' : isChanged ? <mark>{formatNumber(value)}</mark> : formatNumber(value)}
          </td>
        );
      })}
    </tr>
  );
}
