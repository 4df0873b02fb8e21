import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { CopyText } from '../parts/copy-text.js';
import { Loading } from '../parts/loading.js';
import { currentAddress, page } from '../state/page.js';
import { type Citation, citationOf } from './citation.js';
import { taken } from './taken.js';

/** How the figures are cited, with their licences. */
export function CiteView() {
  const citation = useSignal<Citation | null>(null);
  const table = taken().cited;
  useEffect(() => {
    if (table === null) return;
    void citationOf(table, { link: currentAddress(), asof: page.peek().asof }).then((made) => {
      citation.value = made;
    });
  }, [table]);
  if (citation.value === null) return <Loading what="Reading the sources" />;
  return (
    <>
      <ul class="sources">
        {citation.value.sources.map(({ id, name, longName, licence }) => (
          <li key={id}>
            <strong>{longName || name}</strong>
            <br />
            Licence: {licence || 'the source names none'}
          </li>
        ))}
      </ul>
      <CopyText label="Citation" text={citation.value.text} />
    </>
  );
}
