import { effect } from '@preact/signals';
import { render } from 'preact';
import { App, EmbeddedFigure } from './app.js';
import { askFacetsEarly } from './find/facets.js';
import { proposeFirstView } from './find/stories.js';
import { namesOf } from './state/names.js';
import { followLink, isEmbedded, page } from './state/page.js';
import { preload } from './state/points.js';

const place = document.getElementById('page')!;
followLink();
if (isEmbedded) render(<EmbeddedFigure />, place);
else {
  askFacetsEarly();
  effect(() => {
    const [first] = page.value.series;
    document.title = [...(first ? namesOf(first).slice(0, 3) : []), 'cropframe'].join(' · ');
  });
  render(<App />, place);
  void proposeFirstView();
}
preload();
