import { render } from 'preact';
import { App, EmbeddedFigure } from './app.js';
import { askFacetsEarly } from './find/facets.js';
import { proposeFirstView } from './find/stories.js';
import { followLink, isEmbedded } from './state/page.js';
import { preload } from './state/points.js';
import { followTitle } from './state/title.js';

const place = document.getElementById('page')!;
followLink();
if (isEmbedded) render(<EmbeddedFigure />, place);
else {
  askFacetsEarly();
  followTitle();
  render(<App />, place);
  void proposeFirstView();
}
preload();
