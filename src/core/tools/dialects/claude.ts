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

/** Tool names of Claude Code, also known to other models that are made for it. */
export const claudeDialect: Dialect = {
  name: 'claude',
  description:
    'Read, Edit with old_string and new_string, Write, Bash, as used by Claude, Qwen, Kimi, GLM and similar models.',
  models: /claude|qwen|qwq|kimi|moonshot|glm|minimax|deepseek|grok/i,
  replaced: [[applyPatch, editFile]],
  forms: [
    {
      tool: readFile,
      name: 'Read',
      description: readFile.description,
      parameters: object({
        file_path: text(),
        'offset?': whole('first line, from 1'),
        'limit?': whole('number of lines'),
      }),
      words: { ...asFilePath, from: 'offset', to: 'limit' },
      write: ({ path, from = 1, to }) => ({
        file_path: path,
        ...(from !== 1 && { offset: from }),
        ...(to !== undefined && { limit: Number(to) - Number(from) + 1 }),
      }),
    },
    {
      tool: listFiles,
      name: 'LS',
      description: listFiles.description,
      parameters: listFiles.parameters,
      example: { path: 'src' },
      words: {},
      write: (input) => input,
    },
    {
      tool: searchText,
      name: 'Grep',
      description: searchText.description,
      parameters: object({ pattern: text(), 'path?': text(), 'glob?': text('e.g. *.ts'), '-i?': flag('ignore case') }),
      words: { case: '-i' },
      write: ({ case: matchesCase, literal: _literal, ...rest }) => ({
        ...rest,
        ...(matchesCase === false && { '-i': true }),
      }),
    },
    {
      tool: editFile,
      name: 'Edit',
      description: 'Replace exact text in a file. old_string must occur exactly once, or set replace_all.',
      parameters: object({ file_path: text(), old_string: text(), new_string: text(), 'replace_all?': flag() }),
      words: { ...asFilePath, edits: 'old_string', old_text: 'old_string', new_text: 'new_string', all: 'replace_all' },
      write: (input) => oneReplacement(input, 'replace_all'),
    },
    {
      tool: writeFile,
      name: 'Write',
      description: writeFile.description,
      parameters: object({ file_path: text(), content: text() }),
      words: asFilePath,
      write: (input) => renamed(input, asFilePath),
    },
    {
      tool: runCommand,
      name: 'Bash',
      description: runCommand.description,
      parameters: object({
        'command?': text(),
        'timeout?': whole('milliseconds, default 120000'),
        'tty?': flag('for full-screen or interactive programs'),
        'input?': text('text to type; end it with a newline for Enter'),
      }),
      words: {},
      write: ({ timeout, ...rest }) => ({ ...rest, ...(timeout !== undefined && { timeout: Number(timeout) * 1000 }) }),
    },
  ],
};
