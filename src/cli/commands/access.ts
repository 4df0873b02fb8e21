import { InvalidArgumentError } from 'commander';
import { RIGHTS } from '../../model/access.js';
import { required } from '../../model/schema/check.js';
import { oneOf, TEXT } from '../../model/schema/schemas.js';
import { STORE } from '../options/flag-groups.js';
import { flag, makeRepeatable, parseExpiry, word } from '../options/flags.js';

/** The rights that a token can be given in addition to reading, which every token allows. */
const [, ...GIVEN_RIGHTS] = RIGHTS;

export const CREATE_TOKEN = {
  name: 'create',
  summary: 'create an access token',
  description: 'Create an access token and print it.',
  takes: {
    name: flag('--name <name>', required(TEXT), 'name of the token, for listing and revoking it'),
    email: flag('--email <email>', parseEmail, "owner's email address"),
    expires: flag('--expires <when>', parseExpiry, 'time span (12h, 30d, 8w, 1y) or date (default: never)'),
    right: makeRepeatable(
      flag(
        '--right <right>',
        oneOf(GIVEN_RIGHTS),
        'right to grant in addition to reading: import data, or administer the service',
      ),
    ),
    store: STORE,
    json: flag('--json', 'print the token, its name, rights and times as JSON'),
  },
  help: `
The token is printed only once, because the store keeps only its hash.

Examples:
  $ cropframe token create --name notebook --expires 30d --store farm.duckdb
  $ export API_TOKEN=$(cropframe token create --name cron --store farm.duckdb)
  $ cropframe token create --name loader --right import --expires 1y --store farm.duckdb`,
};

export const LIST_TOKENS = {
  name: 'list',
  summary: 'list the access tokens',
  description: 'List the access tokens by name, with their state. The tokens themselves are not shown.',
  takes: { store: STORE, json: flag('--json', 'print the list as JSON') },
  help: '\nExample:\n  $ cropframe token list --store farm.duckdb',
};

export const REVOKE_TOKEN = {
  name: 'revoke',
  summary: 'revoke an access token',
  description: 'Revoke the access tokens with this name. A running service rejects them immediately.',
  takes: { name: word('<name>', 'name of the token'), store: STORE },
  help: '\nExample:\n  $ cropframe token revoke notebook --store farm.duckdb',
};

export const ADD_USER = {
  name: 'add',
  summary: 'add a user, or change a password',
  description: 'Add a user, or change the password of an existing one.',
  takes: { email: word('<email>', parseEmail, 'email address to sign in with'), store: STORE },
  help: `
On a terminal, the command asks for the password twice and does not echo it. Otherwise, it reads the first line of
standard input. A password must have at least 8 characters. Users obtain tokens from a running service, as in the last
example.

Examples:
  $ cropframe user add ana@example.org --store farm.duckdb
  $ cropframe user add ana@example.org --store farm.duckdb < password.txt
  $ cropframe --user_email ana@example.org --print_token`,
};

export const LIST_USERS = {
  name: 'list',
  summary: 'list the users',
  description: 'List the users by email address.',
  takes: LIST_TOKENS.takes,
  help: '\nExample:\n  $ cropframe user list --store farm.duckdb',
};

export const REMOVE_USER = {
  name: 'remove',
  summary: 'remove a user',
  description: "Remove a user and revoke the user's tokens. A running service rejects them immediately.",
  takes: { email: word('<email>', parseEmail, "user's email address"), store: STORE },
  help: '\nExample:\n  $ cropframe user remove ana@example.org --store farm.duckdb',
};

function parseEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(address)) return address;
  throw new InvalidArgumentError('Specify an email address.');
}
