import { useSignal } from '@preact/signals';
import { levelName } from '../../model/entity.js';
import { groupedBy } from '../../model/grouping.js';
import { Select } from '../controls/fields.js';
import { countText } from '../controls/format.js';

/** Regions grouped by level, so that no region is shown together with its parts. The largest group comes first. */
export type Levels<Region> = readonly (readonly [level: number | null, regions: readonly Region[]])[];

export function levelsOf<Region>(
  regions: readonly Region[],
  levelOf: (region: Region) => number | null,
): Levels<Region> {
  return [...groupedBy(regions, levelOf)].sort(([, a], [, b]) => b.length - a.length);
}

/** Returns the regions of the chosen level (initially one that `fits`), and a list of levels if there are several. */
export function useLevel<Region>(levels: Levels<Region>, fits: (regions: readonly Region[]) => boolean) {
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
        `${levelName(level) ?? 'no level'}: ${countText(length, 'region')}`,
      ])}
      onChange={(level) => (chosen.value = level)}
    />
  );
  return { regions, select };
}
