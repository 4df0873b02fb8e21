import { spawn } from 'node:child_process';

/** Opens a URL in the user's browser. @returns whether something was started for it */
export async function openInBrowser(
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

/**
 * The program that opens a URL: `BROWSER` where it is set, else that of the system. Null on a machine without a screen,
 * where one for terminals could start.
 */
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
