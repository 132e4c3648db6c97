import path from 'node:path';
import { exportedFiles } from '../../adapters/sessions/exportedFiles';
import { saveTrajectory } from '../../adapters/sessions/savedTrajectories';
import { writeExport } from '../../adapters/sessions/writeExport';
import type { History } from '../../core/log/projection';
import { mini } from '../../core/trajectory/formats/mini';
import { sessionName } from './children';
import type { WorkOptions } from './begin';
import type { DesignOptions } from './designOptions';
import { stderr } from '../output/output';

/** Writes what the options ask for at the end of a run: the trajectory of mini-swe-agent, a line of Hermes Agent. */
export function keepTrajectories(
  history: History,
  log: string,
  options: DesignOptions & Pick<WorkOptions, 'settings'>,
): void {
  const { output, settings } = options;
  const folder = settings.saveTrajectories || undefined;
  const context = { session: sessionName(log), version: process.env['WAYMARK_VERSION'] ?? '0' };
  if (output !== undefined) {
    writeExport(exportedFiles(mini, history, context), path.resolve(output), { force: true });
    stderr.write(`Trajectory: ${path.resolve(output)}\n`);
  }
  if (folder !== undefined) {
    const file = saveTrajectory(history, path.resolve(folder), context.session, context.version);
    stderr.write(`Trajectory added to ${file}\n`);
  }
}
