import path from 'node:path';
import { HookConsent } from '../adapters/hooks/hookConsent';
import { readHookFiles, type HookFile } from '../adapters/hooks/hookFiles';
import { SessionHooks } from '../adapters/hooks/sessionHooks';
import type { SandboxWanted } from '../adapters/sandbox';
import { stateFolder } from '../adapters/stateFolder';
import { agrees as saysYes, type Asking } from './ask';
import { visible } from './visible';

/** The hooks that may run in this session, undefined where there are none. Says on standard error which ones do not run, and why. */
export async function agreedHooks(root: string, session: string, sandbox: SandboxWanted = 'auto', { agree, attended }: Asking): Promise<SessionHooks | undefined> {
  const files = await readHookFiles(root);
  const say = (text: string): void => void process.stderr.write(`${visible(text)}\n`);
  for (const { path: file, problems } of files) for (const { severity, message, from } of problems) say(`${file}:${from.line}:${from.column}: ${severity}: ${message}`);
  const consent = new HookConsent(path.join(stateFolder(), 'hooks'));
  const declined = new Set<string>();
  for (const file of files.filter(each => each.hooks.length > 0 && !consent.has(each))) {
    if (agree) consent.agree([file]);
    else if (attended && await agrees(file, consent, say)) consent.agree([file]);
    else if (attended) declined.add(file.hash);
    else if (!consent.isOutdated(file)) say(`${file.path} names ${counted(file)}, which ${file.hooks.length === 1 ? 'does' : 'do'} not run, because nobody agreed to ${file.hooks.length === 1 ? 'it' : 'them'}. Look at the file; --agree hooks agrees to what it names now.`);
  }
  if (!files.some(file => consent.has(file) || (consent.isOutdated(file) && !declined.has(file.hash)))) return undefined;
  return new SessionHooks({ root, session, sandbox, agreed: file => consent.has(file), changed: file => consent.isOutdated(file) && !declined.has(file.hash) });
}

const counted = ({ hooks }: HookFile): string => `${hooks.length} ${hooks.length === 1 ? 'hook' : 'hooks'}`;

/** Only a written "y" agrees. */
async function agrees(file: HookFile, consent: HookConsent, say: (text: string) => void): Promise<boolean> {
  const before = consent.textOf(file);
  say(`${file.path} ${before === undefined ? 'names' : 'changed since you agreed to it. It names'} ${counted(file)}, programs that run at moments of the agent’s work:`);
  for (const { on, matcher, command } of file.hooks) say(`  ${on}${matcher === '*' || matcher === '' ? '' : ` (${matcher})`}: ${command}`);
  if (before !== undefined) say((await import('../core/security/agreedChange')).agreedChange(before, file.source));
  return saysYes('Let them run, as they are now?');
}
