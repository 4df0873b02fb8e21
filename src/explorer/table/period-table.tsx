import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { aggregationNames } from '../../model/chart-choices.js';
import { countText, formatFigure, formatPeriod } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { Awaited } from '../controls/waiting.js';
import { page } from '../state/page.js';
import { type Shown, shown } from '../state/points.js';
import { type Order, periodsOf, sortPeriods } from './periods.js';

export function TableView() {
  return (
    <Awaited resource={shown} failure="The table cannot be shown." loading="Loading the points">
      {({ lines }) => <PeriodTable lines={lines} />}
    </Awaited>
  );
}

function PeriodTable({ lines }: Pick<Shown, 'lines'>) {
  const order = useSignal<Order>({ by: 'period', isDescending: true });
  const { by: current, isDescending } = order.value;
  const sorted = useMemo(() => sortPeriods(periodsOf(lines), lines, order.value), [lines, order.value]);
  const { every } = page.value;
  const hows = aggregationNames(lines);
  const dash =
    hows === ''
      ? 'A dash means that the source left the value out'
      : `Each value is the ${hows} for a ${every}, and a dash means that the values for that ${every} are incomplete`;
  const header = (text: string, by: Order['by']) => {
    const direction = current !== by ? 'none' : isDescending ? 'descending' : 'ascending';
    return (
      <th key={text} scope="col" aria-sort={direction}>
        <button
          type="button"
          class="sort"
          onClick={() => (order.value = { by, isDescending: direction !== 'descending' })}
        >
          {text}
          <span aria-hidden="true">{{ none: '', descending: ' ↓', ascending: ' ↑' }[direction]}</span>
        </button>
      </th>
    );
  };
  return (
    <ValueTable
      caption={`${countText(sorted.length, 'period')}, ${countText(lines.length, 'series', 'series')}. ${dash}; an empty cell means that there is no point.`}
      heads={[
        header('Period', 'period'),
        ...lines.map(({ label, unit }, i) => header([label, unit].filter(Boolean).join(', '), i)),
      ]}
      rows={sorted}
      order={sorted}
      rowOf={({ start, end, rows }) => [
        formatPeriod(start, end),
        ...lines.map(({ value }, i) => (rows[i]! < 0 ? '' : formatFigure(value[rows[i]!]!, value))),
      ]}
    />
  );
}
