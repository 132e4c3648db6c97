import path from 'node:path';
import { exportedFiles, writeExport } from '../../adapters/sessions/writeExport';
import { leftOut } from '../../core/trajectory/writing';
import { problemLine } from '../../core/trajectory/format';
import { formatNamed } from '../../core/trajectory/formats/formats';
import { openRun } from './openRun';
import { stderr, stdout } from '../output/output';
import type { ExitCode } from '../output/exitCodes';

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
  const { events, problems, runs = 1, id, children } = await openRun(named, run - 1);
  const lines = problems.map(problemLine);
  for (const line of lines) stderr.write(`${line}\n`);
  if (runs > 1) stderr.write(`${named} contains ${runs} runs; this is number ${run}.\n`);
  const files = exportedFiles(format, events, {
    version: process.env['WAYMARK_VERSION'] ?? '0',
    session: id,
    problems: lines,
    children: children(),
  });
  for (const words of leftOut(format, events)) stderr.write(`${words}\n`);
  if (out === '-') {
    if (files.length !== 1) throw new Error(`${format.label} is a folder of files. Name a folder with --out.`);
    stdout.write(files[0]!.text);
    return 0;
  }
  const target = path.resolve(out ?? files[0]!.path.split('/')[0]!);
  writeExport(files, target, { force });
  stderr.write(`Written as ${format.label}: ${target}\n`);
  return 0;
}
