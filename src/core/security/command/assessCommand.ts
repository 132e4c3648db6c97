import { parse } from 'unbash';
import type { Assessment } from '../../../protocol/event';
import { harmless, worst } from '../assessment';
import type { CommandContext } from './context';
import { judge } from './policy';
import { hiddenIn } from './prescan';
import { TooMuch, type Scope } from './scope';
import { judgeScript } from './walk';

const MAX_WORK = 20_000;
const MAX_CHARACTERS = 100_000;
const readableShells = /^(bash|sh|zsh|dash|ksh)$/;

const high = (reason: string, culprit?: string): Assessment => ({ level: 'high', reasons: [reason], ...(culprit && { culprit }) });

/**
 * Judges the exact text that a shell will run, from its syntax tree. Everything must be understood to be rated below high: an error,
 * an unknown node, word, tool or option, no command at all, or a failure of the analyser itself counts as high. Never throws.
 */
export function assessCommand(text: string, context: CommandContext = {}): Assessment {
  const hidden = hiddenIn(text);
  if (!hidden) return assessWritten(text, context);
  // Whatever hides it, what may never run by itself is still looked for.
  const { floor } = text.length < MAX_CHARACTERS ? assessWritten(text, context) : {};
  return { ...high(hidden.reason, hidden.culprit), ...(floor && { floor }) };
}

function assessWritten(text: string, context: CommandContext): Assessment {
  if (context.shell !== undefined && !readableShells.test(context.shell)) return high(`Commands of ${context.shell} cannot be judged yet.`, text);
  const scope: Scope = { cwd: context.folder ?? '.', variables: new Map(), depth: 0, context, effects: [], written: new Set(), budget: { left: MAX_WORK }, parse };
  try {
    judgeScript(parse(text), scope);
  } catch (error) {
    const { floor } = judged(scope);
    return { ...high(error instanceof TooMuch ? error.message : 'The analyser could not read it.', text), ...(floor && { floor }) };
  }
  if (scope.effects.length === 0 && text.trim() === '') return high('No command was found in it.');
  return judged(scope);
}

const judged = ({ effects, context }: Scope): Assessment => effects.map(effect => judge(effect, context.temporary)).reduce(worst, harmless);
