import { applyPatch } from '../native/applyPatch';
import { editFile } from '../native/editFile';
import { runCommand } from '../native/runCommand';
import { writeFile } from '../native/writeFile';
import { argument, object, type Dialect } from './dialect';

const { text, whole, flag } = argument;

/** Tool names of Codex: files are changed only by patches, and commands are lists of words. */
export const codexDialect: Dialect = {
  name: 'codex',
  description: 'apply_patch with "*** Begin Patch" and shell, as used by GPT and Codex models.',
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
        'Move to is optional. Give three lines around a change; if they are not unique, @@ names a line above. Paths are relative.',
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
        'tty?': flag('for full-screen or interactive programs'),
        'input?': text('text to type; end it with a newline for Enter'),
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
