import type { FoundSeries } from '../../client/discovery/find-series.js';
import { ArgumentError } from '../../model/errors.js';
import { warnOfNames } from '../choice/names.js';
import { findBestSeries, findSeriesByKey } from '../choice/series-choice.js';
import { seriesTitle } from '../choice/series-text.js';
import { withClient } from '../connection/with-client.js';
import { retrieveFrame } from '../frames/retrieve-frame.js';
import { outputFormat, writeFrame } from '../frames/write-frame.js';
import type { ConnectionOptions } from '../options/connection.js';
import { csvOptionsOf, type FrameOutputOptions } from '../options/frame-output.js';
import type { RetrievalOptions } from '../options/retrieval.js';
import type { SeriesWords } from '../options/series.js';
import { type CommandContext, remark } from '../terminal/io.js';

export interface PointsOptions extends SeriesWords, RetrievalOptions, FrameOutputOptions {
  readonly series?: string | undefined;
}

export async function retrievePoints(
  context: CommandContext,
  connection: ConnectionOptions,
  options: PointsOptions,
): Promise<void> {
  checkSelection(options);
  const format = outputFormat(context, options);
  const names = options.names === true || format === 'display';
  await withClient(context, connection, async (client) => {
    const { signal } = context;
    const chosen: FoundSeries =
      options.series === undefined
        ? await findBestSeries(client, options, signal)
        : await findSeriesByKey(client, options.series, signal);
    await warnOfNames(context, [chosen]);
    await remark(context, seriesTitle(chosen));
    const frame = await retrieveFrame(context, client, { ...options, names, series: [chosen] });
    await writeFrame(context, frame, { format, out: options.out, ...csvOptionsOf(options) });
  });
}

const SELECTING = ['metric', 'item', 'region', 'partner_region', 'source', 'frequency'] as const;

function checkSelection(options: PointsOptions): void {
  const given = SELECTING.filter((word) => options[word] !== undefined);
  if (options.series === undefined && given.length === 0) {
    throw new ArgumentError(
      'series',
      'no series selected; give --metric, --item and --region, or --series KEY',
    );
  }
  if (options.series !== undefined && given.length > 0) {
    throw new ArgumentError('series', `--series selects a whole series; omit --${given.join(', --')}`);
  }
}
