import { asksAlways } from '../core/security/confirmation';
import { statusOf, undecidedActions, type History } from '../core/agent/history';

/** The exit code of a run that rests, and what a person should be told beside it. */
export function exitCode(history: History, log: string): { code: number; words?: string } {
  const kept = `The session is kept in ${log}; --log continues it.`;
  const last = history.findLast(event => event.type === 'finished');
  switch (statusOf(history)) {
    case 'idle': return { code: 0 };
    case 'waiting_for_confirmation': {
      const otherwise = undecidedActions(history).some(({ risk }) => asksAlways(risk)) ? '; nothing else lets this one run' : ', or with --confirm never where nothing can be harmed';
      return { code: 3, words: `An action needs consent, and nobody can be asked here. Run this in a terminal to be asked${otherwise}.\n${kept}` };
    }
    case 'waiting_for_answer': return { code: 3, words: `A question waits for an answer, and nobody can be asked here. Give the answer as the task.\n${kept}` };
    case 'paused':
      if (isHeldByHook(history)) return { code: 3, words: `Hooks of this folder hold the run. Look at what they say; --agree hooks agrees to them as they are now, --no-hooks runs none.\n${kept}` };
      return { code: 130, words: kept };
    case 'finished':
      if (last?.status === 'submitted') return { code: 0 };
      return { code: last?.status === 'limit_exceeded' ? 2 : last?.status === 'stopped' ? 130 : 1, words: kept };
    default: return { code: 1, words: kept };
  }
}

function isHeldByHook(history: History): boolean {
  const last = history.findLast(event => event.type === 'paused');
  return last?.by === 'hook';
}
