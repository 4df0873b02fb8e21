import { CopyText } from '../parts/copy-text.js';
import { Loading } from '../parts/loading.js';
import { currentAddress, page } from '../state/page.js';
import { citationOf } from './citation.js';
import { taken } from './taken.js';

/** How the figures are cited, with their licences. */
export function CiteView() {
  const table = taken().cited;
  if (table === null) return <Loading what="Reading the sources" />;
  const { sources, text } = citationOf(table, { link: currentAddress(), asof: page.peek().asof });
  return (
    <>
      <ul class="sources">
        {sources.map(({ id, name, longName, licence }) => (
          <li key={id}>
            <strong>{longName || name}</strong>
            <br />
            Licence: {licence || 'the source names none'}
          </li>
        ))}
      </ul>
      <CopyText label="Citation" text={text} />
    </>
  );
}
