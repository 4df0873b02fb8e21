import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { RIGHTS, type Right } from '../../model/access.js';
import type { CreateOptions, ListOptions } from '../actions/token.js';
import { storeOption } from '../options/connection.js';
import { parseEmail, parseExpiry } from '../options/option-values.js';
import type { CommandContext } from '../terminal/io.js';

const CREATE_HELP = `
The token is printed only once; the store keeps only its hash.

Examples:
  $ cropframe token create --name notebook --expires 30d --store farm.duckdb
  $ export API_TOKEN=$(cropframe token create --name cron --store farm.duckdb)
  $ cropframe token create --name loader --right import --expires 1y --store farm.duckdb`;

const LIST_HELP = `
Example:
  $ cropframe token list --store farm.duckdb`;

const REVOKE_HELP = `
Example:
  $ cropframe token revoke notebook --store farm.duckdb`;

/** `cropframe token create|list|revoke`: the access tokens of a store. */
export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program
    .command('token')
    .summary('manage the access tokens of a store')
    .description('Manage the access tokens of a store.');
  addCreate(token, context);
  addList(token, context);
  addRevoke(token, context);
}

function addCreate(token: Command, context: CommandContext): void {
  token
    .command('create')
    .summary('create an access token')
    .description('Create an access token and print it.')
    .requiredOption('--name <name>', 'name of the token, for listing and revoking it (required)')
    .addOption(new Option('--email <email>', 'email address of its owner').argParser(parseEmail))
    .addOption(
      new Option('--expires <when>', 'time span (12h, 30d, 8w, 1y) or date (default: never)').argParser(
        (text) => parseExpiry(text),
      ),
    )
    .addOption(
      new Option(
        '--right <right>',
        'what it may do beside reading: import data, or administer the service (repeatable)',
      )
        .choices(GIVEN_RIGHTS)
        .argParser(addRight),
    )
    .addOption(storeOption())
    .option('--json', 'print the token, its name, rights and times as JSON')
    .addHelpText('after', CREATE_HELP)
    .action(async (options: CreateOptions) => {
      const { createToken } = await import('../actions/token.js');
      await createToken(context, options);
    });
}

/** Every token may read. */
const GIVEN_RIGHTS = RIGHTS.filter((right) => right !== 'read');

function addRight(text: string, before: readonly Right[] = []): Right[] {
  const right = GIVEN_RIGHTS.find((one) => one === text);
  if (right !== undefined) return [...before, right];
  throw new InvalidArgumentError(`Allowed choices are ${GIVEN_RIGHTS.join(', ')}.`);
}

function addList(token: Command, context: CommandContext): void {
  token
    .command('list')
    .summary('list the access tokens')
    .description('List the access tokens by name, with their state. The tokens themselves are not shown.')
    .addOption(storeOption())
    .option('--json', 'print the list as JSON')
    .addHelpText('after', LIST_HELP)
    .action(async (options: ListOptions) => {
      const { listTokens } = await import('../actions/token.js');
      await listTokens(context, options);
    });
}

function addRevoke(token: Command, context: CommandContext): void {
  token
    .command('revoke')
    .summary('revoke an access token')
    .description('Revoke the access tokens with this name. A running service refuses them at once.')
    .argument('<name>', 'name of the token')
    .addOption(storeOption())
    .addHelpText('after', REVOKE_HELP)
    .action(async (name: string, options: { store: string }) => {
      const { revokeToken } = await import('../actions/token.js');
      await revokeToken(context, name, options.store);
    });
}

const USER_HELP = `
On a terminal, the command asks for the password twice and does not echo it; otherwise it reads the first line of
standard input. Adding an existing user changes the password. A user obtains tokens from a running service; see the
last example.

Examples:
  $ cropframe user add ana@example.org --store farm.duckdb
  $ cropframe user add ana@example.org --store farm.duckdb < password.txt
  $ cropframe --user_email ana@example.org --print_token`;

/** `cropframe user add|list|remove`: the users who may obtain tokens. */
export function addUserCommand(program: Command, context: CommandContext): void {
  const user = program
    .command('user')
    .summary('manage the users of a store')
    .description('Manage the users of a store, who may obtain access tokens.');
  user
    .command('add')
    .summary('add a user, or change a password')
    .description('Add a user, or change the password of an existing one.')
    .addArgument(new Argument('<email>', 'email address to sign in with').argParser(parseEmail))
    .addOption(storeOption())
    .addHelpText('after', USER_HELP)
    .action(async (address: string, options: { store: string }) => {
      const { addUser } = await import('../actions/token.js');
      await addUser(context, address, options.store);
    });
  user
    .command('list')
    .summary('list the users')
    .description('List the users by email address.')
    .addOption(storeOption())
    .option('--json', 'print the list as JSON')
    .addHelpText('after', '\nExample:\n  $ cropframe user list --store farm.duckdb')
    .action(async (options: ListOptions) => {
      const { listUsers } = await import('../actions/token.js');
      await listUsers(context, options);
    });
  user
    .command('remove')
    .summary('remove a user')
    .description('Remove a user, and revoke the tokens of this user. A running service refuses them at once.')
    .addArgument(new Argument('<email>', 'email address of the user').argParser(parseEmail))
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ cropframe user remove ana@example.org --store farm.duckdb')
    .action(async (address: string, options: { store: string }) => {
      const { removeUser } = await import('../actions/token.js');
      await removeUser(context, address, options.store);
    });
}
