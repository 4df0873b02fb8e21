import { CopyText } from '../controls/copy-text.js';
import { currentAddress, page } from '../state/page.js';
import { host } from '../state/service.js';
import { printState } from '../state/url.js';
import { EMPTY_STATE, requestOf } from '../state/view-state.js';

/** The view as a link, and as a figure for another page. */
export function Share() {
  const state = page.peek();
  const query = printState({ ...state, query: '', filters: EMPTY_STATE.filters });
  const { axes, notes } = state;
  const drawn = { ...EMPTY_STATE, ...requestOf(state), axes, notes };
  const escaped = query.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return (
    <div class="share">
      <h3>Link</h3>
      <CopyText label="Link" text={currentAddress()} />
      <h3>Figure in a page</h3>
      <CopyText
        label="Frame"
        text={`<iframe src="${host}/embed#${escaped}" width="100%" height="560" style="border: 0" title="A figure of cropframe"></iframe>`}
      />
      <p class="quiet-text">The operator of the service names the sites that may show it (--embed).</p>
      {state.view === 'chart' && state.series.length > 0 && (
        <>
          <h3>Picture that stays current</h3>
          <CopyText label="Picture" text={`${host}/v2/chart.svg?${printState(drawn)}`} />
          <p class="quiet-text">
            It follows the data of the service. Add theme=dark, width and height as you like. Where the
            service needs a token, a program sends it in a header.
          </p>
        </>
      )}
    </div>
  );
}
