import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatNumber } from './format.js';

/** A table that scrolls sideways where it is wider than the page, by keys too. */
export function TableBox({ children }: { children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is focused
    <section class="table-box" aria-label="Table" tabIndex={0}>
      {children}
    </section>
  );
}

const ROWS_PER_PAGE = 25;

/** The rows of a page of a table, and what moves through its pages: at the first one again when `order` changes. */
export function usePages<Row>(
  rows: readonly Row[],
  order: unknown = null,
): { shown: readonly Row[]; pager: ComponentChildren } {
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [order]);
  const last = Math.max(0, Math.ceil(rows.length / ROWS_PER_PAGE) - 1);
  const page = Math.min(at, last);
  const from = page * ROWS_PER_PAGE;
  const shown = rows.slice(from, from + ROWS_PER_PAGE);
  if (last === 0) return { shown, pager: null };
  const button = (text: string, to: number) => (
    <button type="button" disabled={to === page || to < 0 || to > last} onClick={() => setAt(to)}>
      {text}
    </button>
  );
  const pager = (
    <nav class="pager" aria-label="Pages of the table">
      {button('First', 0)}
      {button('Previous', page - 1)}
      <span>
        {formatNumber(from + 1)}–{formatNumber(from + shown.length)} of {formatNumber(rows.length)}
      </span>
      {button('Next', page + 1)}
      {button('Last', last)}
    </nav>
  );
  return { shown, pager };
}
