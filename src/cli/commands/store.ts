import { required } from '../../model/schema/check.js';
import { TEXT } from '../../model/schema/schemas.js';
import { STORE } from '../options/flag-groups.js';
import { flag, word } from '../options/flags.js';

export const INIT = {
  name: 'init',
  summary: 'create a store on ClickHouse servers',
  description: 'Create the tables of a store on ClickHouse servers.',
  takes: {
    store: flag(
      '--store <address>',
      required(TEXT),
      'clickhouse://HOST[:PORT][,HOST…]/DATABASE[?cluster=NAME][&tls=true]',
    ),
    print: flag('--print', 'print the statements without running them'),
  },
  help: `
Creates the database on each server in the address that has no part of the store yet, and keeps existing data.
The command logs in with CROPFRAME_CLICKHOUSE_USER and CROPFRAME_CLICKHOUSE_PASSWORD, or with the password in the file
CROPFRAME_CLICKHOUSE_PASSWORD_FILE. Each server is a shard. You cannot change the number or order of the shards later.

--print prints the statements so that you can run them yourself, with ON CLUSTER if the address has ?cluster=NAME. Then run
the command without --print to record the store's id and each server's shard.

Examples:
  $ cropframe store init --store clickhouse://ch1,ch2,ch3/farm
  $ cropframe store init --store "clickhouse://ch1,ch2,ch3/farm?cluster=main" --print`,
};

export const CHECK = {
  name: 'check',
  summary: "list a store's sources and faults",
  description: "List a store's sources, and find its faults.",
  takes: { store: STORE, json: flag('--json', 'print the findings as JSON') },
  help: `
The command lists the store's sources with their numbers of series and points. It reads every value and looks for faults:
ids without an entity, points without a series, wrong counts, and damage to a backup. If it finds any, it exits with code 1.

Examples:
  $ cropframe store check --store farm.duckdb
  $ cropframe store check --store farm.duckdb --json`,
};

export const BACKUP = {
  name: 'backup',
  summary: 'write a backup of a store',
  description: 'Write a backup of a store to a new file.',
  usage: '[options] <store> <to>\n       cropframe store backup [options] --host <url> <to>',
  takes: {
    store: word('[store]', 'store file; omitted with --host'),
    to: word('[to]', 'backup file, which must not exist yet'),
    host: flag('--host <url>', 'URL of a service, instead of a store file'),
    token: flag('--token <token>', 'access token with the right to administer (default: $API_TOKEN)'),
    json: flag('--json', 'print the result as JSON'),
  },
  help: `
The backup contains the store as it is when the command begins. It is verified and then renamed into place.
A service may serve the store in the meantime. The backup does not include users and tokens, which are in STORE.access.json.

With --host, a running service makes the backup and sends it, even if it allows imports. The command verifies the backup.
The token must have the right to administer: cropframe token create --right administer.

Examples:
  $ cropframe store backup farm.duckdb /backups/farm-2026-11-22.duckdb
  $ cropframe store backup --host https://data.example.org /backups/farm-2026-11-22.duckdb
  $ cropframe store check --store /backups/farm-2026-11-22.duckdb`,
};

export const COPY = {
  name: 'copy',
  summary: 'copy a store to or from ClickHouse servers',
  description: 'Copy a store into an empty one.',
  takes: {
    from: word('<from>', 'file or address of the store to copy'),
    to: word('<to>', 'a new file, or the address of an empty store'),
    json: flag('--json', 'print the result as JSON'),
  },
  help: `
A store is a file, or an address on ClickHouse servers (clickhouse://HOST[,HOST…]/DATABASE). If you copy to a file, it must
not exist yet. If you copy to servers, first create an empty store there with "cropframe store init". The copy includes
revisions and import dates, but not users and tokens, which you must create again. Both stores can be served in the
meantime. Later imports into the original are not copied.

A copy is a single import: readers see nothing of it until every point is stored. An interrupted copy leaves nothing
behind.

To change the number of shards, copy the store.

Examples:
  $ cropframe store copy farm.duckdb clickhouse://ch1,ch2,ch3/farm
  $ cropframe store copy clickhouse://ch1,ch2,ch3/farm farm.duckdb`,
};

export const RESTORE = {
  name: 'restore',
  summary: 'restore a store from a backup',
  takes: {
    backup: word('<backup>', 'backup file'),
    store: word('<store>', 'store file'),
    replace: flag('--replace', 'replace an existing store'),
    json: flag('--json', 'print the result as JSON'),
  },
  help: `
The command copies the backup, which may be any store that no process writes to, verifies the copy, and renames it into
place: a damaged backup changes nothing. A running service keeps the old store until you restart it.

Examples:
  $ cropframe store restore /backups/farm-2026-11-22.duckdb farm.duckdb --replace`,
};
