import { openQuestionHash, openQuestionPlace, openQuestions, undecidedActions } from '../../core/log/openActions';
import { settingsOf } from '../../core/log/runSettings';
import { statusOf } from '../../core/log/status';
import type { History } from '../../core/log/projection';
import { asksAlways } from '../../core/risk/confirmation';
import type { Action } from '../../protocol/events/event';
import { hasInvisible } from '../../protocol/plain/invisible';
import { continueCommand } from './continueCommand';
import { describeAction } from '../consent/decide';
import { escapeForTerminal } from '../output/escapeForTerminal';
import type { ExitCode } from '../output/exitCodes';

/** A run that does nothing more in this process. */
interface RunAtRest {
  readonly history: History;
  /** The file of its log. */
  readonly log: string;
  /** Options that a continued run needs again. */
  readonly again: readonly string[];
}

/** Returns the exit code of a run at rest, and a message for people. */
export function exitCode(run: RunAtRest): { code: ExitCode<'run'>; words?: string } {
  const { history, log } = run;
  const kept = `The session is kept in ${log}; --log continues it.`;
  const last = history.findLast((event) => event.type === 'finished');
  switch (statusOf(history)) {
    case 'idle':
      return { code: 0 };
    case 'waiting_for_confirmation':
      return { code: 3, words: consentNeeded(run) };
    case 'waiting_for_answer':
      return { code: 3, words: answerNeeded(run) };
    case 'paused':
      if (isHeldByHook(history))
        return {
          code: 3,
          words: `Hooks of this folder block the run. Read their messages; --agree hooks approves their current version, --no-hooks runs none.\n${kept}`,
        };
      return { code: 130, words: kept };
    case 'finished':
      if (last?.status === 'submitted') return { code: 0 };
      if (last?.status === 'limit_exceeded') return { code: 2, words: kept };
      return { code: last?.status === 'stopped' ? 130 : 1, words: kept };
    default:
      return { code: 1, words: kept };
  }
}

/** Number of hash digits that name a question on the command line. */
const shownDigits = 12;

/** What is pending, why, where it would run, and the commands that let it run. */
function consentNeeded(run: RunAtRest): string {
  const { history, log, again } = run;
  const waiting = undecidedActions(history);
  const next = waiting.flatMap((action) => waysOn(action, run));
  const asksNothing = continueCommand(log, again, ['Go on.', '--confirm', 'never']);
  return [
    `${waiting.length === 1 ? 'An action needs approval' : `${waiting.length} actions need approval`}, and nobody can be asked here. Running it again approves nothing.`,
    ...waiting.map((action) => describeAction(action, openQuestionPlace(action.id, history)).replace(/^/gm, '  ')),
    ...next,
    ...consentBeforehand(waiting, run),
    `To be asked, at a terminal: ${continueCommand(log, again, ['Go on.'])}`,
    ...(waiting.some(({ risk }) => asksAlways(risk)) ? [] : [`To skip nearly all questions: ${asksNothing}`]),
  ].join('\n');
}

/** How to approve all pending actions by kind, if each has one. */
function consentBeforehand(waiting: readonly Action[], { history, log, again }: RunAtRest): string[] {
  const covers = waiting.map(({ risk }) => (asksAlways(risk) || risk.tainted ? undefined : risk.coveredBy));
  if (covers.some((cover) => cover === undefined)) return [];
  const consented = settingsOf(history)?.asking?.consented ?? [];
  const kinds = [...new Set([...consented, ...covers.flatMap((cover) => cover?.kinds ?? [])])];
  return [`To allow actions of this kind: ${continueCommand(log, again, ['Go on.', '--consent', kinds.join(',')])}`];
}

function waysOn({ id }: Action, { history, log, again }: RunAtRest): string[] {
  const name = openQuestionHash(id, history)?.slice(0, shownDigits);
  const place = openQuestionPlace(id, history);
  if (!name || place?.runs === 'nowhere') return [];
  const refused = `To refuse it, with a reason: ${continueCommand(log, again, ['Do not do that.', '--refuse', name])}`;
  const inside = `${place?.outside === undefined ? 'To allow it' : 'To run it in the sandbox'}: ${continueCommand(log, again, ['--approve', name])}`;
  if (place?.outside === undefined) return [inside, refused];
  const outside = `To run it outside, with all rights of your account: ${continueCommand(log, again, ['--approve-outside', name])}`;
  return place.outside === 'first' || place.needsNetwork ? [outside, inside, refused] : [inside, outside, refused];
}

function answerNeeded({ history, log, again }: RunAtRest): string {
  const { question, choices } = openQuestions(history)[0]!;
  return [
    'A question waits for an answer, and nobody can be asked here.',
    `  ${escapeForTerminal(question)}${choices.length > 0 ? ` (${choices.map(escapeForTerminal).join(' / ')})` : ''}`,
    `To answer: ${continueCommand(log, again, [isPlainAnswer(choices[0]) ? choices[0] : 'YOUR ANSWER'])}`,
  ].join('\n');
}

/** A text of the model that is put into a command line must be no option, and completely visible. */
const isPlainAnswer = (choice: string | undefined): choice is string =>
  choice !== undefined && !choice.startsWith('-') && !hasInvisible(choice);

function isHeldByHook(history: History): boolean {
  const last = history.findLast((event) => event.type === 'paused');
  return last?.by === 'hook';
}
