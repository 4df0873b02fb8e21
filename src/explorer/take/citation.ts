import type { Table } from 'apache-arrow';
import { readProvenance } from '../../frame/table/provenance.js';
import type { Source } from '../../model/entity.js';

/** Who is to be named for some figures, and how. */
export interface Citation {
  readonly sources: readonly Source[];
  /** All of it as one text. */
  readonly text: string;
}

/** The sources of a frame with their licences, where and when the figures were retrieved, and as known on which date. */
export function citationOf(table: Table, { link, asof }: { link: string; asof: string | null }): Citation {
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
