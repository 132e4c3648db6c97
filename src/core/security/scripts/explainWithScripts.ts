import type { Event } from '../../../protocol/events/event';
import type { Scripts } from '../../ports/scripts';
import type { CommandContext } from '../../shell/effects/context';
import { explainCommand, type Explanation } from '../explainCommand';
import { withScripts } from './assessWithScripts';
import { pinsAtStart } from './pins';

/** The history of a session that starts now. */
export const historyAtStart = async (scripts: Scripts): Promise<readonly Event[]> => [
  { type: 'task_started', pins: await pinsAtStart(scripts) } as unknown as Event,
];

/** Explains a command and the scripts that it runs, judged as in a session that starts now. */
export async function explainWithScripts(
  command: string,
  context: CommandContext,
  scripts: Scripts,
): Promise<Explanation> {
  const history = await historyAtStart(scripts);
  return (
    (await withScripts(context, scripts, history, (full) => explainCommand(command, full)))?.answer ??
    explainCommand(command, context)
  );
}
