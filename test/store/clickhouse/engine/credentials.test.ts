import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCredentials } from '../../../../src/store/clickhouse/engine/address.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the credentials of a store in ClickHouse', () => {
  it('are those of the user without a password by default', () => {
    expect(readCredentials({ CROPFRAME_CLICKHOUSE_USER: '' })).toEqual({
      user: 'default',
      password: '',
      ca: null,
    });
  });

  it('come from the environment', () => {
    const environment = { CROPFRAME_CLICKHOUSE_USER: 'me', CROPFRAME_CLICKHOUSE_PASSWORD: 'tiger' };
    expect(readCredentials(environment)).toEqual({ user: 'me', password: 'tiger', ca: null });
  });

  it('come from files, whose last line break is not part of the password', () => {
    const [password, ca] = [join(folder, 'password'), join(folder, 'ca.pem')];
    writeFileSync(password, ' a tiger \r\n');
    writeFileSync(ca, 'PEM');
    const environment = { CROPFRAME_CLICKHOUSE_PASSWORD_FILE: password, CROPFRAME_CLICKHOUSE_CA: ca };
    expect(readCredentials(environment)).toMatchObject({ password: ' a tiger ', ca: Buffer.from('PEM') });
  });

  it('are refused where they contradict each other or cannot be read', () => {
    const both = { CROPFRAME_CLICKHOUSE_PASSWORD: 'tiger', CROPFRAME_CLICKHOUSE_PASSWORD_FILE: '/x' };
    expect(() => readCredentials(both)).toThrow(/both set; set only one of them/);
    const missing = join(folder, 'missing');
    expect(() => readCredentials({ CROPFRAME_CLICKHOUSE_PASSWORD_FILE: missing })).toThrow(
      `CROPFRAME_CLICKHOUSE_PASSWORD_FILE is set to ${missing}, which cannot be read (ENOENT)`,
    );
    expect(() => readCredentials({ CROPFRAME_CLICKHOUSE_CA: folder })).toThrow(
      /CROPFRAME_CLICKHOUSE_CA is set to/,
    );
  });
});
