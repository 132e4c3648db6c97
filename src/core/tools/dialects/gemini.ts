import { applyPatch } from '../native/applyPatch';
import { editFile } from '../native/editFile';
import { listFiles } from '../native/listFiles';
import { readFile } from '../native/readFile';
import { runCommand } from '../native/runCommand';
import { searchText } from '../native/searchText';
import { writeFile } from '../native/writeFile';
import { argument, object, renamed, type Dialect } from './dialect';
import { oneReplacement } from './replacement';

const { text, whole, flag } = argument;
const asFilePath = { path: 'file_path' };
const asFolder = { path: 'dir_path' };

/** Tool names of Gemini CLI. */
export const geminiDialect: Dialect = {
  name: 'gemini',
  description: 'replace with old_string and new_string, run_shell_command, grep_search, as used by Gemini models.',
  models: /gemini/i,
  replaced: [[applyPatch, editFile]],
  forms: [
    {
      tool: readFile,
      name: 'read_file',
      description: readFile.description,
      parameters: object({ file_path: text(), 'start_line?': whole('from 1'), 'end_line?': whole() }),
      words: { ...asFilePath, from: 'start_line', to: 'end_line' },
      write: (input) => renamed(input, { ...asFilePath, from: 'start_line', to: 'end_line' }),
    },
    {
      tool: listFiles,
      name: 'list_directory',
      description: listFiles.description,
      parameters: object({ 'dir_path?': text(), 'depth?': whole('default 2') }),
      words: asFolder,
      write: (input) => renamed(input, asFolder),
    },
    {
      tool: searchText,
      name: 'grep_search',
      description: searchText.description,
      parameters: object({
        pattern: text(),
        'fixed_strings?': flag('pattern is plain text'),
        'dir_path?': text(),
        'include_pattern?': text('e.g. *.ts'),
        'case_sensitive?': flag('default true'),
      }),
      words: { ...asFolder, glob: 'include_pattern', literal: 'fixed_strings', case: 'case_sensitive' },
      write: (input) =>
        renamed(input, { ...asFolder, glob: 'include_pattern', literal: 'fixed_strings', case: 'case_sensitive' }),
    },
    {
      tool: editFile,
      name: 'replace',
      description: 'Replace exact text in a file. old_string must occur exactly once, or set allow_multiple.',
      parameters: object({ file_path: text(), old_string: text(), new_string: text(), 'allow_multiple?': flag() }),
      words: {
        ...asFilePath,
        edits: 'old_string',
        old_text: 'old_string',
        new_text: 'new_string',
        all: 'allow_multiple',
      },
      write: (input) => oneReplacement(input, 'allow_multiple'),
    },
    {
      tool: writeFile,
      name: 'write_file',
      description: writeFile.description,
      parameters: object({ file_path: text(), content: text() }),
      words: asFilePath,
      write: (input) => renamed(input, asFilePath),
    },
    {
      tool: runCommand,
      name: 'run_shell_command',
      description: runCommand.description,
      parameters: runCommand.parameters,
      words: {},
      write: (input) => input,
    },
  ],
};
