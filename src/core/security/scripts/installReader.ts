import type { History } from '../../log/projection';
import type { Scripts } from '../../ports/scripts';
import { isGuarded } from '../../risk/pathRules';
import type { FoundScript } from '../../shell/effects/context';
import { folderAfterCd } from '../../shell/syntax/place';
import { decisiveParts } from '../../shell/files/installs';
import { folderOfScript, installPin, npmPin, npmScripts, changeSinceStart } from './pins';

/** Scripts that npm and similar tools run when they install a package. */
const runsAtInstall = /^(pre|post)?(install|prepare)$|^(prepublish|dependencies)$/;
const holdsCode = /\.(py|rs|cjs|rb|gyp)$|(^|\/)Gemfile$/;

const howInWords = {
  came: 'was added since this session began',
  changed: 'changed since this session began',
  unseen: 'was not checked when this session began',
} as const;

/**
 * Returns a reader that finds everything an installation runs or obeys that was added or changed in this session.
 * `note` is called with the pin and hash of each.
 */
export function installReader(scripts: Scripts, history: History, note: (pin: string, hash: string) => void) {
  return async (manager: string, folder: string): Promise<FoundScript | undefined> => {
    const alarms: string[] = [];
    let guarded = false;
    for (const at of foldersUpTo(folder)) {
      const check = (
        pin: string,
        text: string,
        { saysWhat, obeyed }: { readonly saysWhat: string; readonly obeyed: boolean },
      ): void => {
        const hash = scripts.hash(text);
        note(pin, hash);
        const how = changeSinceStart(pin, at, hash, history);
        if (how === undefined) return;
        guarded ||= obeyed;
        alarms.push(`${saysWhat}, which ${howInWords[how]}.`);
      };
      for (const { path, text } of await decisiveParts(at, scripts, manager))
        check(installPin(path), text, {
          saysWhat: `${holdsCode.test(path) ? 'Runs' : 'Follows'} ${path}`,
          obeyed: isGuarded(path),
        });
      if (manager !== 'npm') continue;
      const declared = npmScripts((await scripts.read(folderAfterCd(at, 'package.json'))) ?? '');
      for (const [name, script] of Object.entries(declared)) {
        if (runsAtInstall.test(name))
          check(npmPin(at, name), script, {
            saysWhat: `Runs the install script “${name}” of ${folderAfterCd(at, 'package.json')}`,
            obeyed: true,
          });
      }
    }
    return alarms.length > 0 ? { standing: 'changed', alarms, guarded } : undefined;
  };
}

/** Returns the folder and its parents: in a monorepo, settings are at the top. */
function foldersUpTo(folder: string): string[] {
  const folders = [folder];
  while (folders.length < 8 && !/^(\.|)$|^[~/]|^\.\./.test(folders.at(-1)!))
    folders.push(folderOfScript(folders.at(-1)!));
  return folders;
}
