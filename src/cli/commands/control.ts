import { sendControl } from '../../adapters/log/control';
import type { ControlWord } from '../../core/session/outsideControl';
import { placeOf } from '../../adapters/log/eventLog';
import fs from 'node:fs';
import { storedSessions } from '../run/workplace';
import type { ExitCode } from '../output/exitCodes';

/**
 * Tells a run that works in another process to pause, go on, go one half of a step, or stop. Resolves to the exit code.
 */
export async function control(named: string, word: ControlWord): Promise<ExitCode<'control'>> {
  const isId = /^[\w.-]+$/.test(named) && !named.startsWith('.') && !fs.existsSync(named);
  await sendControl(isId ? placeOf(storedSessions().logOf(named)) : named, word);
  return 0;
}
