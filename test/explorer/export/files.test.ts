import { describe, expect, it } from 'vitest';
import { fileName } from '../../../src/explorer/export/files.js';

describe('the name of a file', () => {
  it.each([
    ['Yield · Corn · Iowa, Ohio', 'yield-corn-iowa-ohio.csv'],
    ['../../etc/passwd\u0000', 'etc-passwd.csv'],
    ['=1+1', '1-1.csv'],
    ['<img src=x onerror=alert(1)>', 'img-src-x-onerror-alert-1.csv'],
    ['\u202Egnp.exe', 'gnp-exe.csv'],
    ['***', 'cropframe.csv'],
    ['x'.repeat(300), `${'x'.repeat(79)}.csv`],
  ])('of %j has only letters, digits and hyphens', (title, name) => {
    expect(fileName(title, '', 'csv')).toBe(name);
  });

  it('keeps the detail of a long title', () => {
    expect(fileName('x'.repeat(300), 'to 2012-12-31', 'csv')).toBe(`${'x'.repeat(66)}-to-2012-12-31.csv`);
  });
});
