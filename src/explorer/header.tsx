import { isOffline, isWide } from './controls/media.js';
import { OFFLINE } from './controls/waiting.js';
import { AsOfField } from './find/nav.js';
import { SearchBox } from './find/search-box.js';
import { keysShown } from './shortcuts.js';
import { unknownNames } from './state/names.js';
import { linkProblems } from './state/page.js';
import { type ThemeChoice, themeChoice } from './state/preferences.js';
import { leave, login, token } from './state/service.js';

/**
 * Renders the name, theme and login. On wide screens, also renders the search and the as-of date; on narrow screens,
 * the “Find” button opens these.
 */
export function Header() {
  return (
    <header class="header">
      <h1 class="brand">
        <a href="./">cropframe</a>
      </h1>
      {isWide.value && (
        <>
          <search class="search">
            <SearchBox />
          </search>
          <AsOfField />
        </>
      )}
      <Settings />
      <LinkProblems />
      {isOffline.value && (
        <p class="notice" role="status">
          {OFFLINE}
        </p>
      )}
    </header>
  );
}

function Settings() {
  return (
    <div class="settings">
      <label>
        <span class={isWide.value ? '' : 'visually-hidden'}>Theme</span>
        <select
          value={themeChoice.value}
          onChange={(event) => (themeChoice.value = event.currentTarget.value as ThemeChoice)}
        >
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
      <button type="button" class="quiet" onClick={() => (keysShown.value = true)}>
        Keys
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          if (token.value !== null) leave();
          else login.value = { reason: 'Log in to see the data that your account gives access to.' };
        }}
      >
        {token.value === null ? 'Log in' : 'Log out'}
      </button>
    </div>
  );
}

/** Lists the parts of the link that could not be read. */
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
