import { aggregationNames } from '../../model/chart-choices.js';
import { countText, formatFigure, formatPeriod } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { Awaited } from '../controls/waiting.js';
import { page } from '../state/page.js';
import { shown } from '../state/points.js';
import { periodsOf } from './periods.js';

/** Renders the values of all series, latest period first. */
export function TableView() {
  return (
    <Awaited resource={shown} failure="The table cannot be shown." loading="Loading the points">
      {({ lines }) => {
        const rows = periodsOf(lines).reverse();
        const { every } = page.value;
        const hows = aggregationNames(lines);
        const dash =
          hows === ''
            ? 'A dash means that the source left the value out'
            : `Each value is the ${hows} for a ${every}, and a dash means that the values for that ${every} are incomplete`;
        return (
          <ValueTable
            caption={`${countText(rows.length, 'period')}, ${countText(lines.length, 'series', 'series')}. ${dash}; an empty cell means that there is no point.`}
            heads={['Period', ...lines.map(({ label, unit }) => [label, unit].filter(Boolean).join(', '))]}
            rows={rows}
            order={lines}
            rowOf={({ start, end, rows }) => [
              formatPeriod(start, end),
              ...lines.map(({ value }, i) => (rows[i]! < 0 ? '' : formatFigure(value[rows[i]!]!, value))),
            ]}
          />
        );
      }}
    </Awaited>
  );
}
