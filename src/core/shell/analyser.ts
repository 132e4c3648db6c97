import { parse } from 'unbash';
import type { CommandContext } from './effects/context';
import type { Analyser, Scope } from './effects/scope';
import { judgeCall } from './judgeCall';
import { judgeScript, judgeText } from './posix/judgeScript';
import { judgeStatements } from './posix/statements';
import { pathsPrinted, programNamed, takesData } from './programs/families';

/** The parts of the analyser that call one another, wired together. */
const analyser: Analyser = {
  programNamed,
  judgeCall,
  judgeText,
  judgeScript,
  judgeStatements,
  pathsPrinted,
  takesData,
};

/** Maximum number of characters after expansion. Operating systems do not start programs with much more. */
const maxExpandedCharacters = 1_000_000;

/**
 * Creates a scope in which nothing has happened yet. `work` is the number of parts that may be judged before the text
 * is rejected as too long.
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
  budget: { left: work, expanded: maxExpandedCharacters },
  parse,
  analyser,
  text,
});
