import { execFileSync } from 'node:child_process';

/**
 * Ends a process and all that it started.
 * @returns a line for each: its id, how long it ran, and its command
 */
export function killTree(root: number): string[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,etime=,args='], { encoding: 'utf8' });
  const processes = listed.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    return match === null ? [] : [{ id: Number(match[1]), parent: Number(match[2]), match }];
  });
  const tree = processes.filter(({ id }) => id === root);
  for (const { id } of tree) tree.push(...processes.filter(({ parent }) => parent === id));
  for (const { id } of tree) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
  return tree.map(({ id, match }) => `${id} for ${match[3]}: ${match[4]}`);
}
