import { Select } from '../fields/select.js';
import { learnNames, nameOf } from '../state/names.js';
import { choose, page, part } from '../state/page.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';

/** The metric and the item of the chosen series; null where they have several metrics, and so no unit in common. */
const measured = part(({ series }) => {
  const [first] = series;
  if (first === undefined || series.some(({ metric_id }) => metric_id !== first.metric_id)) return null;
  return { metric_id: first.metric_id, item_id: first.item_id };
});

/** The units into which the chosen series can be converted. */
const allowed = resource(measured, async ({ metric_id, item_id }, signal) => {
  const ids = await ask((client) => client.getAllowedUnits(metric_id, item_id, { signal }), signal);
  if (ids.length === 0) return [];
  const units = await ask((client) => client.lookup('units', ids, { signal }), signal);
  learnNames('unit', Object.values(units));
  return ids;
});

/** The unit of the values; nothing where there is no choice. */
export function UnitSelect() {
  const { unit } = page.value;
  const ids = allowed.loaded.value.value ?? [];
  if (ids.length < 2 && unit === null) return null;
  const options = [...new Set([...ids, ...(unit === null ? [] : [unit])])];
  return (
    <Select
      label="Unit"
      value={unit === null ? 'own' : String(unit)}
      options={[['own', 'as reported'], ...options.map((id) => [String(id), nameOf('unit', id)] as const)]}
      onChange={(value) => choose({ unit: value === 'own' ? null : Number(value) })}
    />
  );
}
