import type { FROM_PARTS } from '../commands/retrieval.js';
import { withClient } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import type { CommandContext } from '../terminal/io.js';
import { progressOptions } from '../terminal/progress.js';
import { outputFormat, writeFrame } from '../terminal/write-frame.js';

/** Writes the figure of a region, computed from its parts. */
export async function computeFromParts(
  context: CommandContext,
  options: InputValues<typeof FROM_PARTS.takes>,
): Promise<void> {
  const format = outputFormat(context, options);
  const { region, item_name, metric_name, weighting_metric_name, weighting_crop_name } = options;
  const { descendant_level, min_weight_present, start_date, end_date, at_time } = options;
  const names = { item_name, metric_name, weighting_metric_name, weighting_crop_name };
  const rules = { descendant_level, min_weight_present, start_date, end_date, at_time };
  await withClient(context, options, async (client) => {
    const frame = await client.computeFromParts(region, { ...names, ...rules, ...progressOptions(context) });
    await writeFrame(context, frame, { ...options, format });
  });
}
