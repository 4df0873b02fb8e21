import { spawnSync } from 'node:child_process';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { type CodeInput, codeOf, LANGUAGES, type Language } from '../../../src/explorer/export/code.js';
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

const IN_ALL = Object.keys(LANGUAGES) as Language[];

function input(change: Partial<DataRequest> = {}): CodeInput {
  return { request: { ...request, ...change }, host: 'https://farm.example.org/a', names: HOSTILE };
}

describe('the code of a view', () => {
  it.each(IN_ALL)('keeps names in comments, one line each: %s', (language) => {
    const plain = codeOf(language, { ...input(), names: HOSTILE.map(() => 'x') });
    const code = codeOf(language, input());
    const lines = (text: string) => text.split(/[\n\r\u0085\u2028\u2029]/).length;
    expect(lines(code)).toBe(lines(plain));
    const comment = { typescript: /\/\/ ".*$/gm, python: /# ".*$/gm }[language];
    expect(code.replace(comment, '')).toBe(plain.replace(comment, ''));
  });

  it.each(IN_ALL)('has the token as a variable: %s', (language) => {
    expect(codeOf(language, input())).toContain('API_TOKEN');
  });

  it('asks in each language for the same series, dates, vintage and unit', () => {
    for (const language of IN_ALL) {
      const code = codeOf(language, input());
      expect(code).toContain('https://farm.example.org/a');
      expect(code).toContain('2012-08-10T23:59:59.999Z');
      expect(code).toContain('2010-01-01');
      for (const region of [100, 101, 102, 103, 104]) expect(code).toContain(String(region));
    }
  });

  it('asks once for the same figures of many regions', () => {
    const [first] = request.series;
    const many = input({ series: [first!], regions: [8, 9] });
    expect(codeOf('python', many)).toContain('"regionId": [8, 9]');
    expect(codeOf('python', many)).not.toContain('100');
  });

  it('has verbs of frames where the values are resampled or compared', () => {
    const summed = { every: 'month', how: 'sum', hows: ['sum'] } as const;
    const code = codeOf('typescript', input({ ...summed, scale: 'yoy' }));
    expect(code).toContain('table = table.resample({ to: "monthly", how: "sum" });');
    expect(codeOf('python', input(summed))).toContain('sum of each month');
    const [rain, warmth] = [{ ...request.series[0]!, item_id: 5 }, request.series[1]!];
    const mixed = input({ every: 'month', how: null, series: [rain, warmth], hows: ['sum', 'mean'] });
    expect(codeOf('typescript', mixed)).toContain(
      "how: ({ key }) => (['14-5'].includes([key.metric_id, key.item_id].join('-')) ? 'sum' : 'mean') });",
    );
    expect(codeOf('python', mixed)).toContain('sum of each month and mean of each month');
    // A monthly series stays as it is.
    const stays = input({ every: 'month', how: null, series: [rain], hows: [null] });
    expect(codeOf('python', stays)).not.toContain('of each month');
  });

  it('leaves out a period that ends after the last date, as the page does', () => {
    const code = codeOf('typescript', input({ to: '2012-04-15' }));
    expect(code).toContain('end_date <= new Date("2012-04-15T23:59:59.999Z")');
    expect(codeOf('typescript', input())).not.toContain('table.filter');
  });

  it('is valid TypeScript and Python', () => {
    const typescript = codeOf('typescript', input({ every: 'year' }));
    expect(transformSync(typescript, { loader: 'ts', format: 'esm' }).code).toContain('getDf');
    const python = 'import ast,sys\nprint(len(ast.parse(sys.stdin.read()).body))';
    const read = spawnSync('python3', ['-c', python], { input: codeOf('python', input()), encoding: 'utf8' });
    if (read.error !== undefined) console.warn('python3 is not installed: the program in Python is not read');
    else expect(read.stdout.trim(), read.stderr).toBe('11');
  });
});
