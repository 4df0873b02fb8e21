import { Field } from './field.js';
/** A field for a number; empty for none. */
export function NumberField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  return (
    <Field label={label}>
      <input
        type="number"
        class="number-field"
        step="any"
        value={value ?? ''}
        onChange={(event) => {
          const text = event.currentTarget.value;
          const given = Number(text);
          if (text === '') onChange(null);
          else if (Number.isFinite(given)) onChange(given);
        }}
      />
    </Field>
  );
}
