import fs from 'node:fs/promises';
import path from 'node:path';
import { readPlain } from '../storage/lenientReads';
import { withoutAttributes } from '../storage/skippedFolders';
import { byName } from '../../core/text/order';

const MOST = 1024 * 1024;
const MAX_FOLDERS = 400;

/**
 * Returns everything in the repository of `folder` that can make Git run a program, as one text: settings except those
 * that only name branches and plain addresses, hooks, attributes of all levels, included settings and folders of hooks.
 */
export async function gitSettingsOf(folder: string): Promise<string> {
  const own = await gitFolder(folder);
  if (own === undefined) return '';
  const common = path.resolve(own, (await readPlain(path.join(own, 'commondir')))?.trim() ?? '.');
  const configs = await Promise.all(
    [path.join(common, 'config'), path.join(own, 'config.worktree')].map((file) => readPlain(file, MOST)),
  );
  const settings = configs.map((text) => plainSettings(text ?? '')).join('\n');
  const named = pathsNamedIn(settings);
  const hookFolders = [
    path.join(common, 'hooks'),
    ...named.flatMap((value) => [path.resolve(folder, value), path.resolve(common, value)]),
  ];
  const hooks = await Promise.all([...new Set(hookFolders)].map(hooksIn));
  // Reads each file once, even if it is included a thousand times.
  const includedFiles = new Set(named.map((value) => path.resolve(common, value)));
  const included = await Promise.all([...includedFiles].map((file) => readPlain(file, MOST)));
  const info = await readPlain(path.join(common, 'info', 'attributes'), MOST);
  return JSON.stringify([settings, hooks, included, info ?? '', await attributesBelow(folder)]);
}

/** The folder of the repository: `.git` itself, or the target of a `.git` file. */
async function gitFolder(folder: string): Promise<string | undefined> {
  const at = path.join(folder, '.git');
  const stat = await fs.stat(at).catch(() => undefined);
  if (stat?.isDirectory()) return at;
  const target = /^gitdir:[ \t]*(\S.*)$/m.exec((stat && (await readPlain(at))) ?? '')?.[1]?.trimEnd();
  return target === undefined ? undefined : path.resolve(folder, target);
}

/** The paths that settings include or name as folder of hooks. */
export const pathsNamedIn = (settings: string): string[] =>
  [...settings.matchAll(/^[ \t]*(?:path|hookspath)[ \t]*=[ \t]*"?([^"\n]+)/gim)].map(([, value]) => value!.trim());

/** Removes the lines that Git itself writes when branches are created and deleted, if they are plain. */
export function plainSettings(text: string): string {
  let section = '';
  return text
    .split('\n')
    .filter((line) => {
      const head = /^\s*\[([^\]"]+)/.exec(line);
      if (head) section = head[1]!.trim().toLowerCase();
      if (line.trim() === '') return false;
      if (section === 'branch')
        return !(head
          ? /^\s*\[branch "[^"\\]*"\]\s*$/i.test(line)
          : /^\s*(remote|merge|rebase|vscode-merge-base|github-pr-owner-number|gk-[\w-]+|description)\s*=/i.test(line));
      return true;
    })
    .join('\n');
}

async function hooksIn(folder: string): Promise<[string, string][]> {
  const names = (await fs.readdir(folder).catch(() => []))
    .filter((name) => !name.endsWith('.sample'))
    .sort()
    .slice(0, 50);
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => [
      name,
      (await readPlain(path.join(folder, name), MOST)) ?? '?',
    ]),
  );
}

async function attributesBelow(root: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  const folders = ['.'];
  for (let at = 0; at < folders.length && at < MAX_FOLDERS; at++) {
    const below = folders[at]!;
    const entries = await fs.readdir(path.join(root, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort(byName)) {
      const relative = path.join(below, entry.name);
      if (entry.name === '.gitattributes')
        found.push([relative, (await readPlain(path.join(root, relative), MOST)) ?? '?']);
      else if (entry.isDirectory() && !withoutAttributes.has(entry.name) && relative.split(path.sep).length <= 4)
        folders.push(relative);
    }
  }
  return found;
}
