import { isRecord } from '../../../text/parseJson';
import { askUser } from '../../native/askUser';
import { delegate } from '../../native/delegate';
import { finish } from '../../native/finish';
import { thinkTool } from '../../native/think';
import { todo } from '../../native/todo';
import { useSkill } from '../../native/useSkill';
import { CallArguments } from '../callArguments';
import type { Vocabulary } from './vocabulary';
import { withoutUndefined } from '../../../text/withoutUndefined';

/** Tools for managing the work itself: finishing, asking, planning, delegating. */

export const finishing: Vocabulary = {
  tool: finish,
  names: ['submit', 'attempt_completion', 'complete_task', 'task_complete', 'submit_and_exit', 'complete', 'done'],
  read(args) {
    args.ignore('task_completed', 'verified');
    args.cannot('run the command before finishing', 'command');
    const summary = args.text('summary', 'result', 'message', 'answer', 'output');
    // Some agents finish without a summary.
    return { summary: summary ?? (args.called === finish.name ? undefined : 'The work is submitted.') };
  },
};

export const askingVocabulary: Vocabulary = {
  tool: askUser,
  names: [
    'ask_followup_question',
    'AskUserQuestion',
    'clarify',
    'question',
    'ask_question',
    'request_user_input',
    'ask_human',
    'ask',
  ],
  read(args) {
    const several = args.take('questions');
    if (Array.isArray(several) && several.length === 1 && isRecord(several[0])) {
      const one = new CallArguments(args.called, several[0]);
      one.ignore('header', 'multi_select', 'id', 'type', 'placeholder');
      return questionOf(one);
    }
    if (several !== undefined) args.refuse('questions: ask one question in a call');
    return questionOf(args);
  },
};

const questionOf = (args: CallArguments): Record<string, unknown> =>
  withoutUndefined({
    question: args.text('question'),
    choices: choicesOf(args.take('choices', 'options', 'follow_up', 'suggestions')),
  });

/** Choices are strings; some agents wrap each in an object. */
function choicesOf(raw: unknown): unknown {
  if (!Array.isArray(raw)) return raw;
  return raw.map((choice: unknown) =>
    isRecord(choice) ? (choice['label'] ?? choice['text'] ?? choice['answer'] ?? choice) : choice,
  );
}

export const planning: Vocabulary = {
  tool: todo,
  names: [
    'TodoWrite',
    'todo_write',
    'write_todos',
    'update_plan',
    'update_todo_list',
    'manage_todo_list',
    'SetTodoList',
    'todoread',
    'todo_list',
  ],
  read(args) {
    args.ignore('operation');
    const list = args.take('todos', 'plan', 'items', 'todo_list', 'task_list');
    return withoutUndefined({ todos: stepsOf(list), merge: args.flag('merge') });
  },
};

function stepsOf(raw: unknown): unknown {
  if (typeof raw === 'string' && !/^\s*\[\s*[{"\]]/.test(raw)) return stepsOfLines(raw);
  if (!Array.isArray(raw)) return raw;
  return raw.map((step: unknown) => {
    if (!isRecord(step)) return step;
    const args = new CallArguments('', step);
    const content = args.text('content', 'step', 'title', 'text', 'task', 'name', 'description');
    return withoutUndefined({ id: args.take('id'), content, status: statusOf(args.take('status', 'state')) });
  });
}

const statusOf = (raw: unknown): unknown => {
  if (typeof raw !== 'string') return raw;
  const word = raw.toLowerCase().replaceAll('-', '_');
  return word === 'not_started' ? 'pending' : word;
};

const marks: Readonly<Record<string, string>> = {
  ' ': 'pending',
  x: 'completed',
  '-': 'in_progress',
  '~': 'in_progress',
};

/** Parses a Markdown task list such as "[x] read" and "[ ] write", one step per line. */
function stepsOfLines(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const steps = lines.map((line) => /^\s*(?:[-*]\s+)?\[([ xX~-])\]\s+(\S.*)$/.exec(line));
  if (steps.length === 0 || steps.some((step) => step === null)) return text;
  return steps.map((step, index) => ({
    id: String(index + 1),
    content: step![2],
    status: marks[step![1]!.toLowerCase()],
  }));
}

export const thinking: Vocabulary = {
  tool: thinkTool,
  names: ['Think', 'think_aloud'],
  read: (args) => withoutUndefined({ thought: args.text('thought', 'thoughts', 'text') }),
};

export const delegating: Vocabulary = {
  tool: delegate,
  names: ['Task', 'Agent', 'spawn_agent'],
  read(args) {
    if (args.has('tasks') || !args.has('prompt'))
      return withoutUndefined(Object.fromEntries([...own].map((name) => [name, args.take(name)])));
    const kind = args.take('subagent_type');
    if (kind !== undefined && kind !== 'general-purpose')
      args.refuse(
        `subagent_type ${JSON.stringify(kind)} cannot be used here: name a persona of this folder, or omit it`,
      );
    return { tasks: [withoutUndefined({ title: args.text('description', 'title'), task: args.text('prompt') })] };
  },
};

const own = ['tasks', 'title', 'task', 'persona', 'toolsets', 'profile', 'model', 'limits'];

export const usingSkills: Vocabulary = {
  tool: useSkill,
  names: ['Skill', 'activate_skill', 'load_skill'],
  read(args) {
    args.cannot('the skill says what to do', 'args');
    return withoutUndefined({ name: args.text('name', 'skill'), file: args.text('file') });
  },
};
