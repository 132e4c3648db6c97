import { fetchUrl } from '../../native/fetchUrl';
import { listFiles } from '../../native/listFiles';
import { readFile } from '../../native/readFile';
import { searchText } from '../../native/searchText';
import type { CallArguments } from '../callArguments';
import { type Vocabulary, fileOf, folderArgument } from './vocabulary';
import { withoutUndefined } from '../../../text/withoutUndefined';

/** Tools that only read, with the names that agents use. */

/** Depth of a recursive listing. */
const everythingBelow = 20;

export const reading: Vocabulary = {
  tool: readFile,
  names: ['Read', 'ReadFile', 'view', 'view_file', 'open_file', 'open', 'cat', 'read_text_file'],
  read(args) {
    const path = fileOf(args);
    args.ignore('should_read_entire_file', 'read_entire_file');
    const mode = args.take('mode');
    if (mode !== undefined && mode !== 'slice')
      args.refuse(`mode ${JSON.stringify(mode)} cannot be used here: files are read by lines`);
    return withoutUndefined({ path, ...requestedLines(args) });
  },
};

/** Returns the requested line range: first and last line, or first line and count. */
function requestedLines(args: CallArguments): Record<string, unknown> {
  const from = args.number('from', 'start_line', 'line_start', 'start_line_one_indexed', 'line_number');
  const to = args.number('to', 'end_line', 'line_end', 'end_line_one_indexed_inclusive');
  const offset = args.number('offset', 'line_offset');
  const limit = args.number('limit', 'n_lines', 'max_lines');
  const range = args.take('view_range');
  // A first line and a count are one way, whatever the first line is called.
  const isCounted = to === undefined && offset === undefined && typeof from === 'number' && typeof limit === 'number';
  const ways = [from ?? to, offset ?? limit, range].filter((way) => way !== undefined).length - (isCounted ? 1 : 0);
  if (ways > 1) {
    args.refuse('lines are given in two ways at once; give from and to, such as "from": 3, "to": 7');
    return {};
  }
  if (range !== undefined) return rangeOf(range, args);
  if (isCounted) return { from, to: from + limit - 1 };
  if (offset === undefined && limit === undefined) return { from, to };
  if (typeof offset === 'number' && offset < 0) {
    args.refuse('offset counts from the end, and lines are counted from 1 here');
    return {};
  }
  // Some agents count from 0, so both 0 and 1 mean the first line.
  const first = offset === 0 ? 1 : offset;
  if (limit === undefined) return { from: first };
  if (typeof limit !== 'number' || (first !== undefined && typeof first !== 'number'))
    return { from: first, to: limit };
  return { from: first, to: (first ?? 1) + limit - 1 };
}

/** Parses `[10, 20]`, or `[10, -1]` for everything from line 10. */
function rangeOf(range: unknown, args: CallArguments): Record<string, unknown> {
  const [from, to] = Array.isArray(range) ? (range as unknown[]) : [];
  if (typeof from !== 'number' || typeof to !== 'number')
    args.refuse('view_range must list the first and the last line');
  return { from, ...(to !== -1 && { to }) };
}

export const listing: Vocabulary = {
  tool: listFiles,
  names: ['LS', 'list_dir', 'list_directory', 'list', 'list_folder', 'view_directory'],
  read(args) {
    const path = folderArgument(args);
    const depth = args.number('depth', 'max_depth');
    const recursive = args.flag('recursive');
    args.ignore('respect_git_ignore', 'file_filtering_options');
    args.cannot('.gitignore decides what is skipped', 'ignore', 'exclude');
    return withoutUndefined({ path, depth: depth ?? depthOf(recursive) });
  },
};

const depthOf = (recursive: unknown): number | undefined => {
  if (recursive === undefined) return undefined;
  return recursive === true ? everythingBelow : 1;
};

export const searching: Vocabulary = {
  tool: searchText,
  names: [
    'Grep',
    'grep_search',
    'search_file_content',
    'search_files',
    'grep_files',
    'search_dir',
    'search_file',
    'ripgrep',
    'rg',
    'search',
    'search_code',
  ],
  read(args) {
    const pattern = args.text('pattern', 'query', 'regex', 'search_term', 'regexp');
    const path = args.has('file') && !args.has('path') ? fileOf(args) : folderArgument(args);
    const glob = args.text('glob', 'include', 'include_pattern', 'file_pattern', 'file_glob', 'includes');
    // Matches always include file and line number, so these options have no effect.
    args.ignore('-n', 'line_number', 'output_mode', 'show_line_numbers');
    const target = args.take('target');
    if (target !== undefined && target !== 'content')
      args.refuse(`target ${JSON.stringify(target)} cannot be used here: it searches file contents, not file names`);
    args.cannot(
      'it shows no lines around a match; read that part of the file',
      '-A',
      '-B',
      '-C',
      'context',
      'before',
      'after',
      'before_context',
      'after_context',
    );
    args.cannot(
      'it shows up to 100 matches',
      'head_limit',
      'limit',
      'max_results',
      'total_max_matches',
      'max_matches_per_file',
      'offset',
    );
    args.cannot('use glob to say which files', 'type', 'exclude', 'exclude_pattern');
    args.cannot('each line is searched separately', 'multiline');
    args.cannot('.gitignore decides what is skipped', 'include_ignored', 'include_ignored_files', 'no_ignore');
    args.cannot('the lines of the matches are always shown', 'names_only');
    return withoutUndefined({
      pattern,
      literal: literalOf(args),
      path,
      glob: glob === '' ? undefined : glob,
      case: caseOf(args),
    });
  },
};

function literalOf(args: CallArguments): unknown {
  const isPattern = args.flag('is_regexp', 'is_regex', 'isRegexp');
  const literal = args.flag('literal', 'fixed_strings', '-F');
  return literal ?? (isPattern === false ? true : undefined);
}

function caseOf(args: CallArguments): unknown {
  const ignores = args.flag('-i', 'ignore_case', 'case_insensitive');
  const matches = args.flag('case', 'case_sensitive', 'match_case');
  return matches ?? (ignores === true ? false : undefined);
}

export const fetching: Vocabulary = {
  tool: fetchUrl,
  names: ['WebFetch', 'web_fetch', 'fetch', 'fetch_webpage', 'fetch_page', 'open_url', 'read_url', 'read_url_content'],
  read(args) {
    // Some agents have another model read the page and pass instructions for it.
    args.ignore('prompt', 'query', 'max_length', 'raw', 'format', 'timeout');
    const several = args.take('urls');
    const [only, ...more] = Array.isArray(several) ? (several as unknown[]) : [several];
    if (more.length > 0) args.refuse('urls: fetch one page in a call');
    return withoutUndefined({ url: args.text('url', 'uri', 'address', 'link') ?? only });
  },
};
