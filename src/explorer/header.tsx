import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Dialog } from './controls/dialog.js';
import { Select } from './controls/fields.js';
import { isOffline, isWide } from './controls/media.js';
import { OFFLINE } from './controls/waiting.js';
import { SearchFields } from './find/nav.js';
import { SEARCH_ID } from './find/search-box.js';
import { unknownNames } from './state/names.js';
import { linkProblems } from './state/page.js';
import { hasShortcuts, themeChoice } from './state/preferences.js';
import { login, token } from './state/service.js';

/** Renders the name, theme and login. On narrow screens, the “Find” button opens the search and the as-of date. */
export function Header() {
  return (
    <header class="header">
      <h1 class="brand">
        <a href="./">cropframe</a>
      </h1>
      {isWide.value && <SearchFields />}
      <Settings />
      <LinkProblems />
      {isOffline.value && (
        <p class="notice" role="status">
          {OFFLINE}
        </p>
      )}
      <Shortcuts />
    </header>
  );
}

function Settings() {
  return (
    <div class="settings">
      <Select
        label="Theme"
        value={themeChoice.value}
        options={{ system: 'System', light: 'Light', dark: 'Dark' }}
        onChange={(theme) => (themeChoice.value = theme)}
      />
      <button type="button" class="quiet" onClick={() => (keysShown.value = true)}>
        Keys
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          if (token.value !== null) token.value = null;
          else login.value = 'Log in to see the data that your account gives access to.';
        }}
      >
        {token.value === null ? 'Log in' : 'Log out'}
      </button>
    </div>
  );
}

function LinkProblems() {
  const unknown = unknownNames();
  const problems = [
    ...linkProblems.value,
    ...(unknown.length === 0 ? [] : [`Unknown to the service: ${unknown.join(', ')}.`]),
  ];
  if (problems.length === 0) return null;
  return (
    <div class="notice" role="status">
      <p>Part of the link was ignored. {problems.join(' ')}</p>
      {linkProblems.value.length > 0 && (
        <button type="button" class="quiet" onClick={() => (linkProblems.value = [])}>
          Close
        </button>
      )}
    </div>
  );
}

const KEYS = [
  ['/', 'search'],
  ['?', 'this list'],
  ['↑ ↓ Enter Esc', 'in the search results: move, choose, close; Alt+Enter adds to the selection'],
  ['← →', 'in the figure: previous period, next period'],
  ['PgUp PgDn', 'in the figure: previous year, next year'],
  ['Home End', 'in the figure: first period, last period'],
  ['↑ ↓', 'in the figure: another series'],
  ['+ −', 'in the figure: zoom in, zoom out'],
  ['← → ↑ ↓ Enter', 'on a map: another region, draw its series'],
] as const;

const keysShown = signal(false);

/** Handles the keyboard shortcuts, and renders the list of them, in which single-key shortcuts can be switched off. */
function Shortcuts() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!hasShortcuts.peek() || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest('input, select, textarea, dialog') !== null) return;
      if (event.key === '?') keysShown.value = true;
      if (event.key !== '/') return;
      event.preventDefault();
      document.getElementById(SEARCH_ID)?.focus();
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
