import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Hook } from '../../core/ports/hook';
import type { SkillProblem } from '../../core/ports/skill';
import { programsBehind } from '../scripts/programsBehind';
import { withCommas } from '../../core/text/withCommas';

/**
 * ★ Where hooks are read from, in the order in which they run; relative to the
 * workspace folder, then to the home folder.
 */
const hookPlaces: readonly string[] = ['.agent/hooks.json', '.openhands/hooks.json'];

/** A hooks file as it is now. */
export interface HookFile {
  /** As people are shown it: relative to the workspace folder, or absolute. */
  readonly path: string;
  readonly absolute: string;
  /** The file and the scripts that its hooks name, one below the other: what a person agrees to. */
  readonly source: string;
  /** Those programs, by their paths in the folder. */
  readonly programs: readonly string[];
  /** SHA-256 of `source`, hexadecimal. */
  readonly hash: string;
  readonly hooks: readonly Hook[];
  readonly problems: readonly SkillProblem[];
  /** Why nothing of it can be read, as in "it is gone"; it has no hooks then. */
  readonly lost?: string;
}

/**
 * Bytes; what is larger is no file of hooks, and what is made to be expensive would keep everybody waiting for seconds.
 */
const largest = 128 * 1024;

/**
 * The hooks files of a workspace folder and of the person, in the order in which they run. Links that lead out of the
 * folder are not followed. `home`: the home folder of the account if absent. `known`: whether a person once agreed to
 * the file at this absolute path; such a file is reported even when it is gone.
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
  const project = { OPENHANDS_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root };
  const context = { variables: project, ...(process.platform === 'win32' && { shell: 'cmd' }) };
  const behind = await programsBehind(
    read.hooks.map(({ command }) => ({ command, context })),
    root,
  ).then(
    ({ found, untold }) => [
      ...[...found].map(
        ([name, program]) => [name, program.text ?? `(no text; its SHA-256 is ${program.hash})`] as const,
      ),
      ...(untold
        ? [['what it runs', '(cannot be told in whole from its commands, so a change of it is not noticed)'] as const]
        : []),
    ],
    (thrown: Error) => [['what it runs', `(cannot be read: ${thrown.message})`] as const],
  );
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

/** Its text, or why there is none. */
async function textIn(file: string, within: string): Promise<string | { readonly lost: string }> {
  try {
    // Most folders have none, and this is asked several times at every step.
    if (!fs.lstatSync(file, { throwIfNoEntry: false })) return { lost: gone };
    const [real, base] = await Promise.all([fs.promises.realpath(file), fs.promises.realpath(within)]);
    if (!real.startsWith(`${base}${path.sep}`)) return { lost: 'it is a link that leads out of its folder' };
    const { size, isPlain } = await fs.promises
      .stat(real)
      .then((stat) => ({ size: stat.size, isPlain: stat.isFile() }));
    if (!isPlain) return { lost: 'it is no plain file' };
    if (size > largest) return { lost: `it has ${withCommas(size)} bytes, and files over 128 KB are not read` };
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

/** How the hooks differ from what a person agreed to, as a sentence. */
export const hooksChange = ({ path: file, lost }: Pick<HookFile, 'path' | 'lost'>): string =>
  lost === undefined
    ? `${file}, or a program that it runs, changed since a person agreed to its hooks.`
    : `A person agreed to the hooks of ${file}, and they cannot run: ${lost}.`;
