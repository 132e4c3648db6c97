import { openEventLog } from '../../adapters/log/eventLog';
import { RestoreConflict } from '../../adapters/checkpoints/restoreConflict';
import type { UndoChoice } from '../../core/changes/undoPlan';
import { FileProblem } from '../../core/ports/files';
import { secrets } from '../../core/secrets/secrets';
import { stdout } from '../output/output';
import { openChanges, type OpenedChanges } from './changes';
import type { ExitCode } from '../output/exitCodes';
import { printMasked, printMaskedToStderr } from '../output/masked';

/** Flags of `waymark apply`. `hunk`: names as "waymark changes --diff" prints them. */
export interface ApplyOptions {
  readonly file?: readonly string[];
  readonly hunk?: readonly string[];
  /** Discard the edits; the files stay unchanged. */
  readonly discard?: boolean;
  readonly json?: boolean;
}

/**
 * Applies or discards edits that a run held back for review. Resolves to the exit code: 0 done, 1 nothing or not
 * everything was done: then `status` is "partly", and `words` names the edits.
 */
export async function apply(named: string, options: ApplyOptions): Promise<ExitCode<'apply'>> {
  const opened = await openChanges(named);
  const { heldEdits } = opened;
  if (!heldEdits) return report(options, 1, 'No edits of this run are held back.');
  if (heldEdits.problem !== undefined) return report(options, 1, heldEdits.problem);
  const choice: UndoChoice = {
    ...(options.file && { files: options.file.map(opened.resolveNamed) }),
    ...(options.hunk && { hunks: options.hunk }),
  };
  try {
    const waited = await opened.changes.waiting();
    const { plan, words, left } = await (options.discard ? heldEdits.discard(choice) : heldEdits.apply(choice));
    const files = [...new Set(plan.hunks.map(({ path }) => path))];
    await opened.changes.refresh();
    if (!options.discard && opened.changes.record.isKept) await opened.changes.keepNew(files, waited);
    tellModel(opened, options.discard ? 'changes_undone' : 'edits_applied', words);
    const names = files.map(opened.displayPath);
    const done = `${options.discard ? 'Discarded' : 'Applied'}: ${names.join(', ')}`;
    if (left !== undefined) return report(options, 1, `${done}. ${left}`, { files: names, status: 'partly' });
    return report(options, 0, done, { files: names });
  } catch (error) {
    if (!(error instanceof RestoreConflict) && !(error instanceof FileProblem)) throw error;
    return report(options, 1, error.message);
  }
}

/** Adds a message for the model to the next request of the run, unless another process has the log open. */
function tellModel({ log }: OpenedChanges, cause: 'changes_undone' | 'edits_applied', text: string): void {
  const { events, store, problem } = openEventLog(log);
  if (!store) return printMaskedToStderr(`The model will not be told. ${problem}`);
  store.append({ type: 'feedback', cause, text, seq: events.length, at: Date.now() }, () => undefined);
  void store.close();
}

function report(
  { json }: ApplyOptions,
  code: ExitCode<'apply'>,
  words: string,
  {
    files = [],
    status = code === 0 ? 'done' : 'refused',
  }: { readonly files?: readonly string[] | undefined; readonly status?: string | undefined } = {},
): ExitCode<'apply'> {
  if (json) {
    stdout.write(`${secrets.mask(JSON.stringify({ status, words, files }))}\n`);
  } else if (code === 0) printMasked(words);
  else printMaskedToStderr(words);
  return code;
}
