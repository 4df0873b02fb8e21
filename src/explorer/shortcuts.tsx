import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Dialog } from './controls/dialog.js';
import { SEARCH_ID } from './find/search-box.js';
import { hasShortcuts } from './state/preferences.js';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'search'],
  ['?', 'this list'],
  ['↑ ↓ Enter Esc', 'in the search results: move, choose, close; Alt+Enter adds to the selection'],
  ['← →', 'in the figure: previous period, next period'],
  ['PgUp PgDn', 'in the figure: previous year, next year'],
  ['Home End', 'in the figure: first period, last period'],
  ['↑ ↓', 'in the figure: another series'],
  ['+ −', 'in the figure: zoom in, zoom out'],
  ['Enter', 'in the figure: keep the values shown'],
  ['Space', 'on the map: play, stop'],
];

export const keysShown = signal(false);

/** Handles the keyboard shortcuts, and renders the list of them, in which single-key shortcuts can be switched off. */
export function Shortcuts() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!hasShortcuts.peek() || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest('input, select, textarea, dialog') !== null) return;
      if (event.key === '/') {
        event.preventDefault();
        document.getElementById(SEARCH_ID)?.focus();
      } else if (event.key === '?') keysShown.value = true;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (!keysShown.value) return null;
  return (
    <Dialog title="Keys" onClose={() => (keysShown.value = false)}>
      <label class="keys-switch">
        <input
          type="checkbox"
          checked={hasShortcuts.value}
          onChange={(event) => (hasShortcuts.value = event.currentTarget.checked)}
        />
        Use single keys as shortcuts
      </label>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys + what}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
