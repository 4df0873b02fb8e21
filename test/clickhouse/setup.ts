import type { TestProject } from 'vitest/node';
import { NIGHT } from '../endurance.js';
import { Nodes } from './nodes.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** `host:port` of the nodes that all tests share. Tests that end nodes start their own. */
    clickhouseHosts: readonly string[];
  }
}

/** Starts the nodes of a run: one in the gate, three at night. Returns what ends them after its last test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const nodes = await Nodes.start(NIGHT ? 3 : 1);
  project.provide('clickhouseHosts', nodes.hosts);
  return () => nodes.stop();
}
