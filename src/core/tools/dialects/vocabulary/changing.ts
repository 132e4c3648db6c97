import { maxValueDepth, isDeeperThan, isRecord } from '../../../text/parseJson';
import { applyPatch } from '../../native/applyPatch';
import { editFile } from '../../native/editFile';
import { editNotebook } from '../../native/editNotebook';
import { writeFile } from '../../native/writeFile';
import { CallArguments } from '../callArguments';
import { type Vocabulary, fileOf } from './vocabulary';
import { withoutUndefined } from '../../../text/withoutUndefined';

/** Tools that change files, with the names that agents use. */

export const editing: Vocabulary = {
  tool: editFile,
  names: [
    'Edit',
    'MultiEdit',
    'str_replace',
    'replace',
    'search_replace',
    'edit',
    'StrReplaceFile',
    'replace_string_in_file',
    'multi_replace_string_in_file',
    'replace_in_file',
    'apply_diff',
    'string_replace',
    'editor',
  ],
  read(args) {
    const path = fileOf(args);
    args.ignore('instruction');
    const list = args.take('edits', 'edit', 'replacements');
    const blocks = args.take('diff');
    if (list !== undefined) {
      const edits = editsOf(list, args);
      const named = commonPath(list, args);
      if (path !== undefined && named !== undefined && path !== named)
        args.refuse('an edit names a different file than the call: make one call for each file');
      return withoutUndefined({ path: path ?? named, edits });
    }
    if (typeof blocks === 'string') return withoutUndefined({ path, edits: searchAndReplace(blocks, args) });
    if (!hasReplacement(args)) return withoutUndefined({ path });
    return withoutUndefined({ path, edits: [replacementOf(args)] });
  },
};

/**
 * Converts "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE" blocks, as Cline, Roo Code and Aider write them, to edits.
 */
function searchAndReplace(diff: string, args: CallArguments): Record<string, unknown>[] {
  const edits: Record<string, unknown>[] = [];
  let part: 'outside' | 'search' | 'replace' = 'outside';
  let [searched, replaced] = [[] as string[], [] as string[]];
  for (const line of diff.split('\n')) {
    if (part === 'outside') {
      if (opens.test(line)) [part, searched, replaced] = ['search', [], []];
      else if (line.trim() !== '') return notUnderstood(args);
    } else if (part === 'search' && divides.test(line)) part = 'replace';
    else if (part === 'replace' && closes.test(line)) {
      edits.push({ old_text: withoutHint(searched).join('\n'), new_text: replaced.join('\n') });
      part = 'outside';
    } else (part === 'search' ? searched : replaced).push(line);
  }
  return part !== 'outside' || edits.length === 0 ? notUnderstood(args) : edits;
}

const opens = /^(?:<{5,}|-{5,}) ?SEARCH>?\s*$/;
const divides = /^={5,}\s*$/;
const closes = /^(?:>{5,}|\+{5,}) ?REPLACE>?\s*$/;

/** Removes Roo Code's position hint before the text: ":start_line:10", "-------". Only the text itself counts. */
function withoutHint(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^-{5,}\s*$/.test(line));
  const isHint = end > 0 && lines.slice(0, end).every((line) => /^:(?:start|end)_line: ?\d+\s*$/.test(line));
  return isHint ? lines.slice(end + 1) : lines;
}

function notUnderstood(args: CallArguments): [] {
  args.refuse('diff contains no complete SEARCH and REPLACE blocks');
  return [];
}

const oldNames = ['old_text', 'old_string', 'old_str', 'old', 'search'];
const newNames = ['new_text', 'new_string', 'new_str', 'new', 'replace'];

const allNames = ['all', 'replace_all', 'allow_multiple'];

const hasReplacement = (args: CallArguments): boolean => args.has(...oldNames, ...newNames, ...allNames);

function replacementOf(args: CallArguments): Record<string, unknown> {
  const expected = args.number('expected_replacements');
  if (typeof expected === 'number' && expected > 1)
    args.refuse('expected_replacements cannot be used here: replace every occurrence, or make one edit for each');
  return withoutUndefined({
    old_text: args.text(...oldNames),
    new_text: args.text(...newNames),
    all: args.flag(...allNames),
  });
}

