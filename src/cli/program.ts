import { Command } from 'commander';
import { addImportCommand } from './commands/import.js';
import { addServeCommand } from './commands/serve.js';
import { addTokenCommand } from './commands/token.js';
import { addUserCommand } from './commands/user.js';
import { EXIT_CODE_HELP } from './exit-codes.js';
import type { CommandContext } from './io.js';

/** The whole command with every subcommand, bound to its surroundings. */
export function createProgram(context: CommandContext, version: string): Command {
  const program = new Command('cropframe')
    .description('Time series of agriculture: load, serve, find and retrieve them.')
    .version(version, '--version', 'print the version')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => context.stdout.columns ?? 110,
      getErrHelpWidth: () => context.stderr.columns ?? 110,
    })
    .showHelpAfterError('(--help tells more)');
  program.commandsGroup('Run a service:');
  addImportCommand(program, context);
  addServeCommand(program, context);
  addUserCommand(program, context);
  addTokenCommand(program, context);
  program.addHelpText('after', `\n${EXIT_CODE_HELP}`);
  return program;
}
