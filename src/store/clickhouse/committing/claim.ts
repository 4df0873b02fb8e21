import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../../model/errors.js';
import { isMarkAlive, mark, unmark } from '../../process-lock.js';
import type { Cluster } from '../engine/cluster.js';

/** How often a claim says that its process is alive, and after how long without that it is taken over. */
const BEAT_MS = 3_000;
const DEAD_MS = 30_000;

/** Of importers that want the claim at one moment all withdraw; they try again after up to so long, so many times. */
const MAX_DELAY_MS = 300;
const MAX_TRIES = 20;

interface LiveClaim {
  readonly importer: string;
  /** The process and the machine, for people. */
  readonly holder: string;
  /** Whether it has the claim, and does not only want it. */
  readonly isHeld: boolean;
  /** Whether its process has ended, or has said nothing for long. */
  readonly isDead: boolean;
}

/**
 * The right to import, which one importer at a time has. There is no compare-and-swap: whoever wants the claim inserts a row,
 * reads all of them, and has it only when there is no other; otherwise it withdraws.
 * The claim of a process that has ended is taken over. If that process goes on after all, it cannot commit any more: the
 * number of its import is given up before another one begins.
 */
export class Claim {
  /** Aborted when another importer has taken the claim over. */
  readonly signal: AbortSignal;

  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;

  readonly #cluster: Cluster;

  private constructor(
    cluster: Cluster,
    readonly importer: string,
  ) {
    this.#cluster = cluster;
    this.signal = this.#lost.signal;
    this.#timer = setInterval(() => void this.#beat().catch(() => {}), BEAT_MS);
    this.#timer.unref();
  }

  /** @throws StoreError that names the importer that has the claim */
  static async take(cluster: Cluster): Promise<Claim> {
    for (let tried = 0; ; tried++) {
      const { importer, others } = await tryToClaim(cluster);
      if (importer !== null) return new Claim(cluster, importer);
      const other = others.find(({ isHeld }) => isHeld) ?? (tried < MAX_TRIES ? undefined : others[0]);
      if (other !== undefined) throw runningError(cluster.location, other);
      await sleep(Math.random() * MAX_DELAY_MS);
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await note(this.#cluster, this.importer, 'released').catch(() => {});
    unmark(this.importer);
  }

  async #beat(): Promise<void> {
    await note(this.#cluster, this.importer, 'held');
    const released = await this.#cluster.first.rows(
      `SELECT 1 FROM claim WHERE importer = {importer:UUID} AND state = 'released' LIMIT 1`,
      { importer: this.importer },
    );
    if (released.length > 0) this.#lost.abort(takenOverError(this.#cluster.location));
  }
}

/** An importer that was stopped for too long. */
export function takenOverError(location: string): StoreError {
  return new StoreError(
    `${location}: this import paused for so long that another one took its place, and nothing of it was stored; run it again`,
  );
}

function runningError(location: string, { holder }: LiveClaim): StoreError {
  const [pid, host] = holder.split(' ');
  return new StoreError(
    `${location}: another import is running (process ${pid} on ${host}); wait until it has ended`,
  );
}

/** The importer that has the claim now, or else the live ones that want it too. */
async function tryToClaim(
  cluster: Cluster,
): Promise<{ importer: string | null; others: readonly LiveClaim[] }> {
  const importer = randomUUID();
  mark(importer);
  try {
    await note(cluster, importer, 'wanted');
    const claims = await readClaims(cluster);
    const others = claims.filter((claim) => claim.importer !== importer);
    const living = others.filter(({ isDead }) => !isDead);
    if (others.length < claims.length && living.length === 0) {
      for (const dead of others) await note(cluster, dead.importer, 'released');
      await note(cluster, importer, 'held');
      return { importer, others: [] };
    }
    await note(cluster, importer, 'released');
    unmark(importer);
    return { importer: null, others: living };
  } catch (error) {
    unmark(importer);
    throw error;
  }
}

/** The clock is that of the server, which all importers share. */
async function note({ first }: Cluster, importer: string, state: string): Promise<void> {
  await first.run(
    `INSERT INTO claim (importer, state, holder, at_ms)
     SELECT {importer:UUID}, {state:String}, {holder:String}, toUnixTimestamp64Milli(now64(3))`,
    { importer, state, holder: `${process.pid} ${hostname()}` },
  );
}

/** The claims that are not released. */
async function readClaims({ first }: Cluster): Promise<LiveClaim[]> {
  const found = await first.rows(
    `SELECT importer, any(holder) AS holder, countIf(state = 'held') > 0 AS is_held,
      toUnixTimestamp64Milli(now64(3)) - max(at_ms) AS quiet_ms
     FROM claim GROUP BY importer HAVING countIf(state = 'released') = 0`,
  );
  return found.map(({ importer, holder, is_held, quiet_ms }) => ({
    importer: String(importer),
    holder: String(holder),
    isHeld: Number(is_held) > 0,
    isDead: Number(quiet_ms) > DEAD_MS || !isMarkAlive(`${holder} ${importer}`),
  }));
}
