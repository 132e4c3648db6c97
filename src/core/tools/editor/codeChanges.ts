import * as z from 'zod';
import { defineTool } from '../defineTool';
import { codePlaceInput, placeInWords, servicesOf } from './navigation';
import type { LineRange, OfferedAction, PlannedWrite } from '../../ports/codeServices';
import type { Files } from '../../ports/files';
import type { ToolResult, Touches } from '../../ports/tool';
import { protectedWrites, matchingRules, secretReads } from '../../risk/pathRules';
import { changeInWords, fileChange, notesOnWriting } from '../files/fileChange';
import { readIfThere } from '../files/changeFile';

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  description: 'Rename a symbol everywhere it is used, in all files at once.',
  input: z.object({ ...codePlaceInput, new_name: z.string().min(1) }),
  needs: 'code',
  effect: 'writes',
  summarize: ({ new_name: name, ...place }) => `Rename ${placeInWords(place)} to ${name}`,
  touches: ({ path }) => ({ writes: [path] }),
  async findTouches({ new_name: name, ...place }, environment, signal) {
    return touchesOf(await servicesOf(environment).rename(place, name, signal));
  },
  async run({ new_name: name, ...place }, { environment, signal }) {
    const planned = await servicesOf(environment).rename(place, name, signal);
    return writePlanned(planned, `Renamed ${place.symbol} to ${name}`, environment.files);
  },
});

const maxActions = 50;

const Input = z.object({
  path: z.string(),
  line: z.int().min(1).describe('from 1'),
  to: z.int().min(1).optional().describe('last line'),
  title: z.string().optional().describe('omit to list them'),
});

export const applyCodeAction = defineTool({
  name: 'apply_code_action',
  description: 'List the quick fixes and refactorings for lines, or apply one.',
  input: Input,
  example: { path: 'src/app.ts', line: 3 },
  needs: 'code',
  effect: 'writes',
  summarize: ({ path, line, title }) =>
    title === undefined ? `List quick fixes for ${path}:${line}` : `Apply "${title}" to ${path}:${line}`,
  touches: ({ path, title }) => (title === undefined ? { reads: [path] } : { writes: [path] }),
  async findTouches(input, environment, signal) {
    const { title } = input;
    if (title === undefined) return { reads: [input.path] };
    return touchesOf(await servicesOf(environment).applying(rangeOf(input), title, signal));
  },
  async run(input, { environment, signal }) {
    const code = servicesOf(environment);
    const range = rangeOf(input);
    const { title } = input;
    if (title !== undefined)
      return writePlanned(await code.applying(range, title, signal), `Applied "${title}"`, environment.files);
    const offered = await code.actions(range, signal);
    const shown = offered.slice(0, maxActions).map(actionLine);
    const more = offered.length > maxActions ? [`[${offered.length - maxActions} more are omitted.]`] : [];
    return { content: [...shown, ...more].join('\n') };
  },
});

const rangeOf = ({ path, line, to = line }: z.output<typeof Input>): LineRange => ({
  path,
  fromLine: Math.min(line, to),
  toLine: Math.max(line, to),
});

function actionLine({ title, kind, isEdit }: OfferedAction): string {
  const note = isEdit ? '' : ' [runs a VS Code command, so it cannot be applied here]';
  return `${title}${kind === '' ? '' : ` (${kind})`}${note}`;
}

const maxFiles = 200;

/** What an edit planned by a language service touches, for risk analysis, approval and checkpoints. */
const touchesOf = (planned: readonly PlannedWrite[]): Touches => ({
  writes: planned.map(({ path }) => path),
  adds: planned.map(({ text }) => text).join('\n'),
});

/**
 * Writes a planned edit of several files, all or nothing. Throws an `Error` with a message for the model if it reaches
 * files that need separate approval.
 */
async function writePlanned(planned: readonly PlannedWrite[], what: string, files: Files): Promise<ToolResult> {
  if (planned.length > maxFiles)
    return refusedResult(`It would change ${planned.length} files; the maximum is ${maxFiles} at once.`);
  const guarded = planned.find(({ path }) => matchingRules(path, [...protectedWrites, ...secretReads]).length > 0);
  if (guarded) return refusedResult(`It would change ${guarded.path}, which must be edited separately.`);
  const before = await Promise.all(planned.map(({ path }) => readIfThere(path, files)));
  const written = await files.write(planned);
  const changes = await Promise.all(
    written.map(({ path, text, version }, index) => fileChange(path, before[index]?.text ?? null, text, version)),
  );
  const changed = changes.filter(({ added, removed }) => added + removed > 0);
  const content = [
    `${what} in ${changed.length} ${changed.length === 1 ? 'file' : 'files'}`,
    ...changed.map(changeInWords),
    ...written.flatMap(notesOnWriting),
  ].join('\n');
  return { content, details: { kind: 'edit', changes: changed } };
}

const refusedResult = (why: string): ToolResult => ({ content: `Nothing was changed. ${why}`, failed: true });
