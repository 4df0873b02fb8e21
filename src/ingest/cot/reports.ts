import { IngestError } from '../../model/errors.js';
import type { ImporterSettings } from '../../model/importing/job.js';
import { RowError } from '../batch/batch-builder.js';
import { SOURCES } from '../vocabulary/sources.js';

type CotPositions = NonNullable<ImporterSettings['positions']>;

/** The sources of a report, by what its positions include. */
export type CotReport = Readonly<Record<CotPositions, number>>;

export const LEGACY_REPORT: CotReport = {
  futures: SOURCES.cotLegacyFutures.id,
  combined: SOURCES.cotLegacyCombined.id,
};
export const DISAGGREGATED_REPORT: CotReport = {
  futures: SOURCES.cotDisaggregatedFutures.id,
  combined: SOURCES.cotDisaggregatedCombined.id,
};

/** Names of the CFTC's archives of the legacy report, and of the texts in them. */
const NAMED: readonly (readonly [RegExp, CotPositions])[] = [
  [/(^|\/)(deahistfo\d|annualof\.|com\d\d_\d\d\.)/i, 'combined'],
  [/(^|\/)(deacot\d|annual\.|fut\d\d_\d\d\.)/i, 'futures'],
];

/**
 * What the positions of a legacy file include: both kinds have the same columns, so the setting says it, or the names of
 * the archive and its text.
 * @throws IngestError when neither says it, or they disagree
 */
export function findPositions(file: string, setting: CotPositions | undefined): CotPositions {
  const named = new Set(NAMED.filter(([name]) => name.test(file)).map(([, positions]) => positions));
  if (setting !== undefined) named.add(setting);
  const [positions, other] = named;
  if (positions !== undefined && other === undefined) return positions;
  const what =
    positions === undefined
      ? 'its name does not say whether its positions include options; set "positions" to "futures" or "combined"'
      : 'its name and the setting "positions" contradict each other';
  throw new IngestError('cot', `the positions of ${file} are not clear: ${what}`, { file });
}

/** What the positions of a disaggregated row include. @throws RowError */
export function parsePositions(text: string, setting: CotPositions | undefined): CotPositions {
  const positions = ROW_POSITIONS.get(text.toLowerCase());
  if (positions === undefined) throw new RowError(`"${text}" is neither "FutOnly" nor "Combined"`);
  if (setting !== undefined && setting !== positions)
    throw new RowError(`the row is "${text}", but the setting "positions" is "${setting}"`);
  return positions;
}

const ROW_POSITIONS: ReadonlyMap<string, CotPositions> = new Map([
  ['futonly', 'futures'],
  ['combined', 'combined'],
]);
