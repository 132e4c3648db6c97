import { sendControl } from '../../adapters/log/control';
import type { ControlWord } from '../../core/session/outsideControl';
import { namedSession } from '../../adapters/sessions/namedSession';
import { storedSessions } from '../run/workplace';
import type { ExitCode } from '../output/exitCodes';

/**
 * Sends a command to a run in another process: pause, resume, advance by half a step, or stop. Resolves to the exit
 * code.
 */
export async function control(named: string, word: ControlWord): Promise<ExitCode<'control'>> {
  await sendControl(namedSession(named, process.cwd(), storedSessions())?.file ?? named, word);
  return 0;
}
