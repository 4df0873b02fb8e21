import { effect } from '@preact/signals';
import { render } from 'preact';
import { App, EmbeddedFigure } from './app.js';
import { askFacetsEarly } from './find/facets.js';
import { proposeFirstView } from './find/stories.js';
import { titleOf } from './state/names.js';
import { followLink, isEmbedded, page } from './state/page.js';
import { preload } from './state/points.js';

const place = document.getElementById('page')!;
followLink();
if (isEmbedded) render(<EmbeddedFigure />, place);
else {
  askFacetsEarly();
  effect(() => {
    document.title = page.value.series.length === 0 ? 'cropframe' : `${titleOf(page.value)} · cropframe`;
  });
  render(<App />, place);
  void proposeFirstView();
}
preload();
