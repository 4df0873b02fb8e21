import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { WRITE } from './format.js';

/** Moves the focus in a list if an arrow key, Home or End is pressed. Returns the index of the focused element. */
export function moveFocus(
  event: KeyboardEvent,
  [forth, back]: readonly [string, string],
): number | undefined {
  const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('button, input')];
  const at = all.indexOf(event.target as HTMLElement);
  const to = { [forth]: at + 1, [back]: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return undefined;
  event.preventDefault();
  const next = (to + all.length) % all.length;
  all[next]!.focus();
  return next;
}

/** The maximum number of rows shown. Users narrow a longer list rather than scroll through it. */
const MAX_ROWS = 100;

/** Renders checkboxes as one Tab stop with arrow-key navigation, and says how many rows of a long list are left out. */
export function TickList<Row>(props: {
  rows: readonly Row[];
  more?: number;
  label: string;
  tickOf: (row: Row) => {
    name: string;
    title?: string;
    colour?: string;
    count?: ComponentChildren;
    isTicked: boolean;
    toggle: () => void;
  };
}) {
  const { rows, more = 0, label, tickOf } = props;
  const current = useSignal(0);
  const stop = Math.min(current.value, rows.length - 1);
  const unlisted = more + Math.max(0, rows.length - MAX_ROWS);
  return (
    <>
      <ul
        class="tick-list"
        aria-label={label}
        onKeyDown={(event) => moveFocus(event, ['ArrowDown', 'ArrowUp'])}
      >
        {rows
          .slice(0, MAX_ROWS)
          .map(tickOf)
          .map(({ name, title = name, colour, count, isTicked, toggle }, at) => (
            <li key={at}>
              <label class="facet-value">
                <input
                  type="checkbox"
                  checked={isTicked}
                  tabIndex={at === stop ? 0 : -1}
                  onFocus={() => (current.value = at)}
                  onChange={toggle}
                />
                {colour !== undefined && (
                  <span class="swatch" style={{ background: colour }} aria-hidden="true" />
                )}
                <span class="facet-name" title={title}>
                  {name}
                </span>
                <span class="count">{count}</span>
              </label>
            </li>
          ))}
      </ul>
      {unlisted > 0 && (
        <p class="quiet-text">{WRITE.number(unlisted)} more are not listed; search for them.</p>
      )}
    </>
  );
}
