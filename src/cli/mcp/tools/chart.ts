import * as v from 'valibot';
import type { ExplainedSeries } from '../../../client/discovery/resolution.js';
import { ArgumentError } from '../../../model/errors.js';
import type { RetrievalReport } from '../../../model/report.js';
import { FIELDS } from '../../../model/schema/fields.js';
import { oneOf, withMeaning } from '../../../model/schema/schemas.js';
import { seriesKeyText } from '../../../model/series.js';
import { nameNotes } from '../../choice/names.js';
import { seriesTitle } from '../../choice/series-choice.js';
import { DF } from '../../commands/retrieval.js';
import type { SeriesWords } from '../../options/flag-groups.js';
import { chooseSeries, noteUnnamed, requestedShare, retrieveLongFrame } from '../chosen-series.js';
import {
  defineTool,
  RETRIEVAL_INPUT,
  SERIES_INPUT,
  SERIES_KEY,
  sourceCredits,
  unitCredits,
} from '../tool.js';

const MAX_DRAWN_SERIES = 8;
const MAX_SVG_BYTES = 400_000;

export const CHART = defineTool({
  name: 'chart',
  title: 'Draw a chart',
  description: `Draw up to ${MAX_DRAWN_SERIES} series over time as SVG: specify keys from find_series, or the names of one series. The picture cites the sources. For the figures themselves, use get_points.`,
  input: v.strictObject({
    series: v.optional(
      withMeaning(
        'keys of series',
        v.pipe(v.array(SERIES_KEY), v.minLength(1), v.maxLength(MAX_DRAWN_SERIES)),
      ),
    ),
    ...SERIES_INPUT,
    ...RETRIEVAL_INPUT,
    unit: v.optional(FIELDS.unit),
    theme: v.optional(oneOf(['light', 'dark']), 'light'),
    as: v.optional(
      withMeaning(
        'SVG as text, or as an image, which not every assistant can show',
        oneOf(['text', 'image']),
      ),
      'text',
    ),
  }),
  async run({ series: keys, unit, at_time, theme, as, start, end, ...selection }, call) {
    const period = { start_date: start, end_date: end };
    const words = { ...selection, ...period };
    const chosen = await Promise.all(
      keys === undefined
        ? [chooseSeries(call, words)]
        : [...new Set(keys)].map((key) => chooseSeries(call, { key, ...words })),
    );
    const { frame, provenance } = await retrieveLongFrame(call, chosen, { ...period, unit, at_time });
    const { plotFrame } = await import('../../../charts/frame.js');
    const drawing = plotFrame(frame);
    const svg = await drawing.toSvg({ theme });
    const bytes = Buffer.byteLength(svg);
    if (bytes > MAX_SVG_BYTES)
      throw new ArgumentError(
        'series',
        `the chart has ${bytes} bytes, more than the maximum of ${MAX_SVG_BYTES}; request fewer series or a shorter period`,
      );
    const series = chosen.map((one) => describeDrawnSeries(one, words));
    const answer = {
      description: String(drawing.spec.description ?? ''),
      series,
      points: frame.numRows,
      svg_bytes: bytes,
      units: unitCredits(provenance.units),
      sources: sourceCredits(provenance.sources),
      notes: [
        ...nameNotes(chosen),
        ...(keys === undefined ? noteUnnamed(words, chosen[0]!) : []),
        ...emptyNotes(provenance.report),
      ],
      command: call.commandLine(DF, {
        series: series.map(({ key }) => key),
        ...period,
        unit: unit === undefined ? unit : [unit],
        at_time,
      }),
    };
    const image = { mimeType: 'image/svg+xml', data: Buffer.from(svg).toString('base64') };
    const drawn = as === 'text' ? { more: svg } : { image };
    const table = ['series', 'key', 'title', 'coverage'] as const;
    return { heading: answer.description, table, structured: answer, ...drawn };
  },
});

function describeDrawnSeries(series: ExplainedSeries, words: Pick<SeriesWords, 'start_date' | 'end_date'>) {
  return {
    key: seriesKeyText(series),
    title: seriesTitle(series),
    coverage: requestedShare(series, words),
  };
}

function emptyNotes(report: RetrievalReport): string[] {
  return report
    .filter(({ outcome }) => outcome === 'empty')
    .map(({ series }) => `series ${seriesKeyText(series)} has no points in this period, and is not drawn`);
}
