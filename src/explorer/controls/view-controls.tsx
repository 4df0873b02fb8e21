import { type ComponentChildren, toChildArray } from 'preact';
import { isWide } from './media.js';

/** Renders a view's controls in a row. On narrow screens, only the first is in the row; the others are in a drawer. */
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
