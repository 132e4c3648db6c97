import { hooksChange, type HookFile } from '../../adapters/hooks/hookFiles';
import { SessionHooks } from '../../adapters/hooks/sessionHooks';
import type { SandboxSetting } from '../../adapters/sandbox/sandbox';
import type { Asking } from '../consent/ask';
import { decideOn, storedHookConsent, printProblems, unagreed } from '../consent/hookConsent';
import { printToStderr } from '../output/escapeForTerminal';

/**
 * `hooks`: the hooks that may run in this session; undefined if there are none and no file has problems. `leftOut`: the
 * hooks that do not run because nobody ever approved them.
 */
export interface HooksOfRun {
  readonly hooks: SessionHooks | undefined;
  readonly leftOut: readonly { readonly path: string; readonly words: string }[];
}

/**
 * Returns the hooks of a session. Prints to stderr which ones do not run, and why. Throws an `Error` with a message for
 * people if the user does not want to continue without approved hooks.
 */
export async function hooksForRun(
  root: string,
  session: string,
  sandbox: SandboxSetting = 'auto',
  asking: Asking,
): Promise<HooksOfRun> {
  const consent = storedHookConsent();
  const files = await consent.files(root);
  printProblems(files);
  const declined = new Set<string>();
  const leftOut: { path: string; words: string }[] = [];
  for (const file of consent.waiting(files)) {
    const decision = await decideOn(file, consent, asking);
    if (decision === 'left') {
      const words = unagreed(file, consent);
      printToStderr(words);
      // The run itself reports hooks that changed since their approval, and waits.
      if (file.lost === undefined && !consent.isOutdated(file)) leftOut.push({ path: file.path, words });
    } else if (decision === 'declined' && file.lost !== undefined)
      throw new Error(`${hooksChange(file)} Nothing was started.`);
    else if (decision === 'declined') declined.add(file.hash);
  }
  const changed = (file: HookFile): boolean => consent.isOutdated(file) && !declined.has(file.hash);
  if (!files.some((file) => consent.has(file) || changed(file) || file.problems.length > 0))
    return { hooks: undefined, leftOut };
  const hooks = new SessionHooks({
    root,
    session,
    sandbox,
    files: () => consent.files(root),
    agreed: (file) => consent.has(file),
    changed,
  });
  return { hooks, leftOut };
}
