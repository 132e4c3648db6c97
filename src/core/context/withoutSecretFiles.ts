import { rulesFor, secretReads } from '../security/pathRules';

/** A difference as Git prints it, without the files that usually hold secrets, and without those that `isLeftOut` names. */
export const withoutSecretFiles = (text: string, isLeftOut: (path: string) => boolean = () => false): string => text.split(/^(?=diff --git )/m).map(part => {
  const [, before, after] = /^diff --git "?a\/(.+?)"? "?b\/(.+?)"?$/m.exec(part) ?? [];
  const secret = part.startsWith('diff --git ') && [before, after].some(name => name !== undefined && (isLeftOut(name) || rulesFor(name, secretReads).length > 0));
  return secret ? `[The changes of ${after} are left out: it usually holds secrets, or .agentignore names it.]\n` : part;
}).join('');
