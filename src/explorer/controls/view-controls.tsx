import { type ComponentChildren, toChildArray } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isNarrow, isWide } from './media.js';

/**
 * Renders a view's controls: the most used ones in a row, and the others in a drawer that opens above the figure, until
 * the user clicks elsewhere. The row has the first control on phones, the first two on
 * tablets, and all on wider screens.
 */
export function ViewControls(props: {
  children: ComponentChildren;
  /** The controls that are in the drawer on all screens. */
  more?: ComponentChildren;
}) {
  const controls = toChildArray(props.children);
  const inRow = isWide.value ? controls.length : isNarrow.value ? 1 : 2;
  const drawer = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (drawer.current?.contains(target as Node) === false) drawer.current.open = false;
    };
    addEventListener('click', close);
    return () => removeEventListener('click', close);
  }, []);
  const inDrawer = [...controls.slice(inRow), ...toChildArray(props.more)];
  return (
    <div class="view-controls">
      <div class="control-row">{controls.slice(0, inRow)}</div>
      {inDrawer.length > 0 && (
        <details
          class="drawer"
          ref={drawer}
          onKeyDown={({ key, currentTarget: drawer }) => {
            if (key !== 'Escape') return;
            drawer.open = false;
            drawer.querySelector('summary')?.focus();
          }}
        >
          <summary>{isNarrow.value ? 'Options' : 'More options'}</summary>
          <div class="drawer-body">{inDrawer}</div>
        </details>
      )}
    </div>
  );
}
