import type { Command } from 'commander';
import { storeOption } from '../options/connection.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
The check reads every value. It lists the sources of the store with what was imported, and looks for

  faults     ids without an entity, points without a series, counts that are not true, what a backup has lost

The command exits with 1 when it finds anything.

Examples:
  $ cropframe store check --store farm.duckdb
  $ cropframe store check --store farm.duckdb --json`;

const INIT_HELP = `
Creates the database and the tables on the servers that the address names, as far as they are missing; data stays.
CROPFRAME_CLICKHOUSE_USER and CROPFRAME_CLICKHOUSE_PASSWORD log in, or a file that
CROPFRAME_CLICKHOUSE_PASSWORD_FILE names. A server is a shard; their number and order belong to the store.

With --print, the statements are printed, to be run by hand: with ON CLUSTER when the address has ?cluster=NAME. Run the
command without --print afterwards: it adds what the servers know of each other.

Examples:
  $ cropframe store init --store clickhouse://ch1,ch2,ch3/farm
  $ cropframe store init --store "clickhouse://ch1,ch2,ch3/farm?cluster=main" --print`;

const BACKUP_HELP = `
The backup holds the store as it is when the command begins, and a checksum. It is read back before it gets its name.
A service may serve the store meanwhile. Users and tokens are not part of it: they are in STORE.access.json.

With --host, a running service makes the backup, also one that allows imports, and sends it. It is checked here like any
other. The token needs the right to administer: cropframe token create --right administer.

Examples:
  $ cropframe store backup farm.duckdb /backups/farm-2026-11-22.duckdb
  $ cropframe store backup --host https://data.example.org /backups/farm-2026-11-22.duckdb
  $ cropframe store check --store /backups/farm-2026-11-22.duckdb`;

const RESTORE_HELP = `
The backup is copied, and the copy is compared with its checksum before it takes the place of the store: a damaged backup
changes nothing. A service goes on serving the store that it opened until it is started again.

Examples:
  $ cropframe store restore /backups/farm-2026-11-22.duckdb farm.duckdb --replace`;

const COPY_HELP = `
A store is the file of a store, or the address of one on ClickHouse servers (clickhouse://HOST[,HOST…]/DATABASE), which
"cropframe store init" has just created; a file must not exist yet. Series keep their numbers, points all of their revisions,
and imports their dates. Users and tokens are left out: create them anew. Both stores may serve meanwhile; what is imported
into the first one after the beginning is not part of the copy.

All points are read back from both and compared before the copy becomes a store; until then the second one is empty for
readers. Of a copy that breaks off nothing stays.

A store gets another number of shards by being copied.

Examples:
  $ cropframe store copy farm.duckdb clickhouse://ch1,ch2,ch3/farm
  $ cropframe store copy clickhouse://ch1,ch2,ch3/farm farm.duckdb`;

interface BackupOptions {
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `cropframe store`: what is in a store and what is wrong with it, its backups. */
export function addStoreCommand(program: Command, context: CommandContext): void {
  const store = program
    .command('store')
    .summary('check, back up and restore a store')
    .description('Look after a store.');
  addInit(store, context);
  addCheck(store, context);
  store
    .command('backup')
    .summary('write a backup of a store')
    .description('Write a backup of a store into a new file.')
    .argument('[store]', 'file of the store; omitted with --host')
    .argument('[to]', 'file of the backup; it must not exist')
    .usage('[options] <store> <to>\n       cropframe store backup [options] --host <url> <to>')
    .option('--host <url>', 'URL of a service, in place of the file of the store')
    .option('--token <token>', 'its access token, with the right to administer (default: $API_TOKEN)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', BACKUP_HELP)
    .action(async (store: string | undefined, to: string | undefined, options: BackupOptions) => {
      const { backUpStore } = await import('../actions/store.js');
      await backUpStore(context, { files: [store, to].filter((file) => file !== undefined), ...options });
    });
  store
    .command('copy')
    .summary('copy a store onto ClickHouse servers, or back')
    .description('Copy a store into an empty one, and compare all of both.')
    .argument('<from>', 'file or address of the store')
    .argument('<to>', 'a new file, or the address of an empty store')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', COPY_HELP)
    .action(async (from: string, to: string, options: { json?: boolean | undefined }) => {
      const { copyStores } = await import('../actions/store.js');
      await copyStores(context, { from, to, ...options });
    });
  store
    .command('restore')
    .summary('put a backup in the place of a store')
    .description('Put a backup in the place of a store.')
    .argument('<backup>', 'file of the backup')
    .argument('<store>', 'file of the store')
    .option('--replace', 'replace a store that exists')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', RESTORE_HELP)
    .action(
      async (
        backup: string,
        file: string,
        options: { replace?: boolean | undefined; json?: boolean | undefined },
      ) => {
        const { restoreStoreFile } = await import('../actions/store.js');
        await restoreStoreFile(context, { backup, store: file, ...options });
      },
    );
}

function addInit(store: Command, context: CommandContext): void {
  store
    .command('init')
    .summary('create a store on ClickHouse servers')
    .description('Create the tables of a store on ClickHouse servers.')
    .requiredOption(
      '--store <address>',
      'clickhouse://HOST[:PORT][,HOST…]/DATABASE[?cluster=NAME][&tls=true]',
    )
    .option('--print', 'print the statements, and run nothing')
    .addHelpText('after', INIT_HELP)
    .action(async (options: { store: string; print?: boolean | undefined }) => {
      const { initStore } = await import('../actions/store.js');
      await initStore(context, options);
    });
}

function addCheck(store: Command, context: CommandContext): void {
  store
    .command('check')
    .summary('list the sources of a store, and what is wrong')
    .description('List the sources of a store, and find what is wrong with them.')
    .addOption(storeOption())
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', HELP)
    .action(async (options: { store: string; json?: boolean | undefined }) => {
      const { checkStoreFile } = await import('../actions/store.js');
      await checkStoreFile(context, options.store, options);
    });
}
