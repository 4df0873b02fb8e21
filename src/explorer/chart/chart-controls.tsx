import { Select } from '../fields/select.js';
import { choose, page } from '../state/page.js';
import { EVERY, HOWS, SCALES } from '../state/view-state.js';
import { UnitSelect } from './unit-select.js';

const SCALE_TEXTS = {
  normal: 'Values',
  index: 'Index (first value = 100)',
  yoy: 'Change on a year before (%)',
  season: 'Years over one another',
} as const;

/** How the values are drawn. */
export function ChartControls() {
  const { scale, every, how } = page.value;
  return (
    <fieldset class="controls">
      <legend class="visually-hidden">How values are drawn</legend>
      <Select
        label="Show"
        value={scale}
        options={SCALES.map((one) => [one, SCALE_TEXTS[one]])}
        onChange={(value) => choose({ scale: value })}
      />
      <Select
        label="Every"
        value={every ?? 'own'}
        options={[['own', 'own period'], ...EVERY.map((one) => [one, one] as const)]}
        onChange={(value) => choose({ every: value === 'own' ? null : value })}
      />
      {every !== null && (
        <Select
          label="By"
          value={how}
          options={HOWS.map((one) => [one, one])}
          onChange={(value) => choose({ how: value })}
        />
      )}
      <UnitSelect />
    </fieldset>
  );
}
