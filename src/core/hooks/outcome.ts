import { withoutInvisible } from '../text/spotlight';
import { hookName, type Hook } from '../ports/hook';
import { withCommas } from '../text/withCommas';

/** How a hook's program ended. */
export interface HookEnd {
  /** Null where it did not end by itself. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It printed more than is kept. */
  readonly cut: boolean;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Why it has no exit code, or was not begun, in words for a person. */
  readonly problem?: string;
}

/**
 * What it means. `block`: what was about to happen does not. `allow` is noted and lets nothing happen that would
 * not anyway. `failed`: it decides nothing.
 */
export interface HookVerdict {
  readonly decision: 'none' | 'allow' | 'block' | 'failed';
  readonly reason?: string;
  /** Words for the model. */ readonly context?: string;
}

/** How many characters of its output a hook may pass to the model. */
const mostCharacters = 10_000;

/**
 * Exit code 0 goes on, and JSON on standard output may say more; 2 refuses; every other end is noted only. JSON that
 * cannot be read may have refused, so it does.
 */
export function verdictOf({ exit, stdout, stderr, cut }: HookEnd): HookVerdict {
  if (exit !== 0 && exit !== 2) return { decision: 'failed' };
  const said = answerIn(stdout);
  if (exit === 0 && said === undefined && stdout.trim().startsWith('{'))
    return { decision: 'block', reason: unreadable(cut) };
  const reason = wordsIn(said?.['reason']) || (exit === 2 ? bounded(stderr.trim() || (said ? '' : stdout.trim())) : '');
  const context = wordsIn(said?.['additionalContext']);
  const decision =
    exit === 2 || refuses(said) ? 'block' : /^(allow|approve)$/i.test(wordsIn(said?.['decision'])) ? 'allow' : 'none';
  return { decision, ...(reason && { reason }), ...(context && { context }) };
}

/** A hook that wants a person to be asked may not be passed over: nobody is asked on its behalf, so it refuses. */
const refuses = (said: Answer | undefined): boolean =>
  said !== undefined && (/^(deny|block|ask)$/i.test(wordsIn(said['decision'])) || said['continue'] === false);

const unreadable = (cut: boolean): string =>
  `Its answer begins with "{" and cannot be read, because it is ${cut ? 'longer than 64 KB' : 'no JSON object'}, so it is no permission. A hook prints one JSON object, or plain text.`;

type Answer = Readonly<Record<string, unknown>>;

function answerIn(stdout: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(stdout.trim());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}

const wordsIn = (value: unknown): string => (typeof value === 'string' ? bounded(value.trim()) : '');
const bounded = (text: string): string => {
  const seen = withoutInvisible(text);
  return seen.length > mostCharacters
    ? `${seen.slice(0, mostCharacters)} … (${seen.length - mostCharacters} more characters)`
    : seen;
};

const why = (reason: string | undefined): string => (reason ? `: ${reason.split('\n')[0]!.slice(0, 300)}` : '.');

/** A line about it for a person. */
export function hookLine(hook: Hook, end: HookEnd, { decision, reason, context }: HookVerdict): string {
  const told = context ? ` It tells the model ${withCommas(context.length)} characters.` : '';
  const name = `${hook.on} hook “${hookName(hook)}”`;
  if (hook.async && !end.problem) return `${name} was started; nobody waits for it.`;
  switch (decision) {
    case 'block':
      return `${name} ${canRefuse.has(hook.on) ? 'refused' : 'objected'}${why(reason)}${told}`;
    case 'allow':
      return `${name} said "allow". What needs a person’s consent still does.${told}`;
    case 'failed':
      return `${name} ${end.problem ?? `ended with exit code ${end.exit}`}. It decides nothing; the run goes on.`;
    case 'none':
      return `${name} ran in ${withCommas(Math.round(end.durationMs))} ms.${told}`;
  }
}

/** The moments at which a hook can keep something from happening. */
export const canRefuse: ReadonlySet<Hook['on']> = new Set<Hook['on']>(['PreToolUse', 'UserPromptSubmit', 'Stop']);
