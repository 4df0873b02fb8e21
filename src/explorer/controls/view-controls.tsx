import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

/** Renders a view's controls: the most used ones in a row, and the others in a drawer that opens over the figure. */
export function ViewControls(props: {
  children?: ComponentChildren;
  /** The controls in the drawer. If omitted, there is no drawer. */
  more?: ComponentChildren;
}) {
  const { children, more } = props;
  const drawer = useRef<HTMLDetailsElement>(null);
  return (
    <div class="view-controls">
      <div class="control-row">{children}</div>
      {more !== undefined && (
        <details
          ref={drawer}
          class="drawer"
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || drawer.current === null) return;
            drawer.current.open = false;
            drawer.current.querySelector('summary')?.focus();
          }}
        >
          <summary>More options</summary>
          <div class="drawer-body">{more}</div>
        </details>
      )}
    </div>
  );
}
