import path from 'node:path';
import { HookConsent } from '../../adapters/hooks/hookConsent';
import { hooksChange, type HookFile } from '../../adapters/hooks/hookFiles';
import { stateFolder } from '../../adapters/storage/stateFolder';
import type { ConsentMeans } from './ask';
import { printToStderr } from '../output/escapeForTerminal';

/** The approvals on this machine. */
export const storedHookConsent = (): HookConsent => new HookConsent(path.join(stateFolder(), 'hooks'));

/** The decision on a hooks file. `left`: nobody could be asked. */
type HookDecision = 'agreed' | 'declined' | 'left';

/** Decides on a pending file. */
export async function decideOn(
  file: HookFile,
  consent: HookConsent,
  { agree, attended, questions, unwanted }: ConsentMeans,
): Promise<HookDecision> {
  if (!agree && !attended) return 'left';
  if (!agree && (unwanted?.aborted || !(await agrees(file, consent, { questions, unwanted })))) return 'declined';
  consent.agree([file]);
  return 'agreed';
}

export const printProblems = (files: readonly HookFile[]): void => {
  for (const { path: file, problems } of files)
    for (const { severity, message, from } of problems)
      printToStderr(`${file}:${from.line}:${from.column}: ${severity}: ${message}`);
};

const hookCount = ({ hooks }: HookFile): string => `${hooks.length} ${hooks.length === 1 ? 'hook' : 'hooks'}`;

/** Returns why a file does not run if nobody can be asked, and what to do. */
export function whyNotAgreed(file: HookFile, consent: HookConsent): string {
  if (file.lost !== undefined)
    return `${hooksChange(file)} The run waits. Restore the file, or continue without its hooks: --agree hooks permanently, --no-hooks for this run.`;
  if (consent.isOutdated(file))
    return `${hooksChange(file)} The run waits. Review the change with "waymark hooks --review"; --agree hooks approves the current version, --no-hooks runs none.`;
  const [does, it] = file.hooks.length === 1 ? ['does', 'it'] : ['do', 'them'];
  return `${file.path} defines ${hookCount(file)}, which ${does} not run, because nobody approved ${it}. Review the file; --agree hooks approves its current version.`;
}

/** Shows what would run, or what changed, and asks. */
async function agrees(
  file: HookFile,
  consent: HookConsent,
  { questions, unwanted }: Pick<ConsentMeans, 'questions' | 'unwanted'>,
): Promise<boolean> {
  if (file.lost !== undefined) {
    printToStderr(hooksChange(file));
    return questions.agrees('Continue without its hooks from now on?', unwanted);
  }
  const before = consent.textOf(file);
  printToStderr(
    `${file.path} ${before === undefined ? 'defines' : 'changed since you approved it. It defines'} ${hookCount(file)}, programs that run at certain points of the agent’s work:`,
  );
  for (const line of hookLines(file)) printToStderr(line);
  printToStderr(before === undefined ? file.source : await hooksPatch(file, before));
  return questions.agrees('Run them in their current version?', unwanted);
}

/** One line for each hook of a file. */
export const hookLines = ({ hooks }: HookFile): string[] =>
  hooks.map(
    ({ on, matcher, command }) => `  ${on}${matcher === '*' || matcher === '' ? '' : ` (${matcher})`}: ${command}`,
  );

/** The changes of the file and of its scripts, as a patch. */
export const hooksPatch = async ({ source }: HookFile, before: string): Promise<string> =>
  (await import('../../core/security/agreedChange')).agreedChange(before, source);
