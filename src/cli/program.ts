import { Command } from 'commander';
import { ArgumentError } from '../model/errors.js';
import { addCompletionCommand } from './commands/completion.js';
import { addDfCommand } from './commands/df.js';
import { addFindCommand } from './commands/find.js';
import { addGddCommand } from './commands/gdd.js';
import { addImportCommand } from './commands/import.js';
import { addPointsCommand } from './commands/points.js';
import { addRandomSeriesTool } from './commands/random-series.js';
import { addSearchCommand } from './commands/search.js';
import { addServeCommand } from './commands/serve.js';
import { addTokenCommand } from './commands/token.js';
import { addUnitsCommand } from './commands/units.js';
import { addUserCommand } from './commands/user.js';
import { EXIT_CODE_HELP } from './terminal/exit-codes.js';
import type { CommandContext } from './terminal/io.js';

const HELP = `
Examples:
  $ cropframe import demo --store demo.duckdb
  $ cropframe find --item "Temperature max" --store demo.duckdb
  $ cropframe serve --store demo.duckdb --no-auth
  $ cropframe --item corn --region Washington --file corn.csv

Environment:
  API_TOKEN        the access token
  CROPFRAME_HOST   the service to ask
  CROPFRAME_DEBUG  1 shows where an error arose

${EXIT_CODE_HELP}`;

/** The whole command with every subcommand, bound to its surroundings. */
export function createProgram(context: CommandContext, version: string): Command {
  const program = new Command('cropframe')
    .usage('[command] [options]')
    .description(
      'Time series of agriculture: load public data sets, serve them, find series and retrieve their points.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => context.stdout.columns ?? 110,
      getErrHelpWidth: () => context.stderr.columns ?? 110,
    })
    .showHelpAfterError('(--help tells more)')
    .addHelpText('after', HELP);
  addRandomSeriesTool(program, context);
  program.commandsGroup('Find and retrieve:');
  addSearchCommand(program, context);
  addFindCommand(program, context);
  addPointsCommand(program, context);
  addDfCommand(program, context);
  addGddCommand(program, context);
  addUnitsCommand(program, context);
  program.commandsGroup('Run a service:');
  addImportCommand(program, context);
  addServeCommand(program, context);
  addUserCommand(program, context);
  addTokenCommand(program, context);
  program.commandsGroup('Other:');
  addCompletionCommand(program, context);
  // After the subcommands, which would inherit it: the command itself tells of a word that is none of them.
  return program.allowExcessArguments().hook('preSubcommand', refuseMisplacedOptions);
}

const BEFORE_COMMANDS: ReadonlySet<string> = new Set(['host', 'token', 'store']);

/** Options of the tool that stands on the command itself say nothing before a subcommand. */
function refuseMisplacedOptions(program: Command, subcommand: Command): void {
  const misplaced = program.options.find((option) => {
    const name = option.attributeName();
    return program.getOptionValueSource(name) === 'cli' && !BEFORE_COMMANDS.has(name);
  });
  if (misplaced === undefined) return;
  throw new ArgumentError(
    misplaced.attributeName(),
    `${misplaced.long} stands before "${subcommand.name()}"; write it behind, where that command has it`,
  );
}
