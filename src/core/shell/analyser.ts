import { parse } from 'unbash';
import type { CommandContext } from './effects/context';
import type { Analyser, Scope } from './effects/scope';
import { judgeCall } from './judgeCall';
import { judgeScript, judgeStatements, judgeText } from './posix/walk';
import { pathsPrinted, programNamed, takesData } from './programs/families';

/** The parts of the analyser that start one another, put together. */
const analyser: Analyser = {
  programNamed,
  judgeCall,
  judgeText,
  judgeScript,
  judgeStatements,
  pathsPrinted,
  takesData,
};

/** Characters. The system lets nobody start a program with much more than that. */
const mostExpanded = 1_000_000;

/**
 * A scope in which nothing has happened yet. `work`: how many parts of the text may be judged before it counts as too
 * much.
 */
export const newScope = (text: string, context: CommandContext, work: number): Scope => ({
  cwd: '.',
  variables: new Map(),
  functions: new Map(),
  depth: 0,
  context,
  effects: [],
  formerly: [],
  written: new Set(),
  budget: { left: work, expanded: mostExpanded },
  parse,
  analyser,
  text,
});
