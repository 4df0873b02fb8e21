import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { loadOptional } from '../../src/model/load-optional.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cropframe-optional-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

/** A project with a package `field-kit`, whose code this is. */
function makeProject(name: string, code: string): string {
  const kit = join(folder, name, 'node_modules/field-kit');
  mkdirSync(kit, { recursive: true });
  writeFileSync(join(kit, 'index.js'), code);
  return join(folder, name);
}

describe('a package that is installed where it is needed', () => {
  const north = makeProject('north', "module.exports = 'north';");
  const south = makeProject('south', "module.exports = 'south';");

  it('is undefined where it is not', () => {
    expect(loadOptional('field-kit')).toBeUndefined();
    expect(loadOptional('field-kit', [folder])).toBeUndefined();
  });

  it('comes from the first folder that has it', () => {
    expect(loadOptional('field-kit', [folder, north, south])).toBe('north');
    expect(loadOptional('field-kit', [south, north])).toBe('south');
  });

  it('comes from the project of the working directory, else from that of cropframe', () => {
    expect(loadOptional('write-excel-file/node', [north])).toBeTypeOf('function');
    // The working directory of a thread cannot be changed.
    vi.spyOn(process, 'cwd').mockReturnValue(south);
    expect(loadOptional('field-kit')).toBe('south');
    expect(loadOptional('field-kit', [north])).toBe('north');
    expect(loadOptional('write-excel-file/node')).toBeTypeOf('function');
  });

  it('says itself why it cannot be loaded', () => {
    const broken = makeProject('broken', "throw new RangeError('no field kit for this machine');");
    expect(() => loadOptional('field-kit', [broken, north])).toThrow('no field kit for this machine');
  });
});
