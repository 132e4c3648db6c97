import { applyPatch } from '../native/applyPatch';
import { editFile } from '../native/editFile';
import { runCommand } from '../native/runCommand';
import { writeFile } from '../native/writeFile';
import { argument, object, type Dialect } from './dialect';

const { text, whole, flag } = argument;

/** Tool names of Codex: files are changed only by patches, and commands are lists of words. */
export const codex: Dialect = {
  name: 'codex',
  description: 'apply_patch with "*** Begin Patch" and shell: as GPT and Codex models know them.',
  models: /gpt-(?:4\.1|[5-9]|[1-9]\d)|codex|(?:^|[/\s])o[34](?:-|$)/i,
  replaced: [
    [editFile, applyPatch],
    [writeFile, applyPatch],
  ],
  forms: [
    {
      tool: applyPatch,
      name: 'apply_patch',
      description: [
        'Edit, create, delete and move files, all or nothing. The patch:',
        '*** Begin Patch',
        '*** Update File: src/a.ts',
        '*** Move to: src/b.ts',
        '@@ function near()',
        ' kept line',
        '-old line',
        '+new line',
        '*** Add File: new.ts',
        '+every line',
        '*** Delete File: old.ts',
        '*** End Patch',
        'Move to is optional. Three lines around a change; @@ names a line above when they are not unique. Paths are relative.',
      ].join('\n'),
      parameters: object({ input: text() }),
      words: { patch: 'input' },
      write: ({ patch }) => ({ input: patch }),
    },
    {
      tool: runCommand,
      name: 'shell',
      description: runCommand.description,
      parameters: object({
        'command?': { type: 'array', items: { type: 'string' }, description: '["bash","-lc","npm test"]' },
        'workdir?': text('folder for this command only'),
        'timeout_ms?': whole('default 120000'),
        'tty?': flag('for programs that draw or ask'),
        'input?': text('to type; ends with a newline if Enter is meant'),
      }),
      example: { command: ['bash', '-lc', 'npm test'] },
      words: { timeout: 'timeout_ms' },
      write: ({ command, timeout, ...rest }) => ({
        ...(command !== undefined && { command: ['bash', '-lc', command] }),
        ...rest,
        ...(timeout !== undefined && { timeout_ms: Number(timeout) * 1000 }),
      }),
    },
  ],
};
