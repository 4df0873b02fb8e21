import { Argument, type Command } from 'commander';
import { storeOption } from '../options/connection.js';
import { parseEmail } from '../options/option-values.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
On a terminal, the command asks for the password twice and does not echo it; otherwise it reads the first line of
standard input. Adding an existing user changes the password. A user obtains tokens from a running service; see the
last example.

Examples:
  $ cropframe user add ana@example.org --store farm.duckdb
  $ cropframe user add ana@example.org --store farm.duckdb < password.txt
  $ cropframe --user_email ana@example.org --print_token`;

/** `cropframe user add`: the users who may obtain tokens. */
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
    .addHelpText('after', HELP)
    .action(async (address: string, options: { store: string }) => {
      const { addUser } = await import('../actions/user.js');
      await addUser(context, address, options.store);
    });
}
