// Writes the output files of a run when it ends: trajectories for other programs, and a JUnit report.

import path from 'node:path';
import { exportedFiles, saveTrajectory, writeExport } from '../../adapters/sessions/writeExport';
import type { History } from '../../core/log/projection';
import { mini } from '../../core/trajectory/formats/mini';
import { ConsentNeeded } from '../consent/ask';
import { sessionName } from '../../adapters/log/eventLog';
import type { WorkOptions } from './begin';
import type { DesignOptions } from './designOptions';
import { stderr } from '../output/output';
import { makeFolder, writeDurably } from '../../adapters/storage/durableFile';
import { junitText } from '../../core/batch/junit';
import { taskOutcome } from '../../core/batch/taskOutcome';
import type { TaskStatus } from '../../core/batch/taskResult';
import { secrets } from '../../core/secrets/secrets';

/** Writes the requested files at the end of a run: the trajectory of mini-swe-agent, a line for Hermes Agent. */
export async function writeTrajectoryFiles(
  history: History,
  log: string,
  options: DesignOptions & Pick<WorkOptions, 'settings'>,
): Promise<void> {
  const { output, settings } = options;
  const folder = settings.saveTrajectories || undefined;
  const context = { session: sessionName(log), version: process.env['WAYMARK_VERSION'] ?? '0' };
  if (output !== undefined) {
    await writeExport(exportedFiles(mini, history, context), path.resolve(output), { force: true, source: log });
    stderr.write(`Trajectory: ${path.resolve(output)}\n`);
  }
  if (folder !== undefined) {
    const file = saveTrajectory(history, path.resolve(folder), context.session, context.version);
    stderr.write(`Trajectory added to ${file}\n`);
  }
}

/** Start time of the run, in ms since 1970. */
interface Began {
  readonly began: number;
}

/** Writes the result of a run as a JUnit report with one test, which passes if the run is done. */
export function writeRunReport(file: string, task: string, history: History, { began }: Began): void {
  const { status, reason } = taskOutcome(history);
  writeReport(file, task, {
    began,
    kind: status,
    failure: status === 'done' ? undefined : reason || `The run ended as ${status}.`,
  });
}

/** Writes the report of a run that did not begin or failed with an error. */
export function reportFailure(file: string, task: string, error: Error, { began }: Began): void {
  const kind: TaskStatus = error instanceof ConsentNeeded ? 'consent' : 'failed';
  writeReport(file, task, { began, kind, failure: error.message });
}

interface RunEnd extends Began {
  readonly kind: TaskStatus;
  readonly failure: string | undefined;
}

function writeReport(file: string, task: string, { began, kind, failure }: RunEnd): void {
  const name = task.trim().split('\n', 1)[0] || 'Go on';
  const report = { name, seconds: (performance.now() - began) / 1000, kind, failure };
  const place = path.resolve(file);
  makeFolder(path.dirname(place));
  writeDurably(place, [secrets.mask(junitText('waymark run', [report], Date.now()))]);
}
