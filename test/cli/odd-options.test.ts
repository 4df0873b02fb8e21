import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import type { CommandContext } from '../../src/cli/terminal/io.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { type DemoService, openDemoService, TOKEN } from '../journeys/demo-service.js';
import { type Ending, runCommand, temporaryFolder } from './capture.js';

const folder = temporaryFolder();

/** One service answers every call: opening a store takes longer than answering. */
let demo: DemoService;
let serving: Serving;
beforeAll(async () => {
  demo = await openDemoService();
  serving = await serve(demo.service, { port: 0 });
});
afterAll(async () => {
  await serving?.close();
  await demo?.close();
});

function ask(argv: readonly string[]): Promise<Ending> {
  return runCommand(argv, { env: { CROPFRAME_HOST: serving.url, API_TOKEN: TOKEN } });
}

const SERIES = ['--metric', 'Temperature', '--item', 'Temperature max', '--region', 'Seattle'];

/** A valid call of each command that asks a service. */
const VALID: Readonly<Record<string, readonly string[]>> = {
  search: ['search', 'regions', 'Washington'],
  find: ['find', ...SERIES],
  points: ['points', ...SERIES, '--end', '2012-01-02'],
  df: ['df', ...SERIES, '--end', '2012-01-02'],
  gdd: ['gdd', '--region', 'Seattle', '--base', '10', '--start', '2012-05-01', '--end', '2012-05-02'],
  units: ['units'],
};

const ODD = ['', 'NaN', '-1'];

/** Options that name a file or a service; they have tests of their own. */
const PLACES = new Set(['out', 'store', 'host', 'token', 'file', 'series']);

const OPTIONS = createProgram({} as CommandContext, '0').commands.flatMap((command) =>
  // The options of df are those of points and of find.
  command.name() in VALID && command.name() !== 'df'
    ? command.options
        .filter((option) => option.required && !PLACES.has(option.attributeName()))
        .map((option) => ({ command: command.name(), option: option.long! }))
    : [],
);

const STACK = /unexpected:|^\s+at .+:\d+/m;

describe('odd values never show a stack or a fault of ours', () => {
  it.each(OPTIONS)('$command $option', async ({ command, option }) => {
    for (const value of ODD) {
      const { code, stderr } = await ask([...VALID[command]!, option, value]);
      expect(stderr, `${option} ${JSON.stringify(value)}`).not.toMatch(STACK);
      expect([0, 1, 2, 3, 5], value).toContain(code);
    }
  });

  it.each(['search', 'find', 'gdd'])('words of %s', async (command) => {
    for (const value of ODD) {
      const { stderr } = await ask([...VALID[command]!.slice(0, 1), '--', value, value, value]);
      expect(stderr, value).not.toMatch(STACK);
    }
  });
});

describe('places that cannot be written', () => {
  it.each([
    ['a folder', 'folder.csv', 'it is a folder; give a file'],
    ['a file in a missing folder', 'absent/june.csv', 'its folder does not exist; create the folder first'],
    ['a file below a file', 'file.csv/june.csv', 'part of this path is not a folder'],
  ])('%s is named with the remedy', async (_what, name, reason) => {
    mkdirSync(join(folder, 'folder.csv'), { recursive: true });
    await ask([...VALID.points!, '--out', join(folder, 'file.csv')]);
    for (const command of ['points', 'df']) {
      const path = join(folder, name);
      const { code, stderr } = await ask([...VALID[command]!, '--out', path]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `error: --out: ${path} cannot be written: ${reason}\n`,
      });
    }
  });
});
