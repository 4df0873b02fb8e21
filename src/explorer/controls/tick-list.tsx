import { useState } from 'preact/hooks';
import { formatNumber } from './format.js';

/** The number of rows rendered above and below the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 6;

/** Renders a list of checkboxes of equal height. Only the visible rows and a few more are rendered. */
export function TickList<Row>(props: {
  rows: readonly Row[];
  /** The row height in rem, so that rows grow with the text size. */
  rowRems?: number;
  visibleRows: number;
  label: string;
  tickOf: (row: Row) => { name: string; count?: number | undefined; isTicked: boolean; toggle: () => void };
}) {
  const { rows, rowRems = 1.875, visibleRows, label, tickOf } = props;
  const [top, setTop] = useState(0);
  const rowHeight = rowRems * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const from = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const to = Math.min(rows.length, from + visibleRows + 2 * OVERSCAN);
  const height = Math.min(rows.length, visibleRows) * rowHeight;
  return (
    <div
      class="virtual-list"
      style={{ height: `${height}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul class="virtual-rows" aria-label={label} style={{ height: `${rows.length * rowHeight}px` }}>
        {rows
          .slice(from, to)
          .map(tickOf)
          .map(({ name, count, isTicked, toggle }, i) => (
            <li
              key={from + i}
              class="virtual-row"
              aria-setsize={rows.length}
              aria-posinset={from + i + 1}
              style={{ top: `${(from + i) * rowHeight}px`, height: `${rowHeight}px` }}
            >
              <label class="facet-value">
                <input type="checkbox" checked={isTicked} onChange={toggle} />
                <span class="facet-name" title={name}>
                  {name}
                </span>
                {count !== undefined && <span class="count">{formatNumber(count)}</span>}
              </label>
            </li>
          ))}
      </ul>
    </div>
  );
}
