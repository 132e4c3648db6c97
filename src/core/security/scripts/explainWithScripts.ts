import type { Event } from '../../../protocol/events/event';
import type { Scripts } from '../../ports/scripts';
import type { CommandContext } from '../../shell/effects/context';
import { explainCommand, type Explanation } from '../explainCommand';
import { withScripts } from './assessWithScripts';
import { pinsAtStart } from './pins';

/** Explains a command and the scripts that it runs, judged as in a session that starts now. */
export async function explainWithScripts(
  command: string,
  context: CommandContext,
  scripts: Scripts,
): Promise<Explanation> {
  const began = { type: 'task_started', pins: await pinsAtStart(scripts) } as unknown as Event;
  return (
    (await withScripts(context, scripts, [began], (full) => explainCommand(command, full)))?.answer ??
    explainCommand(command, context)
  );
}
