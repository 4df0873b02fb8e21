import { VERSION } from '../contract/wire-names.js';
import { createProgram } from './program.js';
import { exitCodeOf } from './terminal/exit-codes.js';
import { reportFailure } from './terminal/failure.js';
import type { CommandContext, CommandIo } from './terminal/io.js';

/**
 * Runs one command and returns its exit code. Throws nothing, and does not touch the process.
 * @param argv the arguments after the command's name
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  const context: CommandContext = { ...io, exitCode: 0 };
  try {
    await createProgram(context, VERSION).parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    await reportFailure(error, io).catch(() => {});
    return exitCodeOf(error);
  }
}
