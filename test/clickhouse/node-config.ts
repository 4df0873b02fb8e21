import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The second user of every node; the first one, `default`, has no password. */
export const SECOND_USER = { name: 'farmer', password: 'correct horse & "battery" <staple>' } as const;

/** A user with a password who may only read. */
export const READING_USER = { name: 'reader', password: 'only reads' } as const;

/** A user with the rights that the documentation asks for. */
export const IMPORTING_USER = { name: 'importer', password: 'imports too' } as const;
const IMPORTING_RIGHTS = [
  'SELECT, INSERT, ALTER DELETE, CHECK, CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP VIEW ON *.*',
  'READ ON REMOTE',
  'TABLE ENGINE ON Atomic',
  'TABLE ENGINE ON MergeTree',
  'TABLE ENGINE ON ReplacingMergeTree',
];

/** A node resides in 350 MB, but counts 16 MB for each database of a store. Three fit on a machine of 8 GB. */
const MEMORY_BYTES = 2_200_000_000;

interface NodeConfig {
  /** The folder of the node. */
  readonly folder: string;
  /** TCP ports of all nodes. */
  readonly tcpPorts: readonly number[];
}

/** The configuration of a node: limits, logs, users, and all nodes as the cluster `nodes`. */
export function nodeConfig({ folder, tcpPorts }: NodeConfig): string {
  const shards = tcpPorts.map(
    (port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`,
  );
  return `<clickhouse>
  <users_config>${join(folder, 'users.xml')}</users_config>
  <remote_servers><nodes>${shards.join('')}</nodes></remote_servers>
  <max_server_memory_usage>${MEMORY_BYTES}</max_server_memory_usage>
  <mark_cache_size>67108864</mark_cache_size>
  <logger><level>warning</level><log>${join(folder, 'server.log')}</log>
    <errorlog>${join(folder, 'error.log')}</errorlog></logger>
</clickhouse>\n`;
}

/** The users of a node. A node's own query logs in as `default`, which therefore has no password. */
export function usersConfig(secondPassword: string): string {
  const user = (
    { name, password }: { name: string; password: string },
    rights: readonly string[],
  ) => `<${name}>
      <password_sha256_hex>${createHash('sha256').update(password).digest('hex')}</password_sha256_hex>
      <networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
      <grants>${rights.map((right) => `<query>GRANT ${right}</query>`).join('')}</grants>
    </${name}>`;
  return `<clickhouse>
  <profiles><default></default></profiles>
  <quotas><default></default></quotas>
  <users>
    <default><password></password><networks><ip>::/0</ip></networks><profile>default</profile>
      <quota>default</quota></default>
    ${user({ name: SECOND_USER.name, password: secondPassword }, ['ALL ON *.*'])}
    ${user(READING_USER, ['SELECT, CHECK ON *.*', 'READ ON REMOTE'])}
    ${user(IMPORTING_USER, IMPORTING_RIGHTS)}
  </users>
</clickhouse>\n`;
}
