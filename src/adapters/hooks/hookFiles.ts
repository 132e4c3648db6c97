import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Hook } from '../../core/ports/hook';
import type { SkillProblem } from '../../core/ports/skill';
import { programsBehind } from '../scripts/programsBehind';
import { errorMessage } from '../../core/text/errorMessage';
import { withCommas } from '../../core/text/withCommas';

/**
 * ★ Where hooks are read from, in the order in which they run. Relative to the workspace folder, then to the home
 * folder.
 */
const hookPlaces: readonly string[] = ['.agent/hooks.json', '.openhands/hooks.json'];

/** The current state of a hooks file. */
export interface HookFile {
  /** The path shown to people: relative to the workspace folder, or absolute. */
  readonly path: string;
  readonly absolute: string;
  /** The contents of the file and of the scripts that its hooks name, concatenated. This is what a person approves. */
  readonly source: string;
  /** Paths of those scripts in the folder. */
  readonly programs: readonly string[];
  /** SHA-256 of `source`, in hex. */
  readonly hash: string;
  readonly hooks: readonly Hook[];
  readonly problems: readonly SkillProblem[];
  /** Why the file cannot be read, such as "it is gone"; it has no hooks then. */
  readonly lost?: string;
}

/**
 * Maximum size of a hooks file, in bytes. Larger files are refused, since an expensive one could block everybody for
 * seconds.
 */
const maxBytes = 128 * 1024;

/**
 * Reads the hooks files of a workspace folder and of the user, in the order in which they run. Links that lead out of
 * the folder are not followed. `home`: default is the home folder of the account. `known`: whether a person once
 * approved the file at this absolute path; such a file is reported even if it was deleted.
 */
export async function readHookFiles(
  root: string,
  home = os.homedir(),
  known: (absolute: string) => boolean = () => false,
): Promise<HookFile[]> {
  const places = [
    ...hookPlaces.map((place) => ({ path: place, absolute: path.join(root, place), within: root })),
    ...hookPlaces.map((place) => ({ path: path.join(home, place), absolute: path.join(home, place), within: home })),
  ];
  const found: HookFile[] = [];
  for (const { within, ...place } of places) {
    const file = found.some(({ absolute }) => absolute === place.absolute)
      ? undefined
      : await readOne(place, within, root);
    if (file && (file.lost !== gone || known(place.absolute))) found.push(file);
  }
  return found;
}

const gone = 'it is gone';

async function readOne(
  place: { readonly path: string; readonly absolute: string },
  within: string,
  root: string,
): Promise<HookFile> {
  const text = await textIn(place.absolute, within);
  if (typeof text !== 'string') return lostFile(place, text.lost);
  const { readHookFile } = await import('../../core/hooks/hookFile');
  const read = readHookFile(text, place.path);
  const behind = await textsOfPrograms(read.hooks, root);
  const parts = [[place.path, text] as const, ...behind];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const source = parts.map(([name, content]) => `# ${name}\n${content.trimEnd()}\n`).join('\n');
  return {
    ...place,
    source,
    programs: behind.map(([name]) => name),
    hash,
    hooks: read.hooks.map((hook) => ({ ...hook, hash })),
    problems: read.problems,
  };
}

/** Returns name and text of each program that hooks start. A last entry names what could not be determined. */
async function textsOfPrograms(hooks: readonly Hook[], root: string): Promise<[name: string, text: string][]> {
  const variables = { OPENHANDS_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root };
  const context = { variables, ...(process.platform === 'win32' && { shell: 'cmd' }) };
  const commands = hooks.map(({ command }) => ({ command, context }));
  try {
    const { byName, hasUnknownPrograms } = await programsBehind(commands, root);
    const texts = Array.from(byName, ([name, { text, hash }]): [string, string] => [
      name,
      text ?? `(no text; its SHA-256 is ${hash})`,
    ]);
    if (hasUnknownPrograms)
      texts.push(['what it runs', '(cannot be told in whole from its commands, so a change of it is not noticed)']);
    return texts;
  } catch (thrown) {
    return [['what it runs', `(cannot be read: ${errorMessage(thrown)})`]];
  }
}

/** Returns the text of a file, or why there is none. */
async function textIn(file: string, within: string): Promise<string | { readonly lost: string }> {
  try {
    // Fast path: most folders have no such file, and this runs several times at every step.
    if (!fs.lstatSync(file, { throwIfNoEntry: false })) return { lost: gone };
    const [real, base] = await Promise.all([fs.promises.realpath(file), fs.promises.realpath(within)]);
    if (!real.startsWith(`${base}${path.sep}`)) return { lost: 'it is a link to a place outside its folder' };
    const { size, isPlain } = await fs.promises
      .stat(real)
      .then((stat) => ({ size: stat.size, isPlain: stat.isFile() }));
    if (!isPlain) return { lost: 'it is not a regular file' };
    if (size > maxBytes) return { lost: `it has ${withCommas(size)} bytes, and files over 128 KB are not read` };
    return await fs.promises.readFile(real, 'utf8');
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    return { lost: code === 'ENOENT' || code === 'ENOTDIR' ? gone : `it cannot be read (${code ?? message})` };
  }
}

function lostFile(place: { readonly path: string; readonly absolute: string }, lost: string): HookFile {
  const start = { line: 1, column: 1 };
  const problems: SkillProblem[] =
    lost === gone
      ? []
      : [
          {
            severity: 'error',
            code: 'hooks-unread',
            message: `None of its hooks run: ${lost}.`,
            from: start,
            to: start,
          },
        ];
  return {
    ...place,
    source: `# ${place.path}\n(${lost})\n`,
    programs: [],
    hash: createHash('sha256').update(lost).digest('hex'),
    hooks: [],
    problems,
    lost,
  };
}

/** Describes in one sentence how the hooks differ from what was approved. */
export const hooksChange = ({ path: file, lost }: Pick<HookFile, 'path' | 'lost'>): string =>
  lost === undefined
    ? `${file}, or a program that it runs, changed since a person approved its hooks.`
    : `The approved hooks of ${file} cannot run: ${lost}.`;
