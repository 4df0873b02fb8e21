import { required } from '../../model/schema/check.js';
import { TEXT, withMeaning } from '../../model/schema/schemas.js';
import { STORE } from '../options/flag-groups.js';
import { flag, word } from '../options/flags.js';

export const INIT = {
  name: 'init',
  summary: 'create a store on ClickHouse servers',
  description: 'Create the tables of a store on ClickHouse servers.',
  takes: {
    store: flag(
      '--store <address>',
      required(withMeaning('clickhouse://HOST[:PORT][,HOST…]/DATABASE[?cluster=NAME][&tls=true]', TEXT)),
    ),
    print: flag('--print', 'print the statements, and run nothing'),
  },
  help: `
Creates the missing parts of the database on the servers that the address names, and keeps existing data.
The command logs in with CROPFRAME_CLICKHOUSE_USER and CROPFRAME_CLICKHOUSE_PASSWORD, or with the password in the file that
CROPFRAME_CLICKHOUSE_PASSWORD_FILE names. Each server is a shard. You cannot change the number and order of the shards later.

--print prints the statements, for you to run: with ON CLUSTER when the address has ?cluster=NAME. Run the command without
--print afterwards: it records the store's id and each server's shard.

Examples:
  $ cropframe store init --store clickhouse://ch1,ch2,ch3/farm
  $ cropframe store init --store "clickhouse://ch1,ch2,ch3/farm?cluster=main" --print`,
};

export const CHECK = {
  name: 'check',
  summary: 'list the sources of a store, and its faults',
  description: 'List the sources of a store, and find its faults.',
  takes: { store: STORE, json: flag('--json', 'print the findings as JSON') },
  help: `
The command lists the sources of the store with their series and points. It reads every value, and looks for faults: ids
without an entity, points without a series, wrong counts, and damage to a backup. If it finds a fault, it exits with 1.

Examples:
  $ cropframe store check --store farm.duckdb
  $ cropframe store check --store farm.duckdb --json`,
};

export const BACKUP = {
  name: 'backup',
  summary: 'write a backup of a store',
  description: 'Write a backup of a store into a new file.',
  usage: '[options] <store> <to>\n       cropframe store backup [options] --host <url> <to>',
  takes: {
    store: word('[store]', 'file of the store; omitted with --host'),
    to: word('[to]', 'file of the backup; it must not exist'),
    host: flag('--host <url>', 'URL of a service, instead of the file of the store'),
    token: flag('--token <token>', 'its access token, with the right to administer (default: $API_TOKEN)'),
    json: flag('--json', 'print the result as JSON'),
  },
  help: `
The backup holds the store as it is when the command begins, and a checksum. It is verified and then renamed into place.
A service may serve the store meanwhile. Users and tokens are not part of the backup: they are in STORE.access.json.

With --host, a running service makes the backup and sends it, even one that allows imports. The command verifies the backup.
The token needs the right to administer: cropframe token create --right administer.

Examples:
  $ cropframe store backup farm.duckdb /backups/farm-2026-11-22.duckdb
  $ cropframe store backup --host https://data.example.org /backups/farm-2026-11-22.duckdb
  $ cropframe store check --store /backups/farm-2026-11-22.duckdb`,
};

export const COPY = {
  name: 'copy',
  summary: 'copy a store onto ClickHouse servers, or back',
  description: 'Copy a store into an empty one, and compare all points.',
  takes: {
    from: word('<from>', 'file or address of the store'),
    to: word('<to>', 'a new file, or the address of an empty store'),
    json: flag('--json', 'print the result as JSON'),
  },
  help: `
A store is a file, or an address on ClickHouse servers (clickhouse://HOST[,HOST…]/DATABASE). The file must not exist yet;
"cropframe store init" creates the empty store on servers. The copy keeps revisions and the dates of imports, and leaves
out users and tokens: create them again. Both stores can be served meanwhile. Later imports into the first one are not
part of the copy.

The command compares all points before the copy becomes a store; until then the second one is empty for readers. An
interrupted copy leaves nothing.

To change the number of shards, copy the store.

Examples:
  $ cropframe store copy farm.duckdb clickhouse://ch1,ch2,ch3/farm
  $ cropframe store copy clickhouse://ch1,ch2,ch3/farm farm.duckdb`,
};

export const RESTORE = {
  name: 'restore',
  summary: 'restore a store from a backup',
  takes: {
    backup: word('<backup>', 'file of the backup'),
    store: word('<store>', 'file of the store'),
    replace: flag('--replace', 'replace a store that exists'),
    json: flag('--json', 'print the result as JSON'),
  },
  help: `
The command copies the backup, compares the copy with its checksum, and renames it into place: a damaged backup changes
nothing. A running service keeps the old store until you restart it.

Examples:
  $ cropframe store restore /backups/farm-2026-11-22.duckdb farm.duckdb --replace`,
};
