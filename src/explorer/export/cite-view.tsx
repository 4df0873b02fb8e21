import type { Table } from 'apache-arrow';
import { readProvenance } from '../../frame/table/provenance.js';
import { CopyText } from '../controls/copy-text.js';
import { Loading } from '../controls/waiting.js';
import { currentAddress, page } from '../state/page.js';
import { currentExport } from './exported.js';

/** Renders the citation of the shown values, with the licences of their sources. */
export function CiteView() {
  const { whole, cited: table = whole } = currentExport();
  if (table === null) return <Loading what="Reading the sources" />;
  const { sources, text } = citationOf(table, { link: currentAddress(), asof: page.peek().asof });
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

/** Returns a frame's sources with their licences, and a citation with the link and the retrieval and as-of dates. */
export function citationOf(table: Table, { link, asof }: { link: string; asof: string | null }) {
  const provenance = readProvenance(table);
  const sources = provenance?.sources ?? [];
  const cited = sources.map(({ name, longName, licence, citation, url }) =>
    [citation || longName || name, licence && `Licence: ${licence}`, url].filter(Boolean).join('. '),
  );
  const retrieved = provenance === null ? '' : `Retrieved on ${provenance.retrieved_at.slice(0, 10)}`;
  const when = [retrieved, asof === null ? '' : `as known on ${asof}`]
    .filter((text) => text !== '')
    .join(', ');
  return { sources, text: [...cited, `${when}: ${link}`].join('\n') };
}
