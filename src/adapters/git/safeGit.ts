import { spawn } from 'node:child_process';
import { onPath } from '../processes/onPath';

const mostBytes = 64 * 1024 * 1024;

export interface GitCall {
  /** What Git reads from its input. */
  readonly input?: string;
  /** Exit codes that are no failure; 0 when absent. */
  readonly good?: readonly number[];
  /** After which it is ended; ten seconds when absent. */
  readonly timeoutMs?: number;
}

/** Settings that name the program of a filter, or say that it has to run. */
const filterSettings = '^filter\\..*\\.(clean|smudge|process|required)$';

/**
 * Arguments by which Git runs none of the programs that this repository names for
 * reading and writing its files. Filters of the account stay, unless `alsoOfAccount`.
 */
export async function withoutFilters(
  folder: string,
  { timeoutMs, alsoOfAccount = false }: Pick<GitCall, 'timeoutMs'> & { readonly alsoOfAccount?: boolean } = {},
): Promise<string[]> {
  const wanted = ['config', '-z', '--show-scope', '--get-regexp', filterSettings];
  const told =
    (await git(folder, wanted, { good: [0, 1], ...(timeoutMs !== undefined && { timeoutMs }) }))
      ?.toString('utf8')
      .split('\0') ?? [];
  const names = told
    .filter((_, at) => at % 2 === 1 && (alsoOfAccount || !/^(system|global)$/.test(told[at - 1]!)))
    .map((entry) => entry.split('\n', 1)[0]!);
  return [...new Set(names)].flatMap(switchedOff);
}

/**
 * `-c` ends the name of a setting at the first "=", which the name of a filter may hold. `--config-env` does not; a Git
 * that is too old to know it fails, and runs nothing.
 */
function switchedOff(name: string): string[] {
  const isRequired = /required$/i.test(name);
  if (name.includes('=')) return [`--config-env=${name}=${isRequired ? 'WAYMARK_FALSE' : 'WAYMARK_EMPTY'}`];
  return ['-c', `${name}=${isRequired ? 'false' : ''}`];
}

/** The settings with which a repository would have Git run programs or ask the network, set to what does neither. */
const harmless = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.quotePath=false',
  'log.showSignature=false',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

/** Variables of every call; the last two are the values of settings that `-c` cannot set. */
const quiet = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
  WAYMARK_EMPTY: '',
  WAYMARK_FALSE: 'false',
};

/** Variables that a hook or an alias of Git sets for its own repository. Another one would be read or written by them. */
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
 * What Git prints; undefined where it fails, takes too long, or prints too much.
 * Nothing that the repository names is run.
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
    // What Git started may live on and keep its output open, so its end is not waited for.
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
      if ((size += part.length) > mostBytes) child.kill();
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', (code) => {
      clearTimeout(limit);
      const answered = code !== null && good.includes(code) && size <= mostBytes;
      resolve(answered ? Buffer.concat(parts) : undefined);
    });
  });
}
