import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSha256, PortableSha256 } from '../../../src/frame/table/sha256.js';

describe('SHA-256 in JavaScript', () => {
  // FIPS 180-2, appendix B.
  it.each([
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ])('of %.20s is that of the standard', (text, expected) => {
    expect(new PortableSha256().update(text).digest('hex')).toBe(expected);
  });

  it('equals Node’s, however the bytes are cut', () => {
    const piece = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const ours = new PortableSha256();
        const nodes = createHash('sha256');
        for (const one of pieces) {
          ours.update(one);
          nodes.update(one);
        }
        expect(ours.digest('hex')).toBe(nodes.digest('hex'));
      }),
    );
  });

  it('is left to Node where there is Node', () => {
    expect(createSha256()).toBeInstanceOf(createHash('sha256').constructor);
    expect(createSha256().update('abc')).toBeDefined();
  });
});

describe('SHA-256 where there is no Node', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each([
    ['modules', { getBuiltinModule: undefined }],
    ['crypto', { getBuiltinModule: () => undefined }],
    ['createHash', { getBuiltinModule: () => ({}) }],
  ])('is ours: without %s', async (missing, lacking) => {
    vi.stubGlobal('process', Object.assign(Object.create(process), lacking));
    // The module looks for Node as it loads: the query makes it another one.
    const path = `../../../src/frame/table/sha256.js?without-${missing}`;
    const sha256: typeof import('../../../src/frame/table/sha256.js') = await import(path);
    const hash = sha256.createSha256();
    expect(hash).toBeInstanceOf(sha256.PortableSha256);
    hash.update('abc');
    expect(hash.digest('hex')).toMatch(/^ba7816bf8f01cfea/);
  });
});
