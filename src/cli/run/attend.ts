import type { Conversation } from '../../core/session/conversation';
import { openQuestions, undecidedActions } from '../../core/log/openActions';
import { settingsOf } from '../../core/log/runSettings';
import { statusOf } from '../../core/log/status';
import type { History } from '../../core/log/projection';
import type { Checkpoint, Mode } from '../../protocol/events/event';
import { openTerminal, type Ask, type Questions } from '../consent/ask';
import { decide, type AskingSession } from '../consent/decide';
import { outsidePrefix } from '../../core/security/sandbox';
import type { ActiveChildren } from './activeChildren';
import { stderr } from '../output/output';
import { escapeForTerminal } from '../output/escapeForTerminal';
import { askForNote, waitsForNote } from './runControls';

/**
 * Asks the user at the terminal until the run no longer needs input, or nobody is there (Ctrl-D). Only a typed "y"
 * counts as consent; Enter alone does not. `stay`: also asks for another task when one is done. Child sessions are
 * asked about in turn, by name.
 */
export async function attend(
  session: AskingSession,
  activeChildren: ActiveChildren,
  interrupted: AbortSignal,
  { stay, questions }: { readonly stay: boolean; readonly questions: Questions },
): Promise<void> {
  const { conversation } = session;
  const terminal = await openTerminal();
  if (!terminal) return;
  const gone = new AbortController();
  const closed = new Promise<void>((resolve) => {
    terminal.lines.on('close', () => {
      gone.abort();
      resolve();
    });
  });
  const over = AbortSignal.any([interrupted, gone.signal]);
  const leave = questions.keepOpen(async (words, options = {}) => {
    // Input typed before the question appeared is not an answer to it.
    await new Promise((resolve) => setTimeout(resolve, 30));
    terminal.lines.write(null, { ctrl: true, name: 'e' });
    terminal.lines.write(null, { ctrl: true, name: 'u' });
    const { unwanted } = options;
    return terminal.readLine(words, unwanted ? AbortSignal.any([over, unwanted]) : over, options);
  });
  try {
    while (!over.aborted) {
      const child = activeChildren.waiting;
      if (child) {
        stderr.write(`\n${escapeForTerminal(child.title)} asks:`);
        await askUntilReady(child, questions.ask, { stay: false });
        await child.conversation.rested();
      } else if (waitsForNote(conversation.history)) {
        await askForNote(conversation, questions.ask, () => over.aborted);
      } else if (!conversation.running && !(await askUntilReady(session, questions.ask, { stay }))) break;
      await Promise.race([activeChildren.needsPerson(conversation), closed]);
    }
  } finally {
    leave();
    terminal.lines.close();
  }
}

/** Asks what the run is waiting for. Resolves to false if it needs no input. */
async function askUntilReady(session: AskingSession, ask: Ask, { stay }: { readonly stay: boolean }): Promise<boolean> {
  const { conversation } = session;
  const { history } = conversation;
  const status = statusOf(history);
  const last = history.at(-1);
  if (status === 'waiting_for_confirmation') await decide(session, undecidedActions(history)[0]!, ask);
  else if (status === 'waiting_for_answer') await answer(conversation, ask);
  else if (last?.type === 'paused' && last.checkpoint) return control(conversation, last.checkpoint, ask);
  else if (last?.type === 'finished' && last.status === 'limit_exceeded' && last.cause !== 'seconds')
    return raiseLimits(conversation, ask);
  else if (isAtRest(history) && settingsOf(history)?.mode === 'human')
    return askForNext(conversation, nextCommand, ask);
  else if (stay && (status === 'idle' || (last?.type === 'finished' && last.status === 'submitted')))
    return askForNext(conversation, 'Next task (empty ends): ', ask);
  else return false;
  return true;
}

/** Returns whether the run waits for a message, also if an earlier run of the command line ended with an answer. */
function isAtRest(history: History): boolean {
  const status = statusOf(history);
  const end = history.findLast((event) => event.type === 'finished');
  return status === 'idle' || (status === 'finished' && end?.cause === 'answer');
}

const nextCommand = `Next command (empty ends; with ${outsidePrefix} before it, it runs outside the sandbox): `;

async function askForNext(conversation: Conversation, question: string, ask: Ask): Promise<boolean> {
  const words = (await ask(`\n${question}`)).trim();
  const mode = modes[words];
  if (mode) conversation.setMode(mode);
  else if (words) conversation.say(words);
  return words !== '';
}

/** The commands of mini-swe-agent's prompts. */
const modes: Readonly<Record<string, Mode>> = { '/c': 'confirm', '/y': 'auto', '/u': 'human', '/p': 'plan' };

async function control(conversation: Conversation, checkpoint: Checkpoint, ask: Ask): Promise<boolean> {
  const where = checkpoint === 'before_acting' ? 'Before acting' : 'Before asking the model';
  const words = (
    await ask(`\n${where}. Enter = next step, r = resume, s = stop, any other text = tell the agent: `)
  ).trim();
  if (words === '') conversation.step();
  else if (/^s(top)?$/i.test(words)) await conversation.stop();
  else if (/^r(esume)?$/i.test(words)) conversation.resume();
  else conversation.say(words);
  return true;
}

async function raiseLimits(conversation: Conversation, ask: Ask): Promise<boolean> {
  const { limits } = settingsOf(conversation.history)!;
  const words = await ask(
    `\nA limit is reached: ${limits.steps || 'any number of'} steps, $${limits.cost || 'any cost'}. New limits as "steps cost" (0 = none, empty = end): `,
  );
  const [steps, cost = String(limits.cost)] = words.trim().split(/[\s,$]+/);
  if (!steps) return false;
  if (!Number.isFinite(Number(steps)) || !Number.isFinite(Number(cost)) || Number(steps) < 0 || Number(cost) < 0)
    stderr.write('Both must be numbers of 0 or more.\n');
  else conversation.setLimits({ ...limits, steps: Number(steps), cost: Number(cost) });
  return true;
}

async function answer(conversation: Conversation, ask: Ask): Promise<void> {
  const [question] = openQuestions(conversation.history);
  const { choices } = question!;
  // Beside choices that are numbers themselves, others would be ambiguous.
  const areNumbered = !choices.some((choice) => /^\s*\d/.test(choice));
  const shown = choices.map((choice, index) => `\n  ${areNumbered ? index + 1 : '-'}  ${escapeForTerminal(choice)}`);
  const hint = choices.length > 0 && areNumbered ? '\nA number or any other answer' : '';
  const typed = (await ask(`\n${escapeForTerminal(question!.question)}${shown.join('')}${hint}\n> `)).trim();
  const chosen = areNumbered && /^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined;
  if (typed) conversation.answer(question!.actionId, chosen ?? typed);
}
