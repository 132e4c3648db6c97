import type { ReadTrajectory, TrajectoryFile, TrajectoryFormat } from '../format';
import { firstEvent } from '../reading/chat';
import { readChat } from '../reading/chatMessages';
import { contentText } from '../reading/contentParts';
import { documentIn, firstIn } from '../reading/fileValues';
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { isRecord } from '../../text/parseJson';

const name = 'swe-agent';

/** Trajectories of SWE-agent: the prompt before the first step, the steps, and how the run ended. */
export const sweAgent: TrajectoryFormat = {
  name,
  label: 'SWE-agent trajectory',
  extension: '.traj',
  reader: { recognises: (file) => isSweAgent(firstIn(file)), read: (files) => read(files[0]) },
};

/** True if a document states that SWE-agent wrote it. Demonstrations have a history but no steps. */
export function isSweAgent(value: unknown): boolean {
  const steps = listIn(value, 'trajectory');
  const history = listIn(value, 'history');
  if (steps?.some((step) => textIn(step, 'action') !== undefined && 'observation' in (step as JsonObject))) return true;
  return (
    (steps === undefined || steps.length === 0) &&
    history?.some((message) => textIn(message, 'role') !== undefined && 'agent' in (message as JsonObject)) === true
  );
}

function read(file: TrajectoryFile | undefined): ReadTrajectory {
  const builder = new LogBuilder();
  const { value, problems } = documentIn(file);
  builder.problems.push(...problems);
  if (!isRecord(value)) {
    builder.problem(file?.path ?? '', 'It is not an object, so there is nothing to show.');
    return { events: [], problems: builder.problems };
  }
  const steps = listIn(value, 'trajectory') ?? [];
  const history = listIn(value, 'history') ?? [];
  if (steps.length === 0) readChat(history, { where: 'history', origin: name }, builder);
  else {
    begin(value, history, builder);
    steps.forEach((step, index) => readStep(step, `trajectory[${index}]`, builder));
  }
  end(objectIn(value, 'info') ?? {}, builder);
  return { events: builder.events, problems: builder.problems };
}

/** Reads the text before the first reply, including demonstrations of other runs. */
function begin(document: JsonObject, history: readonly unknown[], builder: LogBuilder): void {
  const replied = history.findIndex((message) => textIn(message, 'role') === 'assistant' && !isDemo(message));
  const before = history.slice(0, replied === -1 ? history.length : replied).filter(isRecord);
  const system = before.find((message) => textIn(message, 'role') === 'system');
  const words = before.filter((message) => message !== system);
  const task = words.findLast((message) => !isDemo(message));
  const config = textIn(document, 'replay_config') ?? '';
  const model = /"name"\s*:\s*"([^"]+)"/.exec(config.slice(config.indexOf('"model"')))?.[1];
  builder.append(
    firstEvent({
      origin: name,
      systemPrompt: messageText(system),
      task: messageText(task),
      model,
      title: textIn(document, 'environment'),
      tools: ['bash'],
    }),
    0,
  );
  for (const message of words)
    if (message !== task) builder.append({ type: 'user_message', text: messageText(message) });
}

const isDemo = (message: unknown): boolean => isRecord(message) && message['is_demo'] === true;
const messageText = (message: JsonObject | undefined): string => contentText(message?.['content']) ?? '';

function readStep(step: unknown, where: string, builder: LogBuilder): void {
  if (!isRecord(step)) return builder.problem(where, 'It is not a step, so it is skipped.');
  const action = (textIn(step, 'action') ?? '').trim();
  const thought = textIn(step, 'thought') ?? '';
  const durationMs = Math.round((numberIn(step, 'execution_time') ?? 0) * 1000);
  const calls = action === '' ? [] : [{ tool: 'bash', arguments: { command: action } }];
  builder.reply({ text: (action === '' ? textIn(step, 'response') : thought) ?? thought, calls });
  const content = contentText(step['observation']) ?? '';
  if (action !== '') builder.observe(undefined, { outcome: 'ok', content, ...(durationMs > 0 && { durationMs }) });
  else if (content !== '') builder.append({ type: 'user_message', text: content });
}

function end(info: JsonObject, builder: LogBuilder): void {
  const status = textIn(info, 'exit_status') ?? '';
  const submission = textIn(info, 'submission') ?? '';
  if (status === '') return;
  const summary = submission || status;
  if (status.startsWith('submitted')) builder.append({ type: 'finished', status: 'submitted', summary });
  else if (status.includes('cost'))
    builder.append({ type: 'finished', status: 'limit_exceeded', cause: 'cost', summary });
  else if (status.includes('context'))
    builder.append({ type: 'finished', status: 'failed', cause: 'context_overflow', summary });
  else if (status.includes('format'))
    builder.append({ type: 'finished', status: 'failed', cause: 'format_errors', summary });
  else builder.append({ type: 'finished', status: 'failed', summary });
}
