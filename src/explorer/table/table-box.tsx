import type { ComponentChildren } from 'preact';

/** A table that scrolls sideways where it is wider than the page, by keys too. */
export function TableBox({ children }: { children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is focused
    <section class="table-box" aria-label="Table" tabIndex={0}>
      {children}
    </section>
  );
}
