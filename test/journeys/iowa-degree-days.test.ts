import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseSvg } from '../charts/well-formed.js';
import { temporaryFolder } from '../temporary-files.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT = ['--import', 'tsx', 'notebooks/iowa-degree-days.ts'];
const DATA = join(ROOT, '..', 'shared', 'data');
const plot = join(temporaryFolder(), 'iowa.svg');
const hasData = existsSync(join(DATA, 'nass')) && existsSync(join(DATA, 'weather'));
if (!hasData) console.log(`The Iowa table is not checked: ${DATA} does not hold nass/ and weather/.`);

/**
 * Year; totals at Ames, Sioux City and Burlington; Iowa by the mean area and by the year's own. Computed from the same
 * files by a program that shares no code with the library.
 */
const EXPECTED = [
  [2012, 3164.5, 3121, 3190, 3155.65, 3155.63],
  [2013, 2941.5, 2896.5, 3095, 2969.81, 2968.4],
  [2014, 2791, 2880.5, 2967, 2876.53, 2876.29],
  [2015, 2922, 2909, 3173, 2991.08, 2991.35],
  [2016, 3112.5, 3167, 3251, 3173.81, 3173.27],
  [2017, 2993.5, 2908.5, 3043, 2976.12, 2976.51],
  [2018, 3244, 3029.5, 3441, 3221.38, 3223.04],
  [2019, 2982, 2876, 3246.5, 3020.08, 3020.86],
];

describe("the table of Iowa's crop-weighted degree days", () => {
  it.skipIf(!hasData)('gives the figures of an independent computation, and draws them', () => {
    const output = execFileSync(process.execPath, [...SCRIPT, DATA, plot], { cwd: ROOT, encoding: 'utf8' });
    const rows = output.split('\n').filter((line) => /^20\d\d /.test(line));
    expect(rows.map((row) => row.trim().split(/\s+/).map(Number))).toEqual(EXPECTED);
    expect(output).toMatch(/^area +32\.92% +37\.61% +29\.47%$/m);
    expect(parseSvg(readFileSync(plot, 'utf8')).get('text')).toContain('2018 · 3,221');
  });

  it.each([
    [
      'a folder that is not there',
      ['/nowhere'],
      /There is no .*nass.*; name the folder that holds nass\/ and weather\//,
    ],
    ['no folder', [], /Name the folder of the data/],
  ])('says what to do about %s', (_what, args, message) => {
    const { status, stderr } = spawnSync(process.execPath, [...SCRIPT, ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
  });
});
