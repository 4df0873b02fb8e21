import { useComputed, useSignal } from '@preact/signals';
import { aggregationNames } from '../../model/chart-choices.js';
import { countText, formatNumber, formatPeriod } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { Awaited } from '../controls/waiting.js';
import { page } from '../state/page.js';
import { shown } from '../state/points.js';
import { type Order, periodsOf, sortPeriods } from './periods.js';

export function TableView() {
  return (
    <Awaited resource={shown} failure="The table cannot be shown." loading="Loading the points">
      {() => <PeriodTable />}
    </Awaited>
  );
}

function PeriodTable() {
  const order = useSignal<Order>({ by: 'period', isDescending: true });
  const lines = useComputed(() => shown.loaded.value.value?.lines ?? []);
  const periods = useComputed(() => periodsOf(lines.value));
  const sorted = useComputed(() => sortPeriods(periods.value, lines.value, order.value));
  const { every } = page.value;
  const hows = aggregationNames(lines.value);
  const dash =
    hows === ''
      ? 'A dash means that the source left the value out'
      : `Each value is the ${hows} for a ${every}, and a dash means that the values for that ${every} are incomplete`;
  const labels = lines.value.map(({ label }) => label);
  const header = (text: string, by: Order['by']) => {
    const { by: current, isDescending } = order.value;
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
      caption={`${countText(periods.value.length, 'period')}, ${countText(lines.value.length, 'series', 'series')}. ${dash}; an empty cell means that there is no point.`}
      heads={[
        header('Period', 'period'),
        ...lines.value.map(({ unit }, i) => header([labels[i], unit].filter(Boolean).join(', '), i)),
      ]}
      rows={sorted.value}
      order={sorted.value}
      rowOf={({ start, end, rows }) => [
        formatPeriod(start, end),
        ...lines.value.map(({ value }, i) => (rows[i]! < 0 ? '' : formatNumber(value[rows[i]!]!))),
      ]}
    />
  );
}
