import { spawn } from 'node:child_process';
import { type CommandContext, note } from './io.js';

/** Opens a URL in the user's browser, or writes a note if no browser can be started. */
export async function openInBrowser(context: CommandContext, url: string): Promise<void> {
  if (!(await startBrowser(url, context.env)))
    await note(context, 'no browser could be started; open the URL yourself');
}

/** Starts a browser. @returns whether a program was started */
async function startBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const command = browserCommand(url, { platform: process.platform, env });
  if (command === null) return false;
  const [program, ...args] = command;
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.unref();
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
}

/** Returns the command that opens a URL. Returns null if there is no display, because a text browser might start. */
export function browserCommand(
  url: string,
  { platform, env }: { platform: string; env: Readonly<Record<string, string | undefined>> },
): readonly [string, ...string[]] | null {
  if (env.BROWSER !== undefined && env.BROWSER !== '') return [env.BROWSER, url];
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  const hasScreen = (env.DISPLAY ?? env.WAYLAND_DISPLAY ?? '') !== '';
  return hasScreen ? ['xdg-open', url] : null;
}
