import { programNeedingTerminal } from '../../../src/adapters/terminal/needsTerminal';
import { toolsFor } from '../../../src/core/tools/toolsFor';

export const needsTerminal = programNeedingTerminal;

export const knownTools: readonly string[] = toolsFor({ toolsets: ['all'] }).map(({ name }) => name);
