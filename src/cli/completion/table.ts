import type { Command } from 'commander';

/** An option as a shell completes it. */
export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** What follows it: nothing, one of some words, a file, or any text. */
  readonly value: 'none' | 'file' | 'text' | readonly string[];
}

/** One command as a shell completes it. */
export interface CompletedCommand {
  /** The words that lead to it, without the command's own name: `token create`; empty for the whole command. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** Words that its first argument may be. */
  readonly choices: readonly string[];
  readonly takesFiles: boolean;
}

/** The whole command with all below it, read from what the parser knows. */
export function completionTable(program: Command): CompletedCommand[] {
  return walk(program, '');
}

function walk(command: Command, path: string): CompletedCommand[] {
  const options = command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      flag: option.long ?? option.short!,
      description: option.description,
      value: takenValue(option.flags, option.argChoices),
    }));
  const args = command.registeredArguments;
  const own: CompletedCommand = {
    path,
    subcommands: command.commands.map((one) => ({
      name: one.name(),
      description: one.summary() || one.description(),
    })),
    options,
    choices: args[0]?.argChoices ?? [],
    takesFiles: args.some((one) => /^files?$/.test(one.name())),
  };
  return [own, ...command.commands.flatMap((one) => walk(one, `${path} ${one.name()}`.trim()))];
}

function takenValue(flags: string, choices: readonly string[] | undefined): CompletedOption['value'] {
  if (choices !== undefined) return choices;
  if (!flags.includes('<')) return 'none';
  return flags.includes('<file>') ? 'file' : 'text';
}
