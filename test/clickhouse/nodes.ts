import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../free-ports.js';
import { PYTHON } from '../python.js';
import { nodeConfig, SECOND_USER, usersConfig } from './node-config.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const LIBRARY = join(HERE, 'node_modules', '@chdb', 'lib-linux-x64-gnu', 'libchdb.so');
const PROGRAM = join(HERE, 'node.py');

const MAX_STARTS = 3;
const MAX_START_MS = 60_000;
const POLL_MS = 50;

/** Waits for connections until the node is ended; a node has no server of its own that would keep it running. */
const LISTEN = `SYSTEM START LISTEN TCP; SYSTEM START LISTEN HTTP;
  SELECT sleepEachRow(1) FROM numbers(100000) SETTINGS max_block_size = 1 FORMAT Null`;

interface NodePorts {
  readonly http: number;
  readonly tcp: number;
}

/** ClickHouse servers on this machine. They end with this process. */
export class Nodes {
  readonly #ports: readonly NodePorts[];
  readonly #folder: string;
  readonly #running: (ChildProcess | null)[];
  #secondPassword: string = SECOND_USER.password;

  private constructor(ports: readonly NodePorts[], folder: string) {
    this.#ports = ports;
    this.#folder = folder;
    this.#running = ports.map(() => null);
  }

  /** Starts so many nodes with empty databases; with other ports when something took one of them first. */
  static async start(count: number, starts = 1): Promise<Nodes> {
    const free = await freePorts(2 * count);
    const ports = Array.from({ length: count }, (_, i) => ({ http: free[2 * i]!, tcp: free[2 * i + 1]! }));
    const nodes = new Nodes(ports, mkdtempSync(join(tmpdir(), 'cropframe-clickhouse-')));
    try {
      await Promise.all(ports.map((_, i) => nodes.startNode(i)));
    } catch (error) {
      await nodes.stop();
      if (starts === MAX_STARTS) throw error;
      return Nodes.start(count, starts + 1);
    }
    return nodes;
  }

  /** `host:port` of each node. */
  get hosts(): readonly string[] {
    return this.#ports.map(({ http }) => `127.0.0.1:${http}`);
  }

  /** The process of a node. */
  pid(i: number): number {
    return this.#running[i]!.pid!;
  }

  /** The address of a store in a database of all nodes. */
  address(database: string): string {
    return `clickhouse://${this.hosts.join(',')}/${database}`;
  }

  /** Runs a statement on a node as the user without a password. @returns what it answers, in TSV */
  async query(i: number, sql: string): Promise<string> {
    const answer = await fetch(`http://${this.hosts[i]}/`, { method: 'POST', body: sql });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`node ${i}: ${text}`);
    return text;
  }

  /** Gives the second user another password on every node; it takes a new start. */
  async changePassword(password: string): Promise<void> {
    this.#secondPassword = password;
    for (const i of this.#ports.keys()) {
      await this.kill(i);
      await this.startNode(i);
    }
  }

  /** Starts a node, or starts it again with what it stored. */
  async startNode(i: number): Promise<void> {
    const folder = join(this.#folder, String(i));
    mkdirSync(join(folder, 'data'), { recursive: true });
    const tcpPorts = this.#ports.map(({ tcp }) => tcp);
    writeFileSync(join(folder, 'config.xml'), nodeConfig({ folder, tcpPorts }));
    writeFileSync(join(folder, 'users.xml'), usersConfig(this.#secondPassword));
    const { http, tcp } = this.#ports[i]!;
    const child = spawn(
      PYTHON,
      [
        PROGRAM,
        LIBRARY,
        `--config-file=${join(folder, 'config.xml')}`,
        `--path=${join(folder, 'data')}`,
        '--listen_host=127.0.0.1',
        `--http_port=${http}`,
        `--tcp_port=${tcp}`,
        '--query',
        LISTEN,
      ],
      { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] },
    );
    this.#running[i] = child;
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2000);
    });
    await this.#answering(i, child, () => errors);
  }

  /** Moves what a node stores to a folder, of another disk for example, where it stays from then on. */
  async moveData(i: number, folder: string): Promise<void> {
    await this.kill(i);
    const data = join(this.#folder, String(i), 'data');
    cpSync(data, folder, { recursive: true });
    rmSync(data, { recursive: true });
    symlinkSync(folder, data);
    await this.startNode(i);
  }

  /** Ends a node as a crash does. */
  kill(i: number): Promise<void> {
    return this.#end(i, 'SIGKILL');
  }

  /** Stops the process of a node until `resume`: it is reached, but does not answer. */
  pause(i: number): void {
    this.#running[i]?.kill('SIGSTOP');
  }

  resume(i: number): void {
    this.#running[i]?.kill('SIGCONT');
  }

  /** Ends all nodes, and removes what they stored. */
  async stop(): Promise<void> {
    await Promise.all(this.#ports.map((_, i) => this.kill(i)));
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(i: number, signal: NodeJS.Signals): Promise<void> {
    const child = this.#running[i];
    this.#running[i] = null;
    if (child == null || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  async #answering(i: number, child: ChildProcess, errors: () => string): Promise<void> {
    const { http } = this.#ports[i]!;
    const deadline = Date.now() + MAX_START_MS;
    while (Date.now() < deadline) {
      if (child.exitCode !== null || child.signalCode !== null) break;
      if ((await folderOfServer(http)) === join(this.#folder, String(i), 'data/')) return;
      await sleep(POLL_MS);
    }
    const log = join(this.#folder, String(i), 'error.log');
    const logged = existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '';
    throw new Error(`node ${i} did not start:\n${errors()}\n${logged}`);
  }
}

/** Where the server at a port stores its data; null when there is none. */
async function folderOfServer(port: number): Promise<string | null> {
  const sql = encodeURIComponent("SELECT path FROM system.disks WHERE name = 'default' FORMAT TSVRaw");
  const answer = await fetch(`http://127.0.0.1:${port}/?query=${sql}`).catch(() => null);
  return answer?.ok ? (await answer.text()).trimEnd() : null;
}
