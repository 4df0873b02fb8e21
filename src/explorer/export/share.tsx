import { readProvenance } from '../../frame/table/provenance.js';
import { CopyText } from '../controls/copy-text.js';
import { Loading } from '../controls/waiting.js';
import { currentAddress, page } from '../state/page.js';
import { host } from '../state/service.js';
import { EMPTY_STATE, pictureQuery, printState } from '../state/view-state.js';
import { callCode, codeOf } from './code.js';
import { currentExport, type Exported } from './exported.js';

export function Share() {
  const state = page.peek();
  const query = printState({ ...state, query: '', filters: EMPTY_STATE.filters });
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
      {state.view !== 'table' && (
        <>
          <h3>Picture that stays up to date</h3>
          <CopyText label="Picture" text={`${host}/v2/chart.svg?${pictureQuery(state)}`} />
          <p class="quiet-text">
            The picture always shows the service's current data. You can add theme=dark, width and height to
            the address. If the service requires a token, send it in the authorization header.
          </p>
        </>
      )}
    </div>
  );
}

export function CodeView() {
  const { request, names = [], notes, call } = currentExport();
  const own = call === undefined ? '' : callCode(host, call);
  return (
    <CopyText
      label="Program"
      text={own || (request === null ? '' : codeOf({ request, host, names, notes }))}
    />
  );
}

export function CiteView() {
  const exported = currentExport();
  if (exported.parts.length === 0) return <Loading what="Reading the sources" />;
  return <CopyText label="Citation" text={citationOf(exported)} />;
}

/** Cites the sources and licences of the exported frames, with the link, the retrieval date and the as-of date. */
export function citationOf({ parts }: Pick<Exported, 'parts'>): string {
  const provenances = parts.flatMap(({ points }) => (points && readProvenance(points)) ?? []);
  const sources = new Map(provenances.flatMap((one) => one.sources.map((source) => [source.id, source])));
  const { asof } = page.peek();
  const cited = Array.from(sources.values(), ({ name, longName, licence, citation, url }) => {
    const texts = [
      citation || longName || name,
      `Licence: ${licence && licence !== 'unknown' ? licence : 'not stated by the source'}`,
      url,
    ];
    return texts.filter(Boolean).join('. ');
  });
  const retrieved = provenances[0] && `Retrieved on ${provenances[0].retrieved_at.slice(0, 10)}`;
  const when = [retrieved, asof && `as known at the end of ${asof}`].filter(Boolean).join(', ');
  return [...cited, `${when}: ${currentAddress()}`].join('\n');
}
