import { aggregationNames } from '../../model/chart-choices.js';
import { countText } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { Awaited, NothingKnown } from '../controls/waiting.js';
import { page } from '../state/page.js';
import { shown } from '../state/points.js';
import { seriesTable } from './series-table.js';

export function TableView() {
  return (
    <Awaited resource={shown} failure="The table cannot be shown." loading="Loading the points">
      {({ lines, rows }) => {
        if (lines.length === 0) return <NothingKnown />;
        const table = seriesTable(rows);
        const { every } = page.value;
        const hows = aggregationNames(lines);
        const dash =
          hows === ''
            ? 'A dash means that the source left the value out'
            : `Each value is the ${hows} for a ${every}, and a dash means that the values for that ${every} are incomplete`;
        const counts = `${countText(table.rows.length, 'period')}, ${countText(lines.length, 'series', 'series')}`;
        return (
          <ValueTable
            {...table}
            caption={`${counts}. ${dash}; an empty cell means that there is no point.`}
          />
        );
      }}
    </Awaited>
  );
}
