import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Hook } from '../../core/hooks/hook';
import type { SkillProblem } from '../../core/skills/skill';
import { programsBehind } from '../programsBehind';

/** A hooks file as it is now. */
export interface HookFile {
  /** As people are shown it: relative to the workspace folder, or absolute. */
  readonly path: string;
  readonly absolute: string;
  /** The file and the scripts that its hooks name, one below the other: what a person agrees to. */
  readonly source: string;
  /** SHA-256 of that, hexadecimal. */
  readonly hash: string;
  readonly hooks: readonly Hook[];
  readonly problems: readonly SkillProblem[];
}

/** Bytes; what is larger is no file of hooks, and no script that anybody reads. */
const largest = 1024 * 1024;

/** The hooks files of a workspace folder and of the person, in the order in which they run. Links that lead out of the folder are not followed. `home`: that of the account when absent. */
export async function readHookFiles(root: string, home = os.homedir()): Promise<HookFile[]> {
  const { hookPlaces } = await import('../../core/hooks/hookFile');
  const places = [...hookPlaces.map(place => ({ path: place, absolute: path.join(root, place), within: root })), ...hookPlaces.map(place => ({ path: path.join(home, place), absolute: path.join(home, place), within: home }))];
  const found: HookFile[] = [];
  for (const { within, ...place } of places) {
    const file = found.some(({ absolute }) => absolute === place.absolute) ? undefined : await readOne(place, within, root);
    if (file) found.push(file);
  }
  return found;
}

async function readOne(place: { readonly path: string; readonly absolute: string }, within: string, root: string): Promise<HookFile | undefined> {
  const text = await textIn(place.absolute, within);
  if (text === undefined) return undefined;
  const { readHookFile } = await import('../../core/hooks/hookFile');
  const read = readHookFile(text, place.path);
  const project = { OPENHANDS_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root };
  const context = { variables: project, ...(process.platform === 'win32' && { shell: 'cmd' }) };
  const behind = await programsBehind(read.hooks.map(({ command }) => ({ command, context })), root).then(
    programs => [...programs].map(([name, program]) => [name, program.text ?? `(no text; its SHA-256 is ${program.hash})`] as const),
    (thrown: Error) => [['what it runs', `(cannot be read: ${thrown.message})`] as const],
  );
  const parts = [[place.path, text] as const, ...behind];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const source = parts.map(([name, content]) => `# ${name}\n${content.trimEnd()}\n`).join('\n');
  return { ...place, source, hash, hooks: read.hooks.map(hook => ({ ...hook, hash })), problems: read.problems };
}

/** Undefined where it is no plain file of the folder. */
async function textIn(file: string, within: string): Promise<string | undefined> {
  try {
    const [real, base] = await Promise.all([fs.promises.realpath(file), fs.promises.realpath(within)]);
    if (!real.startsWith(`${base}${path.sep}`)) return undefined;
    const stat = await fs.promises.stat(real);
    return stat.isFile() && stat.size <= largest ? await fs.promises.readFile(real, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
