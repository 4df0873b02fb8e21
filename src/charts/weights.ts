import type { Table } from 'apache-arrow';
import { creditOf } from '../frame/display/credit.js';
import { frame } from '../frame/frame.js';
import { badArgument } from '../model/errors.js';
import { checkOptions } from '../model/schema/check.js';
import { type Chart, type ChartTexts, singlePanel, TEXT_KEYS } from './chart.js';
import { type Writer, writerIn } from './language.js';
import { distinctLabels, joinTexts, yearsText } from './lines.js';
import { COLOURS } from './theme.js';

/** The maximum number of bars whose labels stay legible. */
const MAX_BARS = 30;

/** The title, subtitle, source and size of the chart. */
export type WeightsPlotOptions = ChartTexts;

/**
 * Draws a bar chart of region weights, heaviest first. Only the 30 heaviest regions are drawn; if there are more, the
 * subtitle states what share of the total weight the drawn regions account for.
 * @param table regions with their weights, from `weightsFrame`
 * @throws ArgumentError if the table has no `weight` or `region_id` column
 */
export function plotWeights(table: Table, options: WeightsPlotOptions = {}): Chart {
  checkOptions(options, TEXT_KEYS, 'plotWeights');
  return drawWeights(table, options, writerIn(['en-GB']));
}

/** Draws weights with the digits of `readWeights`, which the page's table and title have too. */
export function drawWeights(table: Table, options: WeightsPlotOptions, write: Writer): Chart {
  const { weights, years, sources, figures } = readWeights(table);
  const percent = (share: number) => write.quantity(100 * share, '%', figures);
  const shown = weights.slice(0, MAX_BARS);
  const sum = shown.reduce((total, { weight }) => total + weight, 0);
  const part =
    shown.length < weights.length
      ? `the ${shown.length} heaviest of ${weights.length} regions, ${percent(sum)} of the weight`
      : undefined;
  const title = options.title ?? 'Weights of regions';
  const description = `${title}: ${shown.map(({ label, weight }) => `${label} ${percent(weight)}`).join(', ')}.`;
  const height = options.height ?? 120 + 18 * shown.length;
  const subtitle = joinTexts([options.subtitle, years && `mean of ${years}`, part]);
  const texts = { ...options, title, height, subtitle, description };
  // A table without provenance metadata may name its sources in its rows.
  const source = options.source ?? (creditOf(table) || sources);
  const values = shown.map(({ label, weight }, s) => ({ s, label, v: weight, text: percent(weight) }));
  // Without an explicit order, labels keep their places when the page replaces the data.
  const sort = { field: 's', op: 'min' };
  const y = { field: 'label', type: 'nominal', sort, axis: { title: null, labelLimit: 260 } };
  const x = { field: 'v', type: 'quantitative', axis: null };
  return singlePanel({ ...texts, source }, () => ({
    layer: [
      { mark: { type: 'bar', color: COLOURS[0] }, encoding: { x, y } },
      {
        mark: { type: 'text', align: 'left', dx: 4, fontSize: 11 },
        encoding: { x, y, text: { field: 'text' } },
      },
    ],
    data: { values },
  }));
}

/** Returns a sentence that names the heaviest region and says how many regions account for half of the total weight. */
export function weightsHeadline(table: Table, measured: string, { number, quantity }: Writer): string {
  const { weights, years, figures } = readWeights(table);
  const [first] = weights;
  const subject = years === '' ? measured : `${measured}, mean of ${years}`;
  if (first === undefined || weights.length < 3) return subject;
  let [half, sum] = [0, 0];
  while (sum < 0.5 && half < weights.length) sum += weights[half++]!.weight;
  const share = quantity(100 * first.weight, '%', figures);
  return `${subject}: ${first.label} weighs most with ${share}, and ${number(half)} of ${number(weights.length)} regions have half of the weight`;
}

const MAX_DECIMALS = 4;

/**
 * Reads weights (heaviest first), their years and sources, and the digits (see `digitsOf`) of the weights in percent. The
 * lightest region has two significant digits, unless that requires more than four decimal places.
 * @throws ArgumentError if a required column is missing
 */
export function readWeights(table: Table) {
  const names = table.schema.fields.map(({ name }) => name);
  const missing = ['weight', 'region_id'].find((name) => !names.includes(name));
  if (missing !== undefined)
    throw badArgument('table', `it has no column ${missing}`, { remedy: `pass the result of weightsFrame` });
  const rows = frame(table).toRows();
  const labels = distinctLabels(
    rows.map(({ region_id, region_name }) => String(region_name ?? `region ${region_id}`)),
  );
  const weights = rows
    .map(({ weight }, at) => ({ label: labels[at]!, weight: Number(weight ?? 0) }))
    .sort((a, b) => b.weight - a.weight);
  const yearsIn = (name: string) =>
    rows.flatMap(({ [name]: date }) => (date instanceof Date ? date.getUTCFullYear() : []));
  const [starts, ends] = [yearsIn('start_date'), yearsIn('end_date')];
  const years = starts.length === 0 || ends.length === 0 ? '' : yearsText([...starts, ...ends]);
  const sources = new Set(rows.flatMap(({ source_name }) => (source_name ? String(source_name) : [])));
  const lightest = weights.findLast(({ weight }) => weight > 0)?.weight ?? 1;
  const decimals = 1 - Math.floor(Math.log10(Number((100 * lightest).toPrecision(2))));
  const figures = [10 ** -Math.max(0, Math.min(MAX_DECIMALS, decimals))];
  return { weights, years, sources: [...sources].join('; '), figures };
}
