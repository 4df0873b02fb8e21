import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-files.js';

const PACKAGE = new URL('../../dist/index.js', import.meta.url).href;
const script = join(temporaryFolder(), 'frame.mjs');

/** Every other request is refused, so that no single cause failed all series. */
const SCRIPT = `import { createClient } from ${JSON.stringify(PACKAGE)};
let requests = 0;
const fetch = async () => new Response('no', { status: 400 + (requests++ % 2) * 10 });
const client = createClient({ access_token: 'token', fetch, retry: { retries: 0 } });
for (let region_id = 1; region_id <= 1000; region_id++) {
  client.addSingleDataSeries({ metric_id: 1, item_id: 2, region_id, source_id: 4, frequency_id: 9 });
}
async function report() {
  await client.getDf();
}
await report();
`;

function standardErrorOf(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file], (_, __, stderr) => resolve(stderr));
  });
}

describe('a script whose frame of a thousand series fails', () => {
  it('prints the error in a few lines: some series, and the lines of the script', async () => {
    writeFileSync(script, SCRIPT);
    const printed = await standardErrorOf(script);
    const start = printed.indexOf('PartialDataError: ');
    const error = printed.slice(start, printed.indexOf('\n}\n', start) + 2).split('\n');
    const at = pathToFileURL(script).href;
    expect(error[0]).toBe('PartialDataError: 1000 of 1000 series failed:');
    for (const line of error.slice(1, 4)) expect(line).toContain('metric 1, item 2, region ');
    expect(error[4]).toBe('  … and 997 more; see the "failed" property of this error');
    expect(error.slice(-4)).toEqual([
      `    at async report (${at}:9:3)`,
      `    at async ${at}:11:1 {`,
      "  code: 'partial_data'",
      '}',
    ]);
    // Around it, Node prints where it gave up and its version.
    expect(printed.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(20);
  });
});
