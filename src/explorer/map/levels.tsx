import { useSignal } from '@preact/signals';
import { groupedBy } from '../../model/grouping.js';
import { Select } from '../controls/fields.js';
import { formatNumber } from '../controls/format.js';

/** The regions of each level, largest group first. A region must not be shown together with its parts. */
export type Levels<Region> = readonly (readonly [level: number | null, regions: readonly Region[]])[];

export function levelsOf<Region>(
  regions: readonly Region[],
  levelOf: (region: Region) => number | null,
): Levels<Region> {
  return [...groupedBy(regions, levelOf)].sort(([, a], [, b]) => b.length - a.length);
}

const LEVELS: Readonly<Record<number, string>> = {
  1: 'world',
  2: 'continents',
  3: 'countries',
  4: 'provinces and states',
  5: 'districts and counties',
  6: 'cities',
  7: 'markets',
  8: 'other regions',
  9: 'places',
};

/**
 * Returns the regions of a level, and a drop-down list of the levels if there are several. Until the user chooses a
 * level, it is the first one that fits, or else the largest one.
 */
export function useLevel<Region>(
  levels: Levels<Region>,
  { fits, onChange }: { fits: (regions: readonly Region[]) => boolean; onChange?: () => void },
) {
  const chosen = useSignal<number | null | undefined>(undefined);
  const found =
    levels.find(([level]) => level === chosen.value) ?? levels.find(([, regions]) => fits(regions));
  const [shown, regions] = found ?? levels[0] ?? [null, []];
  const select = levels.length > 1 && (
    <Select<number | null>
      label="Level"
      value={shown}
      options={levels.map(([level, { length }]) => [
        level,
        `${LEVELS[level ?? 0] ?? 'regions'} (${formatNumber(length)})`,
      ])}
      onChange={(level) => {
        chosen.value = level;
        onChange?.();
      }}
    />
  );
  return { regions, select };
}
