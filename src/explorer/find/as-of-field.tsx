import { DateField } from '../fields/date-field.js';
import { choose, page } from '../state/page.js';

/** The date as known on which everything is shown. */
export function AsOfField() {
  return <DateField label="As known on" value={page.value.asof} onChange={(asof) => choose({ asof })} />;
}
