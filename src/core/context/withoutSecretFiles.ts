import { rulesFor, secretReads } from '../security/pathRules';

/** A difference as Git prints it, without the files that usually hold secrets. */
export const withoutSecretFiles = (text: string): string => text.split(/^(?=diff --git )/m).map(part => {
  const [, before, after] = /^diff --git "?a\/(.+?)"? "?b\/(.+?)"?$/m.exec(part) ?? [];
  const secret = part.startsWith('diff --git ') && [before, after].some(name => name !== undefined && rulesFor(name, secretReads).length > 0);
  return secret ? `[The changes of ${after} are left out, because it usually holds secrets.]\n` : part;
}).join('');
