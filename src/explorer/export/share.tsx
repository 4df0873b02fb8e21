import { CopyText } from '../controls/copy-text.js';
import { currentAddress, page } from '../state/page.js';
import { host } from '../state/service.js';
import { printState } from '../state/url.js';
import { EMPTY_STATE, requestOf, type ViewState } from '../state/view-state.js';

/** Renders a link to the view, and HTML that embeds the figure in another page. */
export function Share() {
  const state = page.peek();
  const query = printState({ ...state, query: '', filters: EMPTY_STATE.filters });
  const drawn = drawnOf(state);
  const escaped = query.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return (
    <div class="share">
      <h3>Link</h3>
      <CopyText label="Link" text={currentAddress()} />
      <h3>Figure for another page</h3>
      <CopyText
        label="Frame"
        text={`<iframe src="${host}/embed#${escaped}" width="100%" height="560" style="border: 0" title="A cropframe figure"></iframe>`}
      />
      <p class="quiet-text">The service operator specifies which sites may show the figure (--embed).</p>
      {drawn !== null && (
        <>
          <h3>Picture that stays up to date</h3>
          <CopyText
            label="Picture"
            text={`${host}/v2/chart.svg?${printState({ ...EMPTY_STATE, ...drawn })}`}
          />
          <p class="quiet-text">
            The picture always shows the service's current data. You can add theme=dark, width and height to
            the address. If the service requires a token, send it in the authorization header.
          </p>
        </>
      )}
    </div>
  );
}

/** Returns the part of the state that a picture's URL must contain, or null if there is nothing to draw. */
function drawnOf(state: ViewState): Partial<ViewState> | null {
  const { view, series, asof, unit, date, axes, notes, degreeDays, weights } = state;
  if (view === 'degree-days') return degreeDays.station === null ? null : { view, asof, degreeDays };
  if (view === 'weights')
    return weights.regions.length === 0
      ? null
      : { view, asof, weights: { ...weights, item: null, value: null } };
  if (series.length === 0 || view === 'table') return null;
  if (view === 'map') return { view, series: series.slice(0, 1), asof, unit, date };
  if (view === 'revisions') return { view, series: series.slice(0, 1), unit };
  return { ...requestOf(state), axes, notes };
}
