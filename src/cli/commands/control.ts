import { sendControl } from '../../adapters/log/control';
import type { ControlWord } from '../../core/session/outsideControl';
import { placeOf } from '../../adapters/log/eventLog';
import { isSessionId, storedSessions } from '../run/workplace';
import type { ExitCode } from '../output/exitCodes';

/**
 * Sends a command to a run in another process: pause, resume, advance by half a step, or stop. Resolves to the exit
 * code.
 */
export async function control(named: string, word: ControlWord): Promise<ExitCode<'control'>> {
  const isId = isSessionId(named);
  await sendControl(isId ? placeOf(storedSessions().logOf(named)) : named, word);
  return 0;
}
