import type { Command } from 'commander';

/** An option as a shell completes it. */
export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** Its value: none, a file, any text, or one of these words. */
  readonly value: 'none' | 'file' | 'text' | readonly string[];
}

/** One command as a shell completes it. */
export interface CompletedCommand {
  /** The words after `cropframe`, such as `token create`; empty for `cropframe` itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** The allowed words of its first argument. */
  readonly choices: readonly string[];
  readonly takesFiles: boolean;
}

/** The command and all its subcommands, as the parser knows them. */
export function completionTable(program: Command): CompletedCommand[] {
  return collect(program, '');
}

function collect(command: Command, path: string): CompletedCommand[] {
  const options = command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      flag: option.long ?? option.short!,
      description: option.description,
      value: completedValue(option.flags, option.argChoices),
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
  return [own, ...command.commands.flatMap((one) => collect(one, `${path} ${one.name()}`.trim()))];
}

function completedValue(flags: string, choices: readonly string[] | undefined): CompletedOption['value'] {
  if (choices !== undefined) return choices;
  if (!flags.includes('<')) return 'none';
  return flags.includes('<file>') ? 'file' : 'text';
}
