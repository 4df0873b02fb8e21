import { choose, page } from '../state/page.js';
import { type KeptView, recentViews, removeView, savedViews, saveView } from '../state/preferences.js';
import { titleOf } from '../state/recent.js';
import { parseState, printState } from '../state/url.js';

/** The selections that were saved, and the latest ones. They are kept in this browser alone. */
export function KeptViews() {
  const isShown = page.value.series.length > 0;
  return (
    <section class="kept" aria-label="Saved and recent selections">
      <header>
        <h2>Saved and recent</h2>
        <button
          type="button"
          class="quiet"
          disabled={!isShown}
          onClick={() => saveView({ title: titleOf(page.peek()), query: printState(page.peek()) })}
        >
          Save this one
        </button>
      </header>
      <ul>
        {savedViews.value.map((view) => (
          <li key={`saved ${view.title}`}>
            <OpenButton view={view} />
            <button type="button" aria-label={`Remove ${view.title}`} onClick={() => removeView(view)}>
              ×
            </button>
          </li>
        ))}
        {recentViews.value.map((view) => (
          <li key={`recent ${view.title}`} class="recent">
            <OpenButton view={view} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OpenButton({ view }: { view: KeptView }) {
  return (
    <button
      type="button"
      class="link"
      title={view.title}
      onClick={() => choose(parseState(view.query).state)}
    >
      {view.title}
    </button>
  );
}
