import type { ComponentChildren } from 'preact';
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

/** Moves through the pages of a table. */
export function Pager({
  total,
  perPage,
  at,
  onPage,
}: {
  total: number;
  perPage: number;
  at: number;
  onPage: (at: number) => void;
}) {
  const last = Math.max(0, Math.ceil(total / perPage) - 1);
  if (last === 0) return null;
  const button = (text: string, to: number) => (
    <button type="button" disabled={to === at || to < 0 || to > last} onClick={() => onPage(to)}>
      {text}
    </button>
  );
  return (
    <nav class="pager" aria-label="Pages of the table">
      {button('First', 0)}
      {button('Previous', at - 1)}
      <span>
        {formatNumber(at * perPage + 1)}–{formatNumber(Math.min(total, (at + 1) * perPage))} of{' '}
        {formatNumber(total)}
      </span>
      {button('Next', at + 1)}
      {button('Last', last)}
    </nav>
  );
}
