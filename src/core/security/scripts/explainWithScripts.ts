import type { Event } from '../../../protocol/events/event';
import type { Scripts } from '../../ports/environment';
import type { CommandContext } from '../../shell/effects/context';
import { explainCommand, type Explanation } from '../explainCommand';
import { withScripts } from './assessWithScripts';
import { pinsAtStart } from './pins';

/** Explains a command and the scripts that it runs, as a session that begins now would judge it. */
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
