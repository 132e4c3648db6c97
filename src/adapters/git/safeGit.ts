import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onPath } from '../processes/onPath';
import { statsOf } from '../storage/folderStamps';
import { readPlainNow } from '../storage/lenientReads';
import { maxSettingsBytes } from './attributeFiles';

const maxBytes = 64 * 1024 * 1024;

/** How one Git command runs. */
export interface GitCall {
  /** Written to the stdin of Git. */
  readonly input?: string;
  /** Exit codes that count as success; default 0. */
  readonly good?: readonly number[];
  /** Time limit in ms; default ten seconds. */
  readonly timeoutMs?: number;
}

/** Settings that name the program of a filter, or require that it runs. */
const filterSettings = '^filter\\..*\\.(clean|smudge|process|required)$';

/**
 * Returns arguments with which Git runs none of the programs that this repository names for reading and writing its
 * files. Filters from the user's account still run, unless `alsoOfAccount` is set.
 */
export async function withoutFilters(
  folder: string,
  { timeoutMs, alsoOfAccount = false }: Pick<GitCall, 'timeoutMs'> & { readonly alsoOfAccount?: boolean } = {},
): Promise<string[]> {
  if (!alsoOfAccount && namesNoFilters(folder)) return [];
  const wanted = ['config', '-z', '--show-scope', '--get-regexp', filterSettings];
  const entries =
    (await git(folder, wanted, { good: [0, 1], ...(timeoutMs !== undefined && { timeoutMs }) }))
      ?.toString('utf8')
      .split('\0') ?? [];
  const names = entries
    .filter((_, index) => index % 2 === 1 && (alsoOfAccount || !/^(system|global)$/.test(entries[index - 1]!)))
    .map((entry) => entry.split('\n', 1)[0]!);
  return [...new Set(names)].flatMap(switchedOff);
}

/**
 * Returns whether the repository of a folder names no filters, as far as its files tell, which is faster than to start
 * Git. Only if they are the whole truth: Git can find no other repository, nothing is included, and no environment
 * variable contains settings.
 */
function namesNoFilters(folder: string): boolean {
  if (settingVariables.some((name) => process.env[name] !== undefined)) return false;
  const own = onlyGitFolderAround(folder);
  if (own === undefined || ['commondir', 'config.worktree'].some((name) => statsOf(path.join(own, name)))) return false;
  const settings = readPlainNow(path.join(own, 'config'), maxSettingsBytes);
  return settings !== undefined && !/filter|include/i.test(settings);
}

/**
 * Returns the `.git` folder in or around a folder. Undefined if it is a file or a link, or if something else in or around
 * the folder may be the Git folder: Git passes by what is damaged, and each has a `HEAD`.
 */
function onlyGitFolderAround(start: string): string | undefined {
  const found: string[] = [];
  for (const folder of realFoldersFrom(start))
    for (const name of ['.git', 'HEAD']) if (statsOf(path.join(folder, name))) found.push(path.join(folder, name));
  const [only] = found;
  const isPlain = only !== undefined && path.basename(only) === '.git' && statsOf(only)?.isDirectory() === true;
  return isPlain && found.length === 1 ? only : undefined;
}

/** Returns a folder and those that contain it, with links resolved; none if it does not exist. */
function realFoldersFrom(start: string): string[] {
  const folders: string[] = [];
  try {
    for (let folder = fs.realpathSync(start); folder !== folders.at(-1); folder = path.dirname(folder))
      folders.push(folder);
  } catch {
    return [];
  }
  return folders;
}

const settingVariables = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_PARAMETERS'];

/**
 * `-c` ends the name of a setting at the first "=", which the name of a filter may contain. `--config-env` does not. A
 * version of Git that is too old for it fails and runs nothing.
 */
function switchedOff(name: string): string[] {
  const isRequired = /required$/i.test(name);
  if (name.includes('=')) return [`--config-env=${name}=${isRequired ? 'WAYMARK_FALSE' : 'WAYMARK_EMPTY'}`];
  return ['-c', `${name}=${isRequired ? 'false' : ''}`];
}

/** Overrides of the settings with which a repository could make Git run programs or access the network. */
const harmless = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.quotePath=false',
  'log.showSignature=false',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

/** Environment variables of every call. The last two are the values of settings that `-c` cannot set. */
const quiet = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
  WAYMARK_EMPTY: '',
  WAYMARK_FALSE: 'false',
};

/** Variables that a Git hook or alias sets for its own repository. They would redirect Git to that repository. */
const ofOneRepository: ReadonlySet<string> = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
]);

/**
 * Runs Git and returns its output, or undefined if it fails, times out or prints too much. Runs nothing that the
 * repository names.
 */
export function git(
  folder: string,
  args: readonly string[],
  { input = '', good = [0], timeoutMs = 10_000 }: GitCall = {},
): Promise<Buffer | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOneRepository.has(name)));
  const [program] = onPath(process.platform === 'win32' ? 'git.exe' : 'git', [folder]);
  if (program === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const child = spawn(program, [...harmless, '--no-pager', ...args], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      env: { ...env, ...quiet },
    });
    const parts: Buffer[] = [];
    let size = 0;
    // Child processes of Git may survive and keep its output open, so its end is not awaited.
    const limit = setTimeout(() => {
      child.kill();
      child.stdout.destroy();
      resolve(undefined);
    }, timeoutMs);
    child.on('error', () => {
      clearTimeout(limit);
      resolve(undefined);
    });
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      if ((size += part.length) > maxBytes) child.kill();
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', (code) => {
      clearTimeout(limit);
      const answered = code !== null && good.includes(code) && size <= maxBytes;
      resolve(answered ? Buffer.concat(parts) : undefined);
    });
  });
}
