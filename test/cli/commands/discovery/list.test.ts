import { join } from 'node:path';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { asking, quickStatsStore } from '../../stores.js';

const quickStats = quickStatsStore();
const { folder } = quickStats;
const ask = asking(quickStats);
const list = (...argv: string[]) => ask(['list', ...argv]);

describe('list', () => {
  it('writes CSV for programs, and the same rows as JSON', async () => {
    const { code, stdout, stderr } = await list('--item', 'corn');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [titles, ...lines] = stdout.trimEnd().split('\r\n');
    expect(titles).toBe(
      'source_id,source_name,metric_id,metric_name,item_id,item_name,frequency_id,frequency_name,' +
        'region_level,region_level_name,regions,series,points,start_date,end_date',
    );
    const rows = JSON.parse((await list('--item', 'corn', '--json')).stdout);
    expect(rows).toHaveLength(lines.length);
    const levels = rows.map((row: { region_level_name: string }) => row.region_level_name);
    expect(levels).toEqual(expect.arrayContaining(['country', 'province', 'district']));
  });

  it('is a table on a terminal', async () => {
    const { stdout } = await ask(['list', '--item', 'corn'], { terminal: true });
    expect(stdout).toMatch(/^source +metric +item +frequency +level +regions +series +from +to\n/);
    expect(stdout).toContain('2012-01-01  20');
  });

  it('writes a workbook, whose rows are those of the JSON', async () => {
    const path = join(folder, 'catalogue.xlsx');
    expect(await list('--item', 'corn', '--out', path)).toMatchObject({ code: 0, stdout: '' });
    const [{ data } = { data: [] }] = await readWorkbook(path);
    const rows: Record<string, unknown>[] = JSON.parse((await list('--item', 'corn', '--json')).stdout);
    expect(data.slice(1)).toEqual(
      rows.map(({ start_date, end_date, ...row }) => [
        ...Object.values(row),
        new Date(String(start_date)),
        new Date(String(end_date)),
      ]),
    );
  });

  it('refuses options of CSV for a workbook, and a workbook on a terminal', async () => {
    const safe = await list('--safe-csv', '--out', join(folder, 'safe.xlsx'));
    expect(safe).toMatchObject({ code: 2, stderr: expect.stringContaining('--safe-csv is only for CSV') });
    const argv = ['list', '--format', 'xlsx'];
    expect((await ask(argv, { terminal: true })).stderr).toContain('xlsx is a binary format');
  });
});
