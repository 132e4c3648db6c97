import type { HookConsent } from '../../adapters/hooks/hookConsent';
import { hooksChange, type HookFile } from '../../adapters/hooks/hookFiles';
import { isAttended, Questions } from '../consent/ask';
import { folderAt } from '../run/folderAt';
import { hooksPatch, decideOn, hookLines, storedHookConsent } from '../consent/hookConsent';
import { stderr, stdout } from '../output/output';
import { escapeForTerminal } from '../output/escapeForTerminal';
import type { ExitCode } from '../output/exitCodes';

/** Flags of `waymark hooks`. */
export interface HooksOptions {
  readonly cwd?: string;
  readonly json?: boolean;
  /** Shows hooks that are not approved or have changed, and asks if there is a terminal. */
  readonly review?: boolean;
  /** Approves the hooks in their current form. */
  readonly agree?: boolean;
  /** Revokes approvals. */
  readonly revoke?: boolean;
}

/**
 * Prints the hooks of a folder and of the user with their states. Resolves to the exit code: 0 even if files have
 * problems, 3 if a review is still pending.
 */
export async function hooks({
  cwd = '.',
  json = false,
  review = false,
  agree = false,
  revoke = false,
}: HooksOptions): Promise<ExitCode<'hooks'>> {
  const root = folderAt(cwd);
  const consent = storedHookConsent();
  const files = await consent.files(root);
  if (revoke) consent.withdraw(files);
  if (review || agree) return reviewFiles(files, consent, { review, agree });
  stdout.write(
    json
      ? `${JSON.stringify(
          files.map((file) => hookFileAsJson(file, consent)),
          null,
          2,
        )}\n`
      : formatHooks(files, consent),
  );
  return 0;
}

async function reviewFiles(
  files: readonly HookFile[],
  consent: HookConsent,
  { review, agree }: { readonly review: boolean; readonly agree: boolean },
): Promise<ExitCode<'hooks'>> {
  const attended = isAttended();
  const questions = new Questions();
  const waiting = consent.waiting(files);
  const print = (text: string): void => stdout.write(`${escapeForTerminal(text)}\n`);
  if (waiting.length === 0) print('No hooks wait for approval.');
  let left = 0;
  for (const file of waiting) {
    const before = consent.textOf(file);
    // At a terminal, each one is shown with its question.
    if (review && (agree || !attended))
      print(`${file.path}\n${before === undefined ? file.source : await hooksPatch(file, before)}`);
    if ((await decideOn(file, consent, { agree, attended: review && attended, questions })) !== 'agreed') left++;
  }
  if (left > 0 && !attended)
    stderr.write(
      `${left === 1 ? 'This file waits' : 'These files wait'} for your approval, and there is no terminal to ask at. --agree approves the current version.\n`,
    );
  return left > 0 ? 3 : 0;
}

type HookTrust = 'new' | 'agreed' | 'changed' | 'lost' | 'none';

function trustOf(file: HookFile, consent: HookConsent): HookTrust {
  if (consent.isOutdated(file)) return file.lost === undefined ? 'changed' : 'lost';
  if (consent.has(file)) return 'agreed';
  return file.hooks.length > 0 ? 'new' : 'none';
}

const hookFileAsJson = (file: HookFile, consent: HookConsent): object => ({
  path: file.path,
  trust: trustOf(file, consent),
  hash: file.hash,
  ...(file.lost !== undefined && { lost: file.lost }),
  programs: file.programs,
  hooks: file.hooks.map(({ on, matcher, command, timeout, async, place }) => ({
    on,
    matcher,
    command,
    timeout,
    async,
    place,
  })),
  problems: file.problems.map(({ severity, code, message, from: { line, column } }) => ({
    severity,
    code,
    message,
    line,
    column,
  })),
});

const trusts: Readonly<Record<HookTrust, string>> = {
  new: 'not approved',
  agreed: 'approved',
  changed: 'changed',
  lost: 'lost',
  none: 'no hooks',
};

function formatHooks(files: readonly HookFile[], consent: HookConsent): string {
  if (files.length === 0) return 'No hooks found. .agent/hooks.json can define some.\n';
  const entries = files.map((file) =>
    [
      `${file.path}  (${trusts[trustOf(file, consent)]})`,
      ...(consent.isOutdated(file) ? [`  ${hooksChange(file)}`] : []),
      ...hookLines(file),
      ...(file.programs.length > 0 ? [`  programs of the folder: ${file.programs.join(', ')}`] : []),
      ...file.problems.map(
        ({ severity, message, from: { line, column } }) => `  ${severity} ${file.path}:${line}:${column} ${message}`,
      ),
    ].join('\n'),
  );
  const waiting = consent.waiting(files).length;
  return (
    [...entries, ...(waiting > 0 ? ['"waymark hooks --review" shows what waits for approval, and asks.'] : [])]
      .map(escapeForTerminal)
      .join('\n\n') + '\n'
  );
}
