import { choose, page } from '../state/page.js';
import { EVERY, HOWS, SCALES } from '../state/view-state.js';

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
    </fieldset>
  );
}

/** A labelled choice of one of some words. */
export function Select<const Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  onChange: (value: Value) => void;
}) {
  return (
    <label class="select">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
