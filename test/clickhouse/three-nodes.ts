import type { TestProject } from 'vitest/node';
import { shareNodes } from './share-nodes.js';

export const setup = (project: TestProject) => shareNodes(project, 3);
