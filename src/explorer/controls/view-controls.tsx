import { type ComponentChildren, toChildArray } from 'preact';
import { isWide } from './media.js';

/** Renders a view's controls: in a row all children or, on narrow screens, the first; the others in a drawer. */
export function ViewControls(props: {
  children: ComponentChildren;
  /** The controls that are always in the drawer, whatever the screen width. */
  more?: ComponentChildren;
}) {
  const controls = toChildArray(props.children);
  const inRow = isWide.value ? controls.length : 1;
  const inDrawer = [...controls.slice(inRow), ...toChildArray(props.more)];
  return (
    <div class="view-controls">
      <div class="control-row">{controls.slice(0, inRow)}</div>
      {inDrawer.length > 0 && (
        <details class="drawer">
          <summary>More</summary>
          <div class="drawer-body">{inDrawer}</div>
        </details>
      )}
    </div>
  );
}
