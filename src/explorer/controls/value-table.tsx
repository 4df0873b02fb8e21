import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { aggregationNames } from '../../model/chart-choices.js';
import { page } from '../state/page.js';
import { shown } from '../state/points.js';
import { type Cell, type Column, isPeriod, seriesTable, type ViewTable } from '../table/series-table.js';
import { countText, WRITE } from './format.js';
import { NothingKnown } from './view-controls.js';
import { Awaited } from './waiting.js';

const MAX_ROWS = 200;

/**
 * Renders a table with the latest period first. A table wider than the screen can also be scrolled with the keyboard.
 * @param isOfVintages whether the columns are reports, latest first; changes from an earlier report are then marked
 */
export function ValueTable(
  props: ViewTable & { caption?: ComponentChildren; isOfVintages?: boolean | undefined },
) {
  const { caption, columns, rows, isOfVintages = false } = props;
  const [isWhole, setWhole] = useState(false);
  const ordered = isPeriod(rows[0]?.[0]) ? [...rows].reverse() : rows;
  const shown = isWhole ? ordered : ordered.slice(0, MAX_ROWS);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the focused table can be scrolled with the keyboard */}
      <section class="table-box" aria-label="Table" tabIndex={0}>
        <table class={isOfVintages ? 'values triangle' : 'values'}>
          {caption !== undefined && <caption>{caption}</caption>}
          <thead>
            <tr>
              {columns.map(({ name, unit }, at) => (
                <th key={at} scope="col">
                  {[name, unit].filter(Boolean).join(', ')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([head, ...cells], i) => (
              <tr key={i}>
                <th scope="row">{cellText(head, columns[0]!)}</th>
                {cells.map((cell, at) => {
                  const before = cells.slice(at + 1).find((one) => one !== undefined);
                  const text = cellText(cell, columns[at + 1]!);
                  const isStated = isOfVintages && cell !== undefined && before !== undefined;
                  const isMarked = isStated && !Object.is(cell, before);
                  return (
                    <td key={at} class="number">
                      {isMarked ? <mark>{text}</mark> : text}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < rows.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {countText(rows.length, 'row')}
        </button>
      )}
    </>
  );
}

function cellText(cell: Cell, { figures = [] }: Column): string {
  if (isPeriod(cell)) return WRITE.period(cell.start, cell.end);
  return typeof cell === 'number' || cell === null ? WRITE.quantity(cell, '', figures) : (cell ?? '');
}

/** Renders a table below a figure, collapsed by default. It is open if the figure cannot be drawn. */
export function TableBelow({ isOpen = false, ...table }: ViewTable & { isOpen?: boolean }) {
  return (
    <details class="known" open={isOpen}>
      <summary>The values as a table ({countText(table.rows.length, 'region')})</summary>
      <ValueTable {...table} />
    </details>
  );
}

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
