import type { TestProject } from 'vitest/node';
import { Nodes } from './nodes.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** `host:port` of the three nodes that all tests share. Tests that end nodes start their own. */
    clickhouseHosts: readonly string[];
  }
}

/** Starts the nodes of the stage, and ends them after its last test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const nodes = await Nodes.start(3);
  project.provide('clickhouseHosts', nodes.hosts);
  return () => nodes.stop();
}
