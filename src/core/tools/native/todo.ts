import * as z from 'zod';
import type { Todo } from '../../../protocol/events/details';
import { defineTool } from '../defineTool';
import { projection, type History } from '../../log/projection';

const status = z.enum(['pending', 'in_progress', 'completed', 'cancelled']);
const shownStates = { pending: 'pending', in_progress: 'active', completed: 'done', cancelled: 'cancelled' } as const;
/** Other common words for the same states. */
const statusOf: Record<string, z.infer<typeof status>> = {
  active: 'in_progress',
  doing: 'in_progress',
  done: 'completed',
  todo: 'pending',
};

/** Replaces the list, changes some of its steps or, without `todos`, shows it. */
export const todo = defineTool({
  name: 'todo',
  description:
    'Track the steps of a longer task: replace the list, change given steps (merge) or show it (no todos). Keep one in_progress.',
  input: z
    .object({
      todos: z
        .array(
          z.object({
            id: z.string(),
            content: z.string().optional().describe('required if new'),
            status: status.optional(),
          }),
        )
        .optional(),
      merge: z.boolean().optional(),
    })
    .superRefine(({ todos = [], merge }, context) => {
      if (!merge)
        todos.forEach(({ content }, index) => {
          if (!content)
            context.addIssue({ code: 'custom', path: ['todos', index], message: 'A new step needs content.' });
        });
      const twice = todos.find(({ id }, index) => todos.findIndex((other) => other.id === id) !== index);
      if (twice) context.addIssue({ code: 'custom', path: ['todos'], message: `The id ${twice.id} is used twice.` });
    }),
  example: { todos: [{ id: '1', content: 'Find the cause', status: 'in_progress' }] },
  accept: (raw) => inOneForm(raw),
  effect: 'notes',
  summarize({ todos, merge }) {
    if (!todos) return 'Look at the plan';
    if (merge) return `Plan: ${todos.length} changed`;
    return `Plan: ${todos.filter((each) => each.status === 'completed').length} of ${todos.length} done`;
  },
  async run({ todos, merge = false }, { history = [] }) {
    const before = todosOf(history);
    const changes = todos?.map(({ id, content, status: now }) => ({
      id,
      ...(content && { text: content }),
      ...(now && { state: shownStates[now] }),
    }));
    const items = changes ? merged(merge ? before : [], changes) : [...before];
    const unnamed = items.find(({ text }) => text === '');
    if (unnamed)
      return {
        content: `There is no step ${unnamed.id} to change, and a new one needs content. The list is:\n${todosInWords(before)}`,
        failed: true,
      };
    const next = items.find(({ state }) => state === 'active') ?? items.find(({ state }) => state === 'pending');
    const list = !changes || merge ? `\n${todosInWords(items)}` : '';
    const progress = next ? `Next: ${next.text}` : 'All steps are done.';
    return {
      content: items.length === 0 ? 'The list is empty.' : progress + list,
      details: { kind: 'todo', items },
    };
  },
});

export const isUnfinished = ({ state }: Todo): boolean => state === 'active' || state === 'pending';

/** One step in the words of the tool, so that the model can change it. */
export const todoInWords = ({ id, text, state }: Todo): string =>
  `- ${state === 'active' ? 'in_progress' : state}: ${id === undefined ? '' : `${id}. `}${text}`;

/** Returns the agent's current list of steps. It is a projection of the whole log, so it survives condensation. */
export const todosOf: (history: History) => readonly Todo[] = projection<readonly Todo[]>(
  () => [],
  (_list, event) => (event.type === 'observation' && event.details?.kind === 'todo' ? event.details.items : undefined),
);

const marks: Record<Todo['state'], string> = { pending: '[ ]', active: '[>]', done: '[x]', cancelled: '[-]' };

/** Formats a list for the model, one step per line. Condensers also add it back. */
export function todosInWords(items: readonly Todo[]): string {
  return items.map(({ id, text, state }) => `${marks[state]} ${id === undefined ? '' : `${id}. `}${text}`).join('\n');
}

type TodoChange = Pick<Todo, 'id'> & Partial<Todo>;

function merged(before: readonly Todo[], updates: readonly TodoChange[]): Todo[] {
  const changes = new Map(updates.map((item) => [item.id, item]));
  const existingIds = new Set(before.map(({ id }) => id));
  return [
    ...before.map((item) => ({ ...item, ...changes.get(item.id) })),
    ...updates
      .filter(({ id }) => !existingIds.has(id))
      .map((item) => ({ text: '', state: 'pending' as const, ...item })),
  ];
}

/** Normalizes the list formats of other tools: steps without ids, under other names, or as JSON text. */
function inOneForm(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null) return raw;
  const { items, todos = items, ...rest } = raw as Record<string, unknown>;
  const list = typeof todos === 'string' ? parseIfJson(todos) : todos;
  if (list === undefined || list === null) return rest;
  return { ...rest, todos: Array.isArray(list) ? list.map(step) : list };
}

function step(raw: unknown, at: number): unknown {
  if (typeof raw !== 'object' || raw === null)
    return typeof raw === 'string' ? { id: String(at + 1), content: raw } : raw;
  const { id = at + 1, text, title, content = text ?? title, state, status = state } = raw as Record<string, unknown>;
  return { id: String(id), content, status: typeof status === 'string' ? (statusOf[status] ?? status) : status };
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
