import type { Command } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { hashPassword } from '../../service/access/auth.js';
import { accessOf, storeOption } from '../options/store-file.js';
import { type CommandContext, writeLine } from '../terminal/io.js';
import { readNewPassword } from '../terminal/password.js';

const HELP = `
The password is asked for twice without echo, or read from the first line of standard input when that is no terminal.
Adding a user again changes the password. The user then gets tokens from a running service:

Examples:
  $ cropframe user add ana@example.org --store farm.duckdb
  $ cropframe user add ana@example.org --store farm.duckdb < password.txt
  $ cropframe --user_email ana@example.org --print_token`;

/** `cropframe user add`: who may ask for tokens. */
export function addUserCommand(program: Command, context: CommandContext): void {
  const user = program
    .command('user')
    .summary('users who may ask for tokens')
    .description('Users of a store.');
  user
    .command('add')
    .description('Add a user, or change the password of one.')
    .argument('<email>', 'how the user signs in')
    .addOption(storeOption())
    .addHelpText('after', HELP)
    .action((email: string, options: { store: string }) => addUser(context, email, options.store));
}

async function addUser(context: CommandContext, given: string, file: string): Promise<void> {
  const email = readEmail(given);
  const access = accessOf(file);
  const known = await access.user(email);
  const password = await readNewPassword(context);
  await access.putUser({ email, passwordHash: await hashPassword(password) });
  await writeLine(context.stdout, known === null ? `added ${email}` : `changed the password of ${email}`);
}

/** An email as users are known by it. @throws ArgumentError when it is none */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new ArgumentError('email', `"${text}" is no email address`);
}
