import { useComputed, useSignal } from '@preact/signals';
import { labelsOf } from '../../charts/frame-lines.js';
import { formatNumber, formatPeriod, plural } from '../controls/format.js';
import { TableBox, usePages } from '../controls/table-box.js';
import { shown } from '../state/points.js';
import { type Order, type PeriodRow, periodsOf, sortPeriods } from './periods.js';

/** The shown values, a row for each period and a column for each series. */
export function PeriodTable() {
  const order = useSignal<Order>({ by: 'period', isDescending: true });
  const lines = useComputed(() => shown.value.value?.lines ?? []);
  const periods = useComputed(() => periodsOf(lines.value));
  const sorted = useComputed(() => sortPeriods(periods.value, lines.value, order.value));
  const labels = labelsOf(lines.value);
  const { shown: rows, pager } = usePages(sorted.value, sorted.value);
  const sortBy = (by: Order['by']) => {
    const isSame = order.value.by === by;
    order.value = { by, isDescending: isSame ? !order.value.isDescending : true };
  };
  return (
    <>
      <TableBox>
        <table class="values">
          <caption>
            {plural(periods.value.length, 'period')}, {plural(lines.value.length, 'series', 'series')}. A dash
            is a value that the source left out; an empty cell has no point.
          </caption>
          <thead>
            <tr>
              <SortHeader text="Period" by="period" order={order.value} onSort={sortBy} />
              {lines.value.map(({ unit }, i) => (
                <SortHeader
                  key={labels[i]}
                  text={unit === '' ? labels[i]! : `${labels[i]}, ${unit}`}
                  by={i}
                  order={order.value}
                  onSort={sortBy}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={`${row.start} ${row.end}`} row={row} />
            ))}
          </tbody>
        </table>
      </TableBox>
      {pager}
    </>
  );
}

function Row({ row }: { row: PeriodRow }) {
  const lines = shown.value.value?.lines ?? [];
  return (
    <tr>
      <th scope="row">{formatPeriod(row.start, row.end)}</th>
      {lines.map(({ value }, i) => {
        const at = row.rows[i] ?? -1;
        return (
          <td key={i} class="number">
            {at < 0 ? '' : formatNumber(value[at]!)}
          </td>
        );
      })}
    </tr>
  );
}

function SortHeader({
  text,
  by,
  order,
  onSort,
}: {
  text: string;
  by: Order['by'];
  order: Order;
  onSort: (by: Order['by']) => void;
}) {
  const direction = order.by !== by ? 'none' : order.isDescending ? 'descending' : 'ascending';
  const arrow = { none: '', descending: ' ↓', ascending: ' ↑' }[direction];
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" class="sort" onClick={() => onSort(by)}>
        {text}
        <span aria-hidden="true">{arrow}</span>
      </button>
    </th>
  );
}
