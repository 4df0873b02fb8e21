import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../../src/model/errors.js';
import { parseAddress } from '../../../../src/store/clickhouse/engine/address.js';

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
    ['clickhouse://', /is not the address of a ClickHouse store/],
    ['clickhouse:///farm', /is not the address of a ClickHouse store/],
    ['clickhouse://a', /has no database name/],
    ['clickhouse://a/', /has no database name/],
    ['clickhouse://a/my-farm', /letters, digits and _/],
    ['clickhouse://a/b/c', /is not the address/],
    ['clickhouse://a/b#c', /is not the address/],
    ["clickhouse://a/b?cluster=x'; DROP", /cluster must be the name/],
    ['clickhouse://a/b?tls=yes', /tls must be true or false/],
    ['clickhouse://a/b?secure=true', /unknown option secure/],
    ['clickhouse://a:70000/b', /"a:70000" is not a host/],
    ['clickhouse://a,,b/c', /"" is not a host/],
    ['clickhouse://a,a:8123/c', /lists a:8123 twice/],
  ])('refuses %s', (text, message) => {
    expect(() => parseAddress(text)).toThrow(StoreError);
    expect(() => parseAddress(text)).toThrow(message);
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
