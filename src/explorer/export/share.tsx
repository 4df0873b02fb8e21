import { useSignal } from '@preact/signals';
import { readProvenance } from '../../frame/table/provenance.js';
import { CopyText } from '../controls/copy-text.js';
import { Tabs } from '../controls/tabs.js';
import { Loading } from '../controls/waiting.js';
import { currentAddress, page } from '../state/page.js';
import { host } from '../state/service.js';
import { EMPTY_STATE, printState, type ViewState } from '../state/view-state.js';
import { callCode, codeOf, LANGUAGES, type Language } from './code.js';
import { currentExport, type Exported } from './exported.js';

/** Shows a link to the view, and HTML code for embedding the figure in another page. */
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
  const { view, asof, unit, date, degreeDays, weights } = state;
  if (view === 'degree-days') return degreeDays.station === null ? null : { view, asof, degreeDays };
  if (view === 'weights')
    return weights.regions.length === 0
      ? null
      : { view, asof, weights: { ...weights, item: null, value: null } };
  if (state.series.length === 0 || view === 'table') return null;
  const series = state.series.slice(0, 1);
  if (view === 'map') return { view, series, asof, unit, date };
  if (view === 'revisions') return { view, series, asof, unit };
  const { from, to, every, how, scale, formula, periods, notes } = state;
  return { series: state.series, asof, unit, from, to, every, how, scale, formula, periods, notes };
}

const TABS = Object.entries(LANGUAGES).map(([id, { label }]) => ({ id: id as Language, label }));

/** Renders a program that retrieves the displayed values. For values that the client computes, in TypeScript only. */
export function CodeView() {
  const language = useSignal<Language>('typescript');
  const { request, names = [], notes, call } = currentExport();
  const own = call && callCode(host, call);
  if (request === null)
    return (
      <>
        <p class="quiet-text">
          The cropframe client computes these values, so the program is available only in TypeScript.
        </p>
        <CopyText label="Program" text={own ?? ''} />
      </>
    );
  const isOwn = own !== undefined && language.value === 'typescript';
  const code = isOwn ? own : codeOf(language.value, { request, host, names, notes });
  return (
    <Tabs label="Language" tabs={TABS} selected={language.value} onSelect={(id) => (language.value = id)}>
      <CopyText label="Program" text={code} />
    </Tabs>
  );
}

export function CiteView() {
  const tables = currentExport();
  if (tables.shown === null && tables.whole === null) return <Loading what="Reading the sources" />;
  const { sources, text } = citationOf(tables);
  return (
    <>
      <ul class="sources">
        {sources.map(({ id, name, longName, licence }) => (
          <li key={id}>
            <strong>{longName || name}</strong>
            <br />
            Licence: {licence || 'not stated by the source'}
          </li>
        ))}
      </ul>
      <CopyText label="Citation" text={text} />
    </>
  );
}

/** Returns the sources of the exported frames, and a citation with its link, retrieval date and as-of date. */
export function citationOf({ shown, whole }: Pick<Exported, 'shown' | 'whole'>) {
  const provenances = [shown, whole].flatMap((table) => (table && readProvenance(table)) ?? []);
  const sources = [
    ...new Map(provenances.flatMap((one) => one.sources.map((source) => [source.id, source]))).values(),
  ];
  const { asof } = page.peek();
  const cited = sources.map(({ name, longName, licence, citation, url }) =>
    [citation || longName || name, licence && `Licence: ${licence}`, url].filter(Boolean).join('. '),
  );
  const retrieved = provenances[0] && `Retrieved on ${provenances[0].retrieved_at.slice(0, 10)}`;
  const when = [retrieved, asof && `as known at the end of ${asof}`].filter(Boolean).join(', ');
  return { sources, text: [...cited, `${when}: ${currentAddress()}`].join('\n') };
}
