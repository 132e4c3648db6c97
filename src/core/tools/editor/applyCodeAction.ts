import * as z from 'zod';
import type { LineRange, OfferedAction } from '../../ports/codeServices';
import { defineTool } from '../defineTool';
import { servicesOf } from './codePlaceInput';
import { touchesOf, writePlanned } from './writePlanned';

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
