import { type Named, nameOf } from '../state/names.js';
import { Select } from './fields.js';
import { formatNumber } from './format.js';

/** Renders a choice of one of some things, or of none yet. The chosen one is listed also where it is not among them. */
export function IdSelect({
  label,
  kind,
  id,
  choices,
  onChange,
}: {
  label: string;
  kind: Named;
  id: number | null;
  choices: readonly { readonly id: number; readonly name: string }[];
  onChange: (id: number | null) => void;
}) {
  const isListed = id === null || choices.some((one) => one.id === id);
  const listed = isListed ? choices : [{ id, name: nameOf(kind, id) }, ...choices];
  return (
    <Select
      label={label}
      value={id}
      options={[
        [null, `choose one of ${formatNumber(choices.length)}`],
        ...listed.map((one) => [one.id, one.name] as const),
      ]}
      onChange={onChange}
    />
  );
}
