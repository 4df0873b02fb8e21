import { render } from 'preact';
import { App } from './app.js';
import { proposeFirstView } from './find/pick.js';
import { followNames } from './state/names.js';
import { followLink } from './state/page.js';
import { preload } from './state/points.js';
import { followTheme } from './state/preferences.js';
import { rememberShown } from './state/recent.js';

const place = document.getElementById('page');
if (place === null) throw new Error('index.html has no element with the id "page"');
preload();
followTheme();
followLink();
followNames();
rememberShown();
render(<App />, place);
void proposeFirstView();
