import * as z from 'zod';
import { changeFile, type Changed } from '../files/changeFile';
import { explainMiss } from '../files/closestMatch';
import { FileProblem } from '../../ports/files';
import { listFiles } from '../native/listFiles';
import { splitLines } from '../../text/numberedLines';
import { readFile } from '../native/readFile';
import { replaceExactly } from '../files/replacements';
import { defineTool } from '../defineTool';
import type { ToolContext, ToolResult } from '../../ports/tool';
import { writeFile } from '../native/writeFile';
import type { FileChange } from '../../../protocol/events/details';
import { projection, type History } from '../../log/projection';

const Input = z
  .object({
    command: z.enum(['view', 'create', 'str_replace', 'insert', 'undo_edit']),
    path: z.string(),
    file_text: z.string().optional().describe('for create'),
    old_str: z.string().optional().describe('for str_replace: exact and unique'),
    new_str: z.string().optional().describe('for str_replace and insert'),
    insert_line: z.int().min(0).optional().describe('insert after this line; 0 is the beginning'),
    view_range: z.array(z.int()).length(2).optional().describe('first and last line; -1 is the end'),
  })
  .superRefine((input, context) => {
    for (const name of needed[input.command])
      if (input[name] === undefined)
        context.addIssue({ code: 'custom', message: `The command ${input.command} needs ${name}.` });
  });
type Input = z.output<typeof Input>;

const needed: Record<Input['command'], readonly ('file_text' | 'old_str' | 'insert_line' | 'new_str')[]> = {
  view: [],
  create: ['file_text'],
  str_replace: ['old_str'],
  insert: ['insert_line', 'new_str'],
  undo_edit: [],
};
const verbs: Record<Input['command'], string> = {
  view: 'Read',
  create: 'Write',
  str_replace: 'Edit',
  insert: 'Insert into',
  undo_edit: 'Undo the last edit of',
};

/**
 * Five commands in one tool. Its declared effect is that of the strongest; what a call touches distinguishes the
 * commands.
 */
export const fileEditor = defineTool({
  name: 'file_editor',
  description: 'View, create and edit text files, and list folders.',
  input: Input,
  effect: 'writes',
  streamedArguments: { path: 'path', texts: ['file_text', 'new_str'] },
  summarize: ({ command, path }) => `${verbs[command]} ${path}`,
  touches: ({ command, path, file_text: text, new_str: added }) =>
    command === 'view' ? { reads: [path] } : { writes: [path], adds: `${text ?? ''}${added ?? ''}` },
  allowKey: ({ command, path }) => (command === 'view' ? `view ${path}` : path),
  run: (input, context) => commands[input.command](input, context),
});

const commands: Record<Input['command'], (input: Input, context: ToolContext) => Promise<ToolResult>> = {
  async view({ path, view_range: range }, context) {
    const [from = 1, to = -1] = range ?? [];
    try {
      return await readFile.bind({ path, from: Math.max(1, from), ...(to > 0 && { to }) }).run(context);
    } catch (thrown) {
      if (thrown instanceof FileProblem && thrown.code === 'folder') return listFiles.bind({ path }).run(context);
      throw thrown;
    }
  },
  create: ({ path, file_text: content }, context) => writeFile.bind({ path, content }).run(context),
  str_replace: ({ path, old_str: before, new_str: after = '' }, context) =>
    changeFile(path, context, async (text) => {
      const result = replaceExactly(text, { old_text: before!, new_text: after });
      if ('text' in result) return result;
      const refused =
        'refused' in result ? result.refused.replace(', or set all', '') : await explainMiss(text, result.missed);
      return { refused: refused.replaceAll('old_text', 'old_str').replaceAll('new_text', 'new_str') };
    }),
  insert: ({ path, insert_line: line, new_str: added }, context) =>
    changeFile(path, context, (text) => {
      const lines = splitLines(text);
      if (line! > lines.length) return { refused: `It has ${lines.length} lines; there is no line ${line}.` };
      const end = text === '' || text.endsWith('\n') ? '\n' : '';
      return {
        text:
          [...lines.slice(0, line), ...added!.replace(/\n$/, '').split('\n'), ...lines.slice(line)].join('\n') + end,
      };
    }),
  async undo_edit({ path }, context) {
    const { path: known } = await context.environment.files.read(path);
    const change = lastEditOf(known, context.history ?? []);
    return changeFile(path, context, (text) =>
      change ? undone(change, text) : { refused: 'It was not edited in this session, so there is nothing to undo.' },
    );
  },
};

interface Edits {
  readonly undoing: Set<string>;
  readonly byPath: Map<string, FileChange[]>;
}

const editsOf = projection<Edits>(
  () => ({ undoing: new Set(), byPath: new Map() }),
  ({ undoing, byPath }, event) => {
    if (event.type === 'agent_response') for (const { id, input } of event.actions) if (isUndo(input)) undoing.add(id);
    if (event.type !== 'observation' || event.details?.kind !== 'edit') return;
    for (const change of event.details.changes) {
      const edits = byPath.get(change.path) ?? [];
      byPath.set(change.path, edits);
      if (undoing.has(event.actionId)) edits.pop();
      else edits.push(change);
    }
  },
);

const isUndo = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'command' in input && input.command === 'undo_edit';

/** Returns the last edit of a file in the log that was not undone. */
const lastEditOf = (path: string, history: History): FileChange | undefined =>
  editsOf(history).byPath.get(path)?.at(-1);

/** Reconstructs the text before a change from the current text. */
function undone({ kind, added, removed, hunks }: FileChange, text: string): Changed {
  if (kind === 'created') return { refused: 'Its last edit created it. To remove it, delete it with a command.' };
  const marked = (mark: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(mark)).length, 0);
  if (marked('+') !== added || marked('-') !== removed)
    return { refused: 'Its last edit was too large to be undone. Edit it again.' };
  const lines = text.split('\n');
  for (const { newStart, newLines, lines: changed } of [...hunks].reverse()) {
    const at = newLines === 0 ? newStart : newStart - 1;
    const side = (mark: string): string[] =>
      changed.filter((line) => !line.startsWith(mark)).map((line) => line.slice(1));
    if (side('-').some((line, index) => lines[at + index] !== line))
      return { refused: 'It has changed since the last edit. Edit it again.' };
    lines.splice(at, newLines, ...side('+'));
  }
  return { text: lines.join('\n') };
}
