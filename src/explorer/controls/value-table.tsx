import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from './format.js';

/** Renders a paginated table of values. A table wider than the screen can be scrolled, also with the keyboard. */
export function ValueTable<Row>(props: {
  caption?: ComponentChildren;
  heads: readonly string[];
  rows: readonly Row[];
  rowOf: (row: Row) => readonly [head: string, ...cells: ComponentChildren[]];
  /** If this value changes, the table returns to the first page. */
  order?: unknown;
  rowsPerPage?: number;
  /** Whether the columns are vintages. If so, the table is initially scrolled to the last columns. */
  isOfVintages?: boolean;
}) {
  const { caption, heads, rows, rowOf, order = null, rowsPerPage = 25, isOfVintages = false } = props;
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isOfVintages) box.current?.scrollTo({ left: box.current.scrollWidth });
  }, [order, isOfVintages]);
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [order]);
  const last = Math.max(0, Math.ceil(rows.length / rowsPerPage) - 1);
  const page = Math.min(at, last);
  const from = page * rowsPerPage;
  const shown = rows.slice(from, from + rowsPerPage);
  const button = (text: string, to: number) => (
    <button type="button" disabled={to === page || to < 0 || to > last} onClick={() => setAt(to)}>
      {text}
    </button>
  );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the focused table can be scrolled with the keyboard */}
      <section class="table-box" aria-label="Table" tabIndex={0} ref={box}>
        <table class={isOfVintages ? 'values triangle' : 'values'}>
          {caption !== undefined && <caption>{caption}</caption>}
          <thead>
            <tr>
              {heads.map((head, at) => (
                <th key={at} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(rowOf).map(([head, ...cells], i) => (
              <tr key={from + i}>
                <th scope="row">{head}</th>
                {cells.map((cell, column) => (
                  <td key={column} class="number">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {last > 0 && (
        <nav class="pager" aria-label="Pages of the table">
          {button('First', 0)}
          {button('Previous', page - 1)}
          <span>
            {formatNumber(from + 1)}–{formatNumber(from + shown.length)} of {formatNumber(rows.length)}
          </span>
          {button('Next', page + 1)}
          {button('Last', last)}
        </nav>
      )}
    </>
  );
}
