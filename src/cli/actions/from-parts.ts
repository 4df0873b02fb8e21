import type { FROM_PARTS } from '../commands/retrieval.js';
import { createAction } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { progressOptions } from '../terminal/progress.js';
import { outputFormat, writeFrame } from '../terminal/write-frame.js';

export const computeFromParts = createAction(
  async (context, options: InputValues<typeof FROM_PARTS.takes>) => {
    const format = outputFormat(context, options);
    const {
      region,
      host: _,
      token: __,
      store: ___,
      json,
      out,
      safe,
      date_only,
      format: ____,
      ...figure
    } = options;
    const frame = await context.client.computeFromParts(region, { ...figure, ...progressOptions(context) });
    await writeFrame(context, frame, { out, safe, date_only, format });
  },
);
