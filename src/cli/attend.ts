import readline from 'node:readline/promises';
import type { Conversation } from '../core/agent/conversation';
import { openQuestions, statusOf, undecidedActions } from '../core/agent/history';
import type { Action } from '../protocol/event';
import { visible } from './visible';

/** Empty when the run was stopped, or the terminal closed, meanwhile. */
type Ask = (words: string) => Promise<string>;

/** Asks the person at the terminal until the run needs nobody any more, or nobody is there (Ctrl-D). Only a written "y" consents; Enter alone does not. */
export async function attend(conversation: Conversation, interrupted: AbortSignal): Promise<void> {
  const terminal = readline.createInterface({ input: process.stdin, output: process.stderr });
  terminal.on('SIGINT', () => process.emit('SIGINT'));
  const gone = new AbortController();
  terminal.on('close', () => gone.abort());
  const over = AbortSignal.any([interrupted, gone.signal]);
  const asking = async (words: string) => {
    // What was typed before the question was there is no answer to it.
    await new Promise(resolve => setTimeout(resolve, 30));
    terminal.write(null, { ctrl: true, name: 'e' });
    terminal.write(null, { ctrl: true, name: 'u' });
    return terminal.question(words, { signal: over }).catch(() => '');
  };
  try {
    while (!over.aborted) {
      const status = statusOf(conversation.history);
      if (status === 'waiting_for_confirmation') await decide(conversation, undecidedActions(conversation.history)[0]!, asking);
      else if (status === 'waiting_for_answer') await answer(conversation, asking);
      else return;
      await conversation.rested();
    }
  } finally {
    terminal.close();
  }
}

async function decide(conversation: Conversation, action: Action, ask: Ask): Promise<void> {
  const input = typeof action.input === 'object' && action.input !== null && 'command' in action.input ? String(action.input.command) : JSON.stringify(action.input, null, 2);
  process.stderr.write(`\n${visible(action.summary)}\n${visible(input).replace(/^/gm, '  ')}\nRisk ${action.risk.level}: ${action.risk.reasons.map(visible).join(' ')}\n`);
  const words = (await ask('Run once? y = yes, n = no, other words = no, and tell the agent: ')).trim();
  if (statusOf(conversation.history) !== 'waiting_for_confirmation') return;
  if (/^y(es)?$/i.test(words)) conversation.decide(action.id, true);
  else if (words === '') process.stderr.write('Nothing was decided.\n');
  else conversation.decide(action.id, false, /^no?$/i.test(words) ? undefined : words);
}

async function answer(conversation: Conversation, ask: Ask): Promise<void> {
  const [question] = openQuestions(conversation.history);
  const words = await ask(`\n${visible(question!.question)}${question!.choices.length > 0 ? ` (${question!.choices.map(visible).join(' / ')})` : ''}\n> `);
  if (words.trim()) conversation.answer(question!.actionId, words.trim());
}
