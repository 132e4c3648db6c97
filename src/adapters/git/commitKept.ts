import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { transferChanges, splitKeepingEndings } from '../../core/changes/lineChanges';
import type { Snapshot } from '../../core/changes/snapshot';
import { onPath } from '../processes/onPath';
import { git } from './safeGit';
import { withSlashes, inRealFolder } from '../storage/diskPaths';

/**
 * Commits the agent's changes that the user kept, and nothing else. This is the only code of Waymark that writes to
 * `.git`.
 */

/** What the user kept of one file, oldest first. Each step is the side without the agent, before and after keeping. */
export interface KeptFile {
  readonly path: string;
  readonly steps: readonly { readonly before: KeptSide; readonly after: KeptSide }[];
}

/** `bytes`: the content of a file that is not text. The text of a text file is in the snapshot. */
export type KeptSide = Snapshot & { readonly bytes?: Buffer };

/** Nothing was committed. The message says why, for people. */
class CommitRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommitRefused';
  }
}

/** An index entry. */
interface Entry {
  readonly mode: string;
  readonly blob: string;
}

interface Staged {
  readonly name: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/**
 * Commits kept changes in each of their repositories. Resolves to the commits. Throws `CommitRefused` and leaves the
 * index unchanged.
 */
export async function commitKept(files: readonly KeptFile[], message: string): Promise<string[]> {
  const repositories = new Map<string, KeptFile[]>();
  for (const file of files) {
    const root = await rootOf(file.path);
    if (root === undefined) throw new CommitRefused(`${file.path} is not in a Git repository. Nothing was committed.`);
    repositories.set(root, [...(repositories.get(root) ?? []), file]);
  }
  for (const root of repositories.keys()) await refuseOthersStaged(root);
  const plans = new Map<string, Staged[]>();
  for (const [root, own] of repositories) plans.set(root, await planOf(root, own));
  const commits: string[] = [];
  for (const [root, staged] of plans) {
    if (staged.length === 0) continue;
    commits.push(await commitStaged(root, staged, message));
  }
  if (commits.length === 0) throw new CommitRefused('The kept changes are already in the last commit.');
  return commits;
}

async function rootOf(file: string): Promise<string | undefined> {
  let folder = path.dirname(file);
  while (!fs.existsSync(folder)) folder = path.dirname(folder);
  const output = await git(folder, ['rev-parse', '--show-toplevel']);
  return output?.toString('utf8').replace(/\n$/, '');
}

/** A commit includes everything that is staged, so what the user staged would be committed as well. */
async function refuseOthersStaged(root: string): Promise<void> {
  const staged = await git(root, ['diff', '--cached', '--name-only', '--no-ext-diff', '-z']);
  const [first] = staged?.toString('utf8').split('\0').filter(Boolean) ?? [];
  if (staged === undefined)
    throw new CommitRefused(`Git could not read the index of ${root}. Another Git process may be using it.`);
  if (first !== undefined)
    throw new CommitRefused(
      `Other changes are staged, such as ${first}. Commit or unstage them first. Nothing was committed.`,
    );
}

async function planOf(root: string, files: readonly KeptFile[]): Promise<Staged[]> {
  const staged: Staged[] = [];
  for (const file of files) {
    const name = withSlashes(path.relative(root, fs.existsSync(root) ? inRealFolder(file.path) : file.path));
    const before = await entryOf(root, name);
    const after = await entryWith(root, name, before, file);
    if (before?.mode !== after?.mode || before?.blob !== after?.blob) staged.push({ name, before, after });
  }
  return staged;
}

async function entryOf(root: string, name: string): Promise<Entry | undefined> {
  const output =
    (await git(root, ['ls-files', '--stage', '-z', '--', `:(literal,top)${name}`]))?.toString('utf8') ?? '';
  const [, mode, blob] = /^(\d{6}) ([0-9a-f]+) 0\t/.exec(output) ?? [];
  return mode !== undefined && blob !== undefined ? { mode, blob } : undefined;
}

/** Returns the entry with the kept changes applied. */
async function entryWith(
  root: string,
  name: string,
  entry: Entry | undefined,
  { steps }: KeptFile,
): Promise<Entry | undefined> {
  const unfit = new CommitRefused(
    `${name} has since been committed or staged with other content, so its kept changes do not apply. Nothing was committed. Commit the file by hand.`,
  );
  const last = steps.at(-1)!.after;
  if (last.state === null) return undefined;
  if (last.state.kind === 'folder') return entry;
  if (last.state.kind === 'link')
    return { mode: '120000', blob: await writeBlob(root, name, Buffer.from(last.state.target), { isLink: true }) };
  const mode = (last.state.mode & 0o111) === 0 ? '100644' : '100755';
  const isNew = entry === undefined || steps[0]!.before.state === null;
  if (isNew || last.text === undefined) {
    const bytes = last.text === undefined ? last.bytes : Buffer.from(last.text, 'latin1');
    if (bytes === undefined) throw unfit;
    return { mode, blob: await writeBlob(root, name, bytes) };
  }
  const held = await git(root, ['cat-file', '--filters', `--path=${name}`, entry.blob]);
  if (held === undefined) throw unfit;
  let lines = splitKeepingEndings(held.toString('latin1'));
  for (const { before, after } of steps) {
    const { lines: next, untransferred } = await transferChanges(
      lines,
      splitKeepingEndings(before.text ?? ''),
      splitKeepingEndings(after.text ?? ''),
    );
    if (untransferred.length > 0) throw unfit;
    lines = next;
  }
  return { mode, blob: await writeBlob(root, name, Buffer.from(lines.join(''), 'latin1')) };
}

/** Writes a content to the object store, with normalized line endings. */
async function writeBlob(root: string, name: string, bytes: Buffer, { isLink = false } = {}): Promise<string> {
  const how = isLink ? ['--no-filters'] : [`--path=${name}`];
  const { code, out, problem } = await ownGit(root, ['hash-object', '-w', '--stdin', ...how], bytes);
  if (code !== 0) throw new CommitRefused(`Git could not store ${name}: ${problem}`);
  return out.trim();
}

async function commitStaged(root: string, staged: readonly Staged[], message: string): Promise<string> {
  await setEntries(root, staged, 'after');
  const { code, problem, out } = await ownGit(
    root,
    ['commit', '--quiet', '--file=-', '--cleanup=strip'],
    Buffer.from(message),
  );
  if (code !== 0) {
    await setEntries(root, staged, 'before');
    const why = code === null ? `it did not end within ${commitTimeoutMs / 1000} seconds.` : `exit code ${code}`;
    throw new CommitRefused(`Git did not commit: ${(problem || out).trim() || why}`);
  }
  const head = await git(root, ['rev-parse', '--short', 'HEAD']);
  return head?.toString('utf8').trim() ?? '';
}

async function setEntries(root: string, staged: readonly Staged[], side: 'before' | 'after'): Promise<void> {
  const lines = staged.map(({ name, ...sides }) => {
    const entry = sides[side];
    // As long as the hashes of this repository.
    const noBlob = (sides.before ?? sides.after)!.blob.replace(/./g, '0');
    return `${entry ? `${entry.mode} ${entry.blob}` : `0 ${noBlob}`}\t${name}\0`;
  });
  const { code, problem } = await ownGit(root, ['update-index', '-z', '--index-info'], Buffer.from(lines.join('')));
  if (code !== 0) throw new CommitRefused(`Git could not stage the kept changes: ${problem.trim()}`);
}

const commitTimeoutMs = 120_000;
/** How long the rest of the output is awaited after Git ended. A program that a hook left behind may keep it open. */
const outputMs = 500;

/** Runs Git with the configuration of the user, including hooks and signing: the user asked for this commit. */
function ownGit(
  root: string,
  args: readonly string[],
  input: Buffer,
): Promise<{ readonly code: number | null; readonly out: string; readonly problem: string }> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = process.env;
  const [program] = onPath(process.platform === 'win32' ? 'git.exe' : 'git', [root]);
  if (program === undefined) throw new CommitRefused('Git is not installed, so nothing was committed.');
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd: root,
      windowsHide: true,
      env: { ...env, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' },
      timeout: commitTimeoutMs,
    });
    let [out, problem] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (out += part.toString('utf8')));
    child.stderr.on('data', (part: Buffer) => (problem += part.toString('utf8')));
    child.on('error', reject);
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const end = (code: number | null): void => {
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({ code, out, problem });
    };
    let waiting: NodeJS.Timeout | undefined;
    child.on('exit', (code) => (waiting = setTimeout(end, outputMs, code)));
    child.on('close', (code) => {
      clearTimeout(waiting);
      end(code);
    });
  });
}
