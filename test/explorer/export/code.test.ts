import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { type CodeInput, codeOf } from '../../../src/explorer/export/code.js';
import type { DataRequest } from '../../../src/explorer/state/view-state.js';

const HOSTILE = [
  'O\'Brien\'s $(touch /tmp/x) `id` "quoted" \\',
  'line\nbreak\r\u2028next\u0085more',
  '</script><img src=x onerror=alert(1)>',
  '\u202Egnp.exe */ // #',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a name that tries to be a template
  '\'\'\' """ ${process.exit(1)}',
];

const request: DataRequest = {
  series: HOSTILE.map((_, at) => ({
    metric_id: 14,
    item_id: 274,
    region_id: 100 + at,
    partner_region_id: at === 0 ? 7 : 0,
    frequency_id: 9,
    source_id: 25,
  })),
  from: '2010-01-01',
  to: null,
  asof: '2012-08-10',
  unit: 7,
  every: null,
  how: 'mean',
  scale: 'normal',
  formula: 'none',
  periods: 5,
};

function input(change: Partial<DataRequest> = {}): CodeInput {
  return { request: { ...request, ...change }, host: 'https://farm.example.org/a', names: HOSTILE };
}

describe('the code of a view', () => {
  it('keeps names in comments, one line each', () => {
    const plain = codeOf({ ...input(), names: HOSTILE.map(() => 'x') });
    const code = codeOf(input());
    const lines = (text: string) => text.split(/[\n\r\u0085\u2028\u2029]/).length;
    expect(lines(code)).toBe(lines(plain));
    const comment = /\/\/ ".*$/gm;
    expect(code.replace(comment, '')).toBe(plain.replace(comment, ''));
  });

  it('asks for the series, dates, vintage and unit, with the token as a variable', () => {
    const code = codeOf(input());
    const parts = ['https://farm.example.org/a', '2012-08-10T23:59:59.999Z', '2010-01-01', 'API_TOKEN'];
    for (const part of parts) expect(code).toContain(part);
    for (const region of [100, 101, 102, 103, 104]) expect(code).toContain(String(region));
  });

  it('has verbs of frames where the values are resampled or compared', () => {
    const summed = { every: 'month', how: 'sum', hows: ['sum'] } as const;
    const code = codeOf(input({ ...summed, scale: 'yoy' }));
    expect(code).toContain('table = table.resample({ to: "monthly", how: "sum" });');
    const [rain, warmth] = [{ ...request.series[0]!, item_id: 5 }, request.series[1]!];
    const mixed = input({ every: 'month', how: null, series: [rain, warmth], hows: ['sum', 'mean'] });
    expect(codeOf(mixed)).toContain(
      "how: ({ key }) => (['14-5'].includes([key.metric_id, key.item_id].join('-')) ? 'sum' : 'mean') });",
    );
    // A monthly series stays as it is.
    const stays = input({ every: 'month', how: null, series: [rain], hows: [null] });
    expect(codeOf(stays)).not.toContain('The page shows');
  });

  it('applies the dates after values are resampled, so that it has the points of the page', () => {
    const dated = { to: '2012-04-15' };
    const filter = 'table = table.filter({ start_date: "2010-01-01", end_date: "2012-04-15" });';
    expect(codeOf(input(dated))).not.toContain('table.filter');
    expect(codeOf(input(dated)).split('end_date: "2012-04-15" }, //')).toHaveLength(HOSTILE.length + 1);
    const resampled = codeOf(input({ ...dated, every: 'month' }));
    expect(resampled.split('end_date')).toHaveLength(2);
    expect(resampled.indexOf(filter)).toBeGreaterThan(resampled.indexOf('table.resample'));
  });

  it('is valid TypeScript', () => {
    const typescript = codeOf(input({ every: 'year' }));
    expect(transformSync(typescript, { loader: 'ts', format: 'esm' }).code).toContain('getDf');
  });
});
