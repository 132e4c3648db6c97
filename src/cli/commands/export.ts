import path from 'node:path';
import { exportedFiles, TargetExists, writeExport } from '../../adapters/sessions/writeExport';
import { notStoredIn } from '../../core/trajectory/exportParts';
import { readProblemLine } from '../../core/trajectory/format';
import { formatNamed } from '../../core/trajectory/formats/formats';
import { openRun } from './openRun';
import { printMaskedToStderr } from '../output/masked';
import { stdout } from '../output/output';
import type { ExitCode } from '../output/exitCodes';

/** Flags of `waymark export`. `to`: the name of a format. `out`: a path, or the default of the format. */
export interface ExportOptions {
  readonly to: string;
  readonly out?: string;
  readonly force?: boolean;
  /** Number of the run in a file with several runs, from 1. */
  readonly run?: number;
}

/**
 * Writes a run in another format. Resolves to the exit code. Rejects with an `Error` with a message for people if that
 * is impossible.
 */
export async function exportRun(
  named: string,
  { to, out, force = false, run = 1 }: ExportOptions,
): Promise<ExitCode<'export'>> {
  const format = formatNamed(to);
  const { events, problems, runs = 1, id, children, place } = await openRun(named, run - 1);
  const lines = problems.map(readProblemLine);
  lines.forEach(printMaskedToStderr);
  if (runs > 1) printMaskedToStderr(`${named} contains ${runs} runs; this is number ${run}.`);
  const files = exportedFiles(format, events, {
    version: process.env['WAYMARK_VERSION'] ?? '0',
    session: id,
    problems: lines,
    children: await children(),
  });
  notStoredIn(format, events).forEach(printMaskedToStderr);
  if (out === '-') {
    if (files.length !== 1) throw new Error(`${format.label} is a folder of files. Name a folder with --out.`);
    stdout.write(files[0]!.text);
    return 0;
  }
  const target = path.resolve(out ?? files[0]!.path.split('/')[0]!);
  const options = { force, throughLink: true, source: place };
  const written = await writeExport(files, target, options).catch((error: unknown) => {
    if (!(error instanceof TargetExists)) throw error;
    throw new Error(`${error.what} already exists. Choose another place, or replace it with --force.`);
  });
  printMaskedToStderr(`Written as ${format.label}: ${written}`);
  return 0;
}
