import { isOffline, isWide } from './controls/media.js';
import { OFFLINE } from './controls/waiting.js';
import { SearchFields } from './find/nav.js';
import { login, token } from './state/service.js';

/** Renders the name and the login. On narrow screens, the “Find” button opens the search and the as-of date. */
export function Header() {
  return (
    <header class="header">
      <h1 class="brand">
        <a href="./">cropframe</a>
      </h1>
      {isWide.value && <SearchFields />}
      <button
        type="button"
        class="quiet login-button"
        onClick={() => {
          if (token.value !== null) token.value = null;
          else login.value = 'Log in to see the data that your account gives access to.';
        }}
      >
        {token.value === null ? 'Log in' : 'Log out'}
      </button>
      {isOffline.value && (
        <p class="notice" role="status">
          {OFFLINE}
        </p>
      )}
    </header>
  );
}
