import { useSignal } from '@preact/signals';
import { formatNumber } from './format.js';
import { moveFocus } from './tabs.js';

/** The maximum number of rows shown. Users narrow a longer list rather than scroll through it. */
const MAX_ROWS = 100;

/**
 * Renders a list of checkboxes, and the number of rows that are left out of a long list. The list is one Tab stop, and
 * the up and down arrow keys move within it.
 */
export function TickList<Row>(props: {
  rows: readonly Row[];
  /** The number of further rows, which are not in `rows`. */
  more?: number;
  label: string;
  tickOf: (row: Row) => { name: string; count?: number | undefined; isTicked: boolean; toggle: () => void };
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
          .map(({ name, count, isTicked, toggle }, at) => (
            <li key={at}>
              <label class="facet-value">
                <input
                  type="checkbox"
                  checked={isTicked}
                  tabIndex={at === stop ? 0 : -1}
                  onFocus={() => (current.value = at)}
                  onChange={toggle}
                />
                <span class="facet-name" title={name}>
                  {name}
                </span>
                {count !== undefined && <span class="count">{formatNumber(count)}</span>}
              </label>
            </li>
          ))}
      </ul>
      {unlisted > 0 && (
        <p class="quiet-text">{formatNumber(unlisted)} more are not listed; search for them.</p>
      )}
    </>
  );
}
