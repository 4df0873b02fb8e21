import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** Rows beyond the visible ones, above and below, so that scrolling shows no gaps. */
const OVERSCAN = 6;

/** A list of rows of one height, of which only those in sight are in the document. */
export function VirtualList<Row>({
  rows,
  rowRems,
  visibleRows,
  label,
  children,
}: {
  rows: readonly Row[];
  /** The height of a row in units of the text's size, so that larger text has larger rows. */
  rowRems: number;
  visibleRows: number;
  label: string;
  children: (row: Row, at: number) => ComponentChildren;
}) {
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = rowRems * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const from = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const to = Math.min(rows.length, from + visibleRows + 2 * OVERSCAN);
  const height = Math.min(rows.length, visibleRows) * rowHeight;
  return (
    <div
      ref={box}
      class="virtual-list"
      style={{ height: `${height}px` }}
      onScroll={() => setTop(box.current?.scrollTop ?? 0)}
    >
      <ul class="virtual-rows" aria-label={label} style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(from, to).map((row, i) => (
          <li
            key={from + i}
            class="virtual-row"
            aria-setsize={rows.length}
            aria-posinset={from + i + 1}
            style={{ top: `${(from + i) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {children(row, from + i)}
          </li>
        ))}
      </ul>
    </div>
  );
}
