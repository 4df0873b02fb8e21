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

/** Returns the regions of the chosen level, or else of the first level that fits, or else of the largest level. */
export function findLevel<Region>(
  levels: Levels<Region>,
  chosen: number | null | undefined,
  fits: (regions: readonly Region[]) => boolean,
): Levels<Region>[number] {
  const found = levels.find(([level]) => level === chosen) ?? levels.find(([, regions]) => fits(regions));
  return found ?? levels[0] ?? [null, []];
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

/** Renders a drop-down list of levels with the number of their regions, or nothing if there is only one level. */
export function LevelSelect(props: {
  levels: Levels<unknown>;
  value: number | null;
  onChange: (level: number | null) => void;
}) {
  const { levels, value, onChange } = props;
  if (levels.length < 2) return null;
  const options = levels.map(
    ([level, { length }]) => [level, `${LEVELS[level ?? 0] ?? 'regions'} (${formatNumber(length)})`] as const,
  );
  return <Select label="Level" value={value} options={options} onChange={onChange} />;
}
