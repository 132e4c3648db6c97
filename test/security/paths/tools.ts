import type { Kind } from './hostile';
import { quoteForShell } from '../../../src/core/text/shellText';

/** Inputs that make a tool access a path. `reads` must not show the content; `writes` must not change it. */
interface Attempts {
  readonly reads?: (path: string) => unknown[];
  readonly writes?: (path: string) => unknown[];
}

const newText = 'written by the agent\n';
const created = (path: string): string => `--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+${newText}`;
const changed = (path: string, line: string): string => `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-${line}\n+${newText}`;

/**
 * Inputs of each tool that takes paths; `toolsOf` in the test finds missing tools. The tests know the first line of
 * every file.
 */
export const attempts: Readonly<Record<string, (line: (path: string) => string) => Attempts>> = {
  read_file: () => ({ reads: (path) => [{ path }] }),
  list_files: () => ({ reads: (path) => [{ path, depth: 3 }] }),
  search_text: () => ({
    reads: (path) => [
      { pattern: 'CANARY', path },
      { pattern: 'CANARY', glob: path },
    ],
  }),
  search_files: () => ({
    reads: (path) => [
      { pattern: 'CANARY', path, context: 2 },
      { pattern: 'CANARY', file_glob: path, context: 2 },
      { pattern: '*', target: 'files', path },
    ],
  }),
  edit_file: (line) => ({
    writes: (path) => [{ path, edits: [{ old_text: line(path), new_text: newText, all: true }] }],
  }),
  write_file: () => ({ writes: (path) => [{ path, content: newText }] }),
  move_file: () => ({
    writes: (path) => [
      { from: path, to: 'src/moved.ts' },
      { from: 'src/a.ts', to: path },
    ],
  }),
  delete_file: () => ({ writes: (path) => [{ path }] }),
  edit_notebook: () => ({
    writes: (path) => [{ path, edits: [{ cell: 0, do: 'insert', source: newText }] }],
  }),
  apply_patch: (line) => ({
    writes: (path) => [
      { patch: created(path) },
      { patch: changed(path, line(path)) },
      { patch: `${created('src/harmless.ts')}${created(path)}` },
    ],
  }),
  patch: (line) => ({
    writes: (path) => [
      { path, old_string: line(path), new_string: newText, replace_all: true },
      { mode: 'patch', patch: created(path) },
      { mode: 'patch', patch: `*** Begin Patch\n*** Add File: ${path}\n+${newText}*** End Patch` },
    ],
  }),
  file_editor: (line) => ({
    reads: (path) => [{ command: 'view', path }],
    writes: (path) => [
      { command: 'create', path, file_text: newText },
      { command: 'str_replace', path, old_str: line(path), new_str: newText },
      { command: 'insert', path, insert_line: 0, new_str: newText },
    ],
  }),
};

/** From the folder `src`, if the spelling depends on the folder. */
const fromSource = (path: string): string => word(/^[/~]/.test(path) ? path : `../${path}`);

const word = (path: string): string =>
  path.startsWith('~') ? path.replace(/\/.*$/, (rest) => quoteForShell(rest)) : quoteForShell(path);

/** Shell commands that would read or change a path. They are assessed and never run. */
export const commandsFor: Readonly<Record<'reads' | 'writes', (path: string) => string[]>> = {
  reads: (path) => [
    `cat ${word(path)}`,
    `head -5 < ${word(path)}`,
    `grep -n x ${word(path)}`,
    `cp ${word(path)} src/copy.ts`,
    `cd src && cat ${fromSource(path)}`,
    `tail -n 1 -- ${word(path)}`,
  ],
  writes: (path) => [
    `echo x > ${word(path)}`,
    `cp src/a.ts ${word(path)}`,
    `tee ${word(path)} < src/a.ts`,
    `sed -i s/a/b/ ${word(path)}`,
    `touch ${word(path)}`,
    `cd src && echo x >> ${fromSource(path)}`,
  ],
};

/**
 * Spellings that a shell takes literally: a file name instead of a URL, and a path that only the file system of another
 * operating system would normalize.
 */
export const isOnlyForTools = (path: string): boolean => /^file:/.test(path);

export const mayBeRead: Readonly<Record<Kind, boolean>> = {
  outside: false,
  secret: false,
  special: false,
  protected: true,
  plain: true,
};