/**
 * Returns a list of edits from a list, a single edit, or either as JSON text. Anything else is passed through for the
 * tool to reject.
 */
function editsOf(raw: unknown, args: CallArguments): unknown {
  const list = parseIfJson(raw);
  const all: unknown = isRecord(list) ? [list] : list;
  if (!Array.isArray(all)) return all;
  return all.map((each: unknown, index) => {
    if (!isRecord(each)) return each;
    const one = new CallArguments(args.called, each);
    const replacement = replacementOf(one);
    fileOf(one); // The path was already checked for all edits together.
    one.ignore('explanation', 'description');
    const strange = Object.fromEntries(one.unknown.map((name) => [name, each[name]]));
    args.alsoUnderstood(one);
    for (const words of one.refusals) args.refuse(`edit ${index + 1}: ${words}`);
    return { ...replacement, ...strange };
  });
}

/** Returns the one file that all edits of a list name. */
function commonPath(raw: unknown, args: CallArguments): unknown {
  const list = parseIfJson(raw);
  const edits = (Array.isArray(list) ? list : [list]).filter(isRecord);
  const paths = new Set(
    edits.map((each) => fileOf(new CallArguments(args.called, each))).filter((path) => path !== undefined),
  );
  if (paths.size > 1) args.refuse('the edits name several files: make one call for each file');
  return paths.size === 1 ? [...paths][0] : undefined;
}

function parseIfJson(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    const value: unknown = JSON.parse(raw);
    return isDeeperThan(maxValueDepth, value) ? raw : value;
  } catch {
    return raw;
  }
}

export const writing: Vocabulary = {
  tool: writeFile,
  names: ['Write', 'WriteFile', 'create_file', 'write_to_file', 'create', 'save_file', 'new_file'],
  read(args) {
    const path = fileOf(args);
    args.ignore('line_count');
    const mode = args.take('mode');
    if (mode !== undefined && mode !== 'overwrite')
      args.refuse(`mode ${JSON.stringify(mode)} cannot be used here: the whole file is written`);
    return withoutUndefined({ path, content: args.text('content', 'contents', 'file_text', 'text') });
  },
};

export const patching: Vocabulary = {
  tool: applyPatch,
  names: ['patch', 'applypatch', 'apply_unified_diff'],
  read(args) {
    const mode = args.take('mode');
    if (mode !== undefined && mode !== 'patch')
      args.refuse(`mode ${JSON.stringify(mode)} cannot be used here: it takes a patch`);
    return withoutUndefined({ patch: args.text('patch', 'input', 'patch_text', 'diff') });
  },
};

export const notebooks: Vocabulary = {
  tool: editNotebook,
  names: ['NotebookEdit', 'notebook_edit', 'edit_notebook_file', 'edit_notebook_cell'],
  read(args) {
    const path = args.text('notebook_path', 'target_notebook', 'path', 'file_path', 'filePath');
    const edits = args.take('edits');
    if (edits !== undefined) return withoutUndefined({ path, edits: parseIfJson(edits) });
    args.ignore('language', 'cell_language', 'explanation');
    const kind = args.take('do', 'edit_mode', 'edit_type') ?? 'replace';
    const edit = withoutUndefined({
      cell: cellNumber(args, kind),
      do: kind === 'edit' ? 'replace' : kind,
      source: args.text('source', 'new_source', 'new_code'),
      type: args.text('type', 'cell_type'),
    });
    return withoutUndefined({ path, edits: [edit] });
  },
};

/**
 * Other agents identify cells by an id in the file, or count them from 0. Here, a cell has the number that read_file
 * shows, from 1. A `cell_number` is ambiguous, and a wrong guess would overwrite another cell.
 */
function cellNumber(args: CallArguments, kind: unknown): unknown {
  args.cannot('give cell, the number shown when the notebook is read, counted from 1', 'cell_number');
  const named = args.number('cell', 'cell_id');
  if (named === undefined && kind === 'insert') return 0;
  if (typeof named === 'string') args.refuse('a cell is named by the number shown when the notebook is read');
  return named;
}
