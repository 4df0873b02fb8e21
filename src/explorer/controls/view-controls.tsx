import type { ComponentChildren } from 'preact';

/** Renders a view's controls: the most used ones in a row, and the others in a drawer that opens over the figure. */
export function ViewControls(props: {
  children?: ComponentChildren;
  /** The controls in the drawer. If omitted, there is no drawer. */
  more?: ComponentChildren;
}) {
  const { children, more } = props;
  return (
    <div class="view-controls">
      <div class="control-row">{children}</div>
      {more !== undefined && (
        <details
          class="drawer"
          onKeyDown={({ key, currentTarget: drawer }) => {
            if (key !== 'Escape') return;
            drawer.open = false;
            drawer.querySelector('summary')?.focus();
          }}
        >
          <summary>More options</summary>
          <div class="drawer-body">{more}</div>
        </details>
      )}
    </div>
  );
}
