import { useSignal } from '@preact/signals';
import { Field } from '../fields/field.js';
import { formatCount, plural } from '../parts/format.js';
import { VirtualList } from '../parts/virtual-list.js';
import type { Choice } from './weights-data.js';

const ROW_REMS = 1.875;
/** Regions that are chosen by one click. */
const MAX_CHOSEN = 100;

/** The regions to weigh: ticked one by one, or the first ones at once. */
export function RegionChoice({
  choices,
  more,
  chosen,
  onChange,
}: {
  choices: readonly Choice[];
  more: number;
  chosen: readonly number[];
  onChange: (regions: readonly number[]) => void;
}) {
  const text = useSignal('');
  const wanted = text.value.trim().toLowerCase();
  const rows = choices.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (choices.length === 0) return null;
  const toggle = (id: number) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <details class="known" open>
      <summary>
        Regions ({formatCount(chosen.length)} chosen of {plural(choices.length, 'region')}
        {more > 0 && `, ${formatCount(more)} more not listed`})
      </summary>
      <div class="controls">
        <Field label="Find">
          <input
            type="search"
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </Field>
        <button type="button" onClick={() => onChange(rows.slice(0, MAX_CHOSEN).map(({ id }) => id))}>
          Choose {rows.length > MAX_CHOSEN ? `the first ${MAX_CHOSEN}` : 'all'} of these
        </button>
        <button type="button" class="quiet" disabled={chosen.length === 0} onClick={() => onChange([])}>
          None
        </button>
      </div>
      <VirtualList rows={rows} rowRems={ROW_REMS} visibleRows={6} label="Regions">
        {({ id, name }) => (
          <label class="facet-value">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <span class="facet-name" title={name}>
              {name}
            </span>
          </label>
        )}
      </VirtualList>
    </details>
  );
}
