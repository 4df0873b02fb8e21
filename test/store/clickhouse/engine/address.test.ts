import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../../src/model/errors.js';
import { parseAddress, readCredentials } from '../../../../src/store/clickhouse/engine/address.js';
import { temporaryFolder } from '../../../temporary-files.js';

describe('the address of a store in ClickHouse', () => {
  it('names a server for each shard, with the port of HTTP or HTTPS', () => {
    expect(parseAddress('clickhouse://a,b:81,[::1]/farm')).toEqual({
      hosts: ['a:8123', 'b:81', '[::1]:8123'],
      database: 'farm',
      cluster: null,
      tls: false,
      location: 'clickhouse://a:8123,b:81,[::1]:8123/farm',
    });
    expect(parseAddress('ClickHouse://a/farm?tls=true&cluster=main.1')).toMatchObject({
      hosts: ['a:8443'],
      cluster: 'main.1',
      tls: true,
      location: 'clickhouse://a:8443/farm?cluster=main.1&tls=true',
    });
  });

  it.each([
    'clickhouse://',
    'clickhouse:///farm',
    'clickhouse://a',
    'clickhouse://a/my-farm',
    'clickhouse://a/b/c',
    'clickhouse://a/b#c',
    "clickhouse://a/b?cluster=x'; DROP",
    'clickhouse://a/b?tls=yes',
    'clickhouse://a/b?secure=true',
    'clickhouse://a:70000/b',
    'clickhouse://a,,b/c',
    'clickhouse://a,a:8123/c',
  ])('refuses %s with the form of an address', (text) => {
    expect(() => parseAddress(text)).toThrow(StoreError);
    expect(() => parseAddress(text)).toThrow(
      `${text} is not the address of a ClickHouse store: clickhouse://HOST[:PORT]`,
    );
  });

  it.each([
    'clickhouse://me:tiger@a/b',
    'clickhouse://a/b?user=me&password=tiger',
    'clickhouse://a/b?Password=tiger',
    'clickhouse://a,me:tiger@b/c',
  ])('refuses a password without repeating it: %#', (text) => {
    expect(() => parseAddress(text)).toThrow(/must not contain a user name or a password/);
    expect(() => parseAddress(text)).not.toThrow(/tiger/);
  });
});

describe('the credentials of a store in ClickHouse', () => {
  const folder = temporaryFolder();

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
