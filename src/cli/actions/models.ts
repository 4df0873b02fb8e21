import { TEMPERATURE_SYMBOLS } from '../../agronomy/degree-days/plan.js';
import type { RegionDegreeDays } from '../../agronomy/models/growing-degree-days.js';
import { ArgumentError } from '../../model/errors.js';
import { seriesKeyText } from '../../model/series.js';
import { nameNotes } from '../choice/names.js';
import type { FROM_PARTS, GDD } from '../commands/retrieval.js';
import { type ClientContext, createAction } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { EXIT, NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, remark, warnOfAll, writeJson } from '../terminal/io.js';
import { progressOptions } from '../terminal/progress.js';
import { writeTable } from '../terminal/text-table.js';
import { outputFormat, writeFrame } from '../terminal/write-frame.js';

type GddOptions = InputValues<typeof GDD.takes>;

export const computeGdd = createAction(async (context, options: GddOptions) => {
  const found = await findDegreeDays(context, options);
  const matched = found.map((one) => ({ matched: { region: one.matched } }));
  await warnOfAll(context, nameNotes(matched));
  const notes = found.flatMap((one) => one.notes.map((note) => `${one.region_name}: ${note}`));
  await warnOfAll(context, notes);
  if (options.json === true) return writeJson(context.stdout, found.map(toJsonResult));
  const short = found.filter(({ coverage }) => coverage < options.min_temporal_coverage);
  await writeTotals(context, found, short);
  if (short.length > 0) context.exitCode = EXIT.partialData;
  const missing = short.map(
    ({ region_name, coverage }) =>
      `${region_name}: only ${percent(coverage)} of the days have data, so there is no sum; choose other dates, or lower --coverage`,
  );
  await warnOfAll(context, missing);
});

function findDegreeDays(
  context: ClientContext,
  { json, host: _, token: __, store: ___, ...request }: GddOptions,
): Promise<RegionDegreeDays[]> {
  const options = {
    ...request,
    region_name: [...new Set(request.region_name)],
    // Unlike the JSON output, the table also shows the coverage of regions that have data for too few days.
    min_temporal_coverage: json === true ? request.min_temporal_coverage : 0,
    explain: true,
    ...progressOptions(context),
  } as const;
  return context.client.growingDegreeDays(options).catch((error: unknown) => {
    // An unknown name has its own exit code.
    const names = ['region_name', 'items', 'metrics'];
    if (!(error instanceof ArgumentError && names.includes(error.argument))) throw error;
    throw new NothingFoundError([error.problem, error.remedy ?? []].flat().join('; '));
  });
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Writes each region's total degree days, or an empty cell if the region has data for too few days. */
async function writeTotals(
  context: CommandContext,
  found: readonly RegionDegreeDays[],
  short: readonly RegionDegreeDays[],
): Promise<void> {
  await writeTable(context, found, [
    { title: 'region', of: ({ region_name }) => region_name },
    { title: 'degree days', align: 'right', of: (one) => (short.includes(one) ? '' : one.total.toFixed(2)) },
    { title: 'unit', of: ({ temperature_unit }) => `${TEMPERATURE_SYMBOLS[temperature_unit]}·d` },
    { title: 'days', align: 'right', of: ({ days }) => days },
    { title: 'with data', align: 'right', of: ({ coverage }) => percent(coverage) },
    { title: 'source', of: ({ tmin_series }) => tmin_series.source_name ?? tmin_series.source_id },
  ]);
  await remark(context, describeRule(found[0]!));
}

/** Formats the rule used to compute degree days, such as `method average, base 10, cap 30 (horizontal), celsius`. */
export function describeRule(result: RegionDegreeDays): string {
  const { method, cutoff, base_temperature, upper_temperature_cap: cap, temperature_unit } = result;
  const upTo = cap === null ? '' : `, cap ${cap} (${cutoff})`;
  return `method ${method}, base ${base_temperature}${upTo}, ${temperature_unit}`;
}

function toJsonResult({ daily, accumulated, tmin_series, tmax_series, ...rest }: RegionDegreeDays): object {
  return {
    ...rest,
    tmin_series: { key: seriesKeyText(tmin_series), ...tmin_series },
    tmax_series: { key: seriesKeyText(tmax_series), ...tmax_series },
    daily: [...daily],
    accumulated: [...accumulated],
  };
}

type FromPartsOptions = InputValues<typeof FROM_PARTS.takes>;

export const computeFromParts = createAction(async (context, options: FromPartsOptions) => {
  const output = { ...options, format: outputFormat(context, options) };
  const { region, host: _, token: __, store: ___, json: ____, ...others } = options;
  const { out, safe, date_only, format: _____, ...figure } = others;
  const frame = await context.client.computeFromParts(region, { ...figure, ...progressOptions(context) });
  await writeFrame(context, frame, output);
});
