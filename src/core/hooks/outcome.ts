import { isRecord } from '../text/parseJson';
import { withoutInvisible } from '../text/spotlight';
import { secrets } from '../secrets/secrets';
import { hookName, type Hook } from '../ports/hook';
import { withCommas } from '../text/withCommas';

/** How the program of a hook ended. */
export interface HookEnd {
  /** Null if it did not exit by itself. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True if its output was truncated. */
  readonly cut: boolean;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Why it has no exit code, or was not started, worded for people. */
  readonly problem?: string;
}

/**
 * Result of a hook. `block`: prevents what was about to happen. `allow`: recorded, but grants nothing that would
 * otherwise need approval. `failed`: no decision.
 */
interface HookVerdict {
  readonly decision: 'none' | 'allow' | 'block' | 'failed';
  readonly reason?: string;
  /** Message for the model. */ readonly context?: string;
}

/** Maximum length of a hook's message to the model, in characters. */
const maxCharacters = 10_000;

/**
 * Exit code 0 continues, and JSON on stdout may say more. 2 refuses. Any other end is only recorded. Invalid JSON
 * counts as a refusal, because it may have been one.
 */
export function verdictOf({ exit, stdout, stderr, cut }: HookEnd): HookVerdict {
  if (exit !== 0 && exit !== 2) return { decision: 'failed' };
  const answer = answerIn(stdout);
  if (exit === 0 && answer === undefined && stdout.trim().startsWith('{'))
    return { decision: 'block', reason: unreadableWords(cut) };
  const reason =
    shownText(answer?.['reason']) ||
    (exit === 2 ? withinMaxLength(stderr.trim() || (answer ? '' : stdout.trim())) : '');
  const context = shownText(answer?.['additionalContext']);
  return { decision: decisionOf(exit, answer), ...(reason && { reason }), ...(context && { context }) };
}

function decisionOf(exit: 0 | 2, said: Answer | undefined): HookVerdict['decision'] {
  if (exit === 2 || refuses(said)) return 'block';
  return /^(allow|approve)$/i.test(shownText(said?.['decision'])) ? 'allow' : 'none';
}

/** "ask" counts as a refusal, because hooks cannot make Waymark ask a person. */
const refuses = (said: Answer | undefined): boolean =>
  said !== undefined &&
  (said['continue'] === false ||
    [said, claudeAnswerIn(said)].some(({ decision }) => /^(deny|block|ask)$/i.test(shownText(decision))));

const unreadableWords = (cut: boolean): string =>
  `Its output begins with "{" but cannot be read, because it is ${cut ? 'longer than 64 KB' : 'not a JSON object'}, so it does not allow anything. A hook must print one JSON object, or plain text.`;

type Answer = Readonly<Record<string, unknown>>;

function answerIn(stdout: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(stdout.trim());
    return isRecord(value) ? { ...claudeAnswerIn(value), ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the answer that a hook written for Claude Code puts into `hookSpecificOutput`, in Waymark's words. */
function claudeAnswerIn({ hookSpecificOutput: specific }: Answer): Answer {
  if (!isRecord(specific)) return {};
  const { permissionDecision, permissionDecisionReason, additionalContext } = specific;
  return {
    ...(permissionDecision !== undefined && { decision: permissionDecision }),
    ...(permissionDecisionReason !== undefined && { reason: permissionDecisionReason }),
    ...(additionalContext !== undefined && { additionalContext }),
  };
}

const shownText = (value: unknown): string => (typeof value === 'string' ? withinMaxLength(value.trim()) : '');
const withinMaxLength = (text: string): string => {
  // Masks before cutting, because half a secret would not be recognized.
  const visible = withoutInvisible(text);
  if (visible.length <= maxCharacters) return visible;
  const masked = secrets.mask(visible);
  return `${masked.slice(0, maxCharacters)} … (${Math.max(0, masked.length - maxCharacters)} more characters)`;
};

const reasonWords = (reason: string | undefined): string =>
  reason ? `: ${secrets.mask(reason).split('\n')[0]!.slice(0, 300)}` : '.';

/** One line about it for people. */
export function hookLine(hook: Hook, end: HookEnd, { decision, reason, context }: HookVerdict): string {
  const added = context ? ` It tells the model ${withCommas(context.length)} characters.` : '';
  const name = `${hook.on} hook “${hookName(hook)}”`;
  if (hook.async && !end.problem) return `${name} was started. Waymark does not wait for it.`;
  switch (decision) {
    case 'block':
      return `${name} ${blockableEvents.has(hook.on) ? 'refused' : 'objected'}${reasonWords(reason)}${added}`;
    case 'allow':
      return `${name} returned "allow". Actions that need the approval of a person still need it.${added}`;
    case 'failed':
      return `${name} ${end.problem ?? `ended with exit code ${end.exit}`}. ${hook.on === 'SessionEnd' ? 'The session ends anyway.' : 'It decides nothing; the run continues.'}`;
    case 'none':
      return `${name} ran in ${withCommas(Math.round(end.durationMs))} ms.${added}`;
  }
}

/** Events that a hook can prevent. */
export const blockableEvents: ReadonlySet<Hook['on']> = new Set<Hook['on']>(['PreToolUse', 'UserPromptSubmit', 'Stop']);
