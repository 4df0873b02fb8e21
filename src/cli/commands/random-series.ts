import { checkText, meant, whole } from '../../model/arguments/checks.js';
import { FIELDS } from '../../model/arguments/fields.js';
import { MAX_SEED } from '../../model/seeded-random.js';
import { CONNECTION } from '../options/flag-groups.js';
import { flag, inGroup, withDefault } from '../options/flags.js';

/** What the specification's tool takes, on the command itself: a random series of a selection as a CSV file. */
export const RANDOM_SERIES = {
  ...inGroup('Without a command, write a random series as CSV:', {
    item: flag('--item <name>', FIELDS.item),
    metric: flag('--metric <name>', FIELDS.metric),
    region: flag('--region <name>', FIELDS.region),
    partner_region: flag('--partner_region <name>', FIELDS.partner_region),
    file: withDefault(
      flag('--file <file>', meant('CSV file; - is standard output', checkText)),
      'cropframe-output.csv',
    ),
    seed: flag('--seed <n>', meant('seed that repeats a choice', whole({ max: MAX_SEED }))),
    json: flag('--json', 'print the chosen series and the seed as JSON'),
    user_email: flag('--user_email <email>', 'user to sign in as, if there is no token'),
    user_password: flag('--user_password <password>', 'password of the user (default: prompt without echo)'),
    print_token: flag('--print_token', 'print the access token and exit'),
  }),
  ...CONNECTION,
};
