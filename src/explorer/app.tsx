import { Nav } from './find/nav.js';
import { Header } from './header.js';
import { LoginDialog } from './login/login-dialog.js';
import { MainView } from './main-view.js';
import { announcement } from './parts/live.js';
import { Shortcuts } from './shortcuts.js';
import { currentAddress, page } from './state/page.js';
import { TakeBar } from './take/take-bar.js';

/** The page. */
export function App() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the figure
      </a>
      <a class="skip" href="#search">
        Skip to the search
      </a>
      <Header />
      <div class="columns">
        <Nav />
        <MainView />
      </div>
      <TakeBar />
      <PrintedAddress />
      <LoginDialog />
      <Shortcuts />
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}

/** Where the page can be had again, on paper. */
function PrintedAddress() {
  page.value;
  return <p class="printed-address">{currentAddress()}</p>;
}
