import type { ReadProblem } from '../format';
import { listIn, objectIn, textIn, type JsonObject } from '../reading/json';
import { parseTime } from '../times';
import { isRecord } from '../../text/parseJson';

/**
 * Returns the violations of the format: step numbers, references to calls, timestamps, metrics, and fields in the wrong
 * place.
 */
export function atifProblems(trajectory: JsonObject): ReadProblem[] {
  const problems: ReadProblem[] = [];
  const add = (where: string, words: string): void => void problems.push({ where, words });
  const version = textIn(trajectory, 'schema_version');
  if (version === undefined || !/^ATIF-v1\.[0-7]$/.test(version))
    add(
      'schema_version',
      `${version === undefined ? 'It is missing' : `${version} is unknown`}; the file is read as ATIF-v1.7.`,
    );
  if (version !== undefined && version < 'ATIF-v1.7' && textIn(trajectory, 'session_id') === undefined)
    add('session_id', `${version} requires it.`);
  const agent = objectIn(trajectory, 'agent');
  for (const field of ['name', 'version'])
    if (textIn(agent, field) === undefined) add(`agent.${field}`, 'It is missing.');
  const steps = listIn(trajectory, 'steps');
  if (!steps || steps.length === 0) add('steps', steps ? 'There are none.' : 'The list is missing.');
  for (const [index, step] of (steps ?? []).entries()) {
    if (isRecord(step)) checkStep(step, index, add);
    else add(`steps[${index}]`, 'It is not a step, so it is skipped.');
  }
  checkMetrics(
    objectIn(trajectory, 'final_metrics'),
    { whole: finalCounts, cost: 'total_cost_usd', where: 'final_metrics' },
    add,
  );
  checkChildren(trajectory, add);
  return problems;
}

type Add = (where: string, words: string) => void;

const finalCounts = ['total_prompt_tokens', 'total_completion_tokens', 'total_cached_tokens', 'total_steps'];
const counts = ['prompt_tokens', 'completion_tokens', 'cached_tokens'];
const agentOnly = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'];

function checkStep(step: JsonObject, index: number, add: Add): void {
  const where = `steps[${index}]`;
  if (step['step_id'] !== index + 1)
    add(
      `${where}.step_id`,
      `It is ${JSON.stringify(step['step_id'] ?? null)} instead of ${index + 1}; the steps are read in the order of the list.`,
    );
  const source = textIn(step, 'source');
  if (source !== 'system' && source !== 'user' && source !== 'agent')
    add(
      `${where}.source`,
      `${JSON.stringify(step['source'] ?? null)} is not system, user or agent; the step is shown as a message of the user.`,
    );
  const stamp = step['timestamp'];
  if (stamp !== undefined && stamp !== null && (typeof stamp !== 'string' || parseTime(stamp) === undefined))
    add(
      `${where}.timestamp`,
      `${JSON.stringify(stamp)} is not an ISO 8601 time, so the step gets the time of the previous step.`,
    );
  if (typeof step['message'] !== 'string' && !Array.isArray(step['message']))
    add(`${where}.message`, 'It is missing, so the step is shown without text.');
  checkParts(step['message'], `${where}.message`, add);
  if (source !== 'agent')
    for (const field of agentOnly)
      if (step[field] !== undefined && step[field] !== null)
        add(`${where}.${field}`, 'Only agent steps can have it, so it is not shown.');
  if (step['llm_call_count'] === 0 && source === 'agent')
    for (const field of ['metrics', 'reasoning_content'])
      if (step[field] !== undefined && step[field] !== null)
        add(`${where}.${field}`, 'The step says that no model was called, so it cannot have it.');
  checkCalls(step, where, add);
  checkMetrics(objectIn(step, 'metrics'), { whole: counts, cost: 'cost_usd', where: `${where}.metrics` }, add);
}

/** Validates the parts of a message or result: texts, and images with their type and path. */
function checkParts(content: unknown, where: string, add: Add): void {
  if (!Array.isArray(content)) return;
  for (const [index, part] of (content as unknown[]).entries()) {
    const type = textIn(part, 'type');
    const source = objectIn(part, 'source');
    if (type === 'text' ? textIn(part, 'text') === undefined : type !== 'image')
      add(`${where}[${index}]`, 'It is neither text nor an image, so it is not shown.');
    else if (
      type === 'image' &&
      (textIn(source, 'path') === undefined ||
        !/^image\/(?:jpeg|png|gif|webp)$/.test(textIn(source, 'media_type') ?? ''))
    )
      add(`${where}[${index}].source`, 'It does not give the path or type of the image.');
  }
}

function checkCalls(step: JsonObject, where: string, add: Add): void {
  const ids = new Set<string>();
  for (const [index, call] of (listIn(step, 'tool_calls') ?? []).entries()) {
    const place = `${where}.tool_calls[${index}]`;
    if (!isRecord(call)) {
      add(place, 'It is not a call, so it is skipped.');
      continue;
    }
    const id = textIn(call, 'tool_call_id');
    if (id === undefined) add(`${place}.tool_call_id`, 'It is missing.');
    else if (ids.has(id)) add(`${place}.tool_call_id`, `Another call of this step has the same id, ${id}.`);
    else ids.add(id);
    if (textIn(call, 'function_name') === undefined) add(`${place}.function_name`, 'It is missing.');
    if (!isRecord(call['arguments'])) add(`${place}.arguments`, 'They are not an object.');
  }
  const observation = step['observation'];
  if (observation === undefined || observation === null) return;
  const results = listIn(observation, 'results');
  if (!results) add(`${where}.observation.results`, 'The list is missing.');
  for (const [index, result] of (results ?? []).entries())
    checkResult(result, ids, `${where}.observation.results[${index}]`, add);
}

function checkResult(result: unknown, ids: ReadonlySet<string>, where: string, add: Add): void {
  if (!isRecord(result)) return add(where, 'It is not a result, so it is skipped.');
  const id = textIn(result, 'source_call_id');
  if (id !== undefined && !ids.has(id))
    add(`${where}.source_call_id`, `This step has no call ${id}; the result is shown as text.`);
  checkParts(result['content'], `${where}.content`, add);
  for (const [index, reference] of (listIn(result, 'subagent_trajectory_ref') ?? []).entries()) {
    if (textIn(reference, 'trajectory_id') === undefined && textIn(reference, 'trajectory_path') === undefined)
      add(
        `${where}.subagent_trajectory_ref[${index}]`,
        'It names neither a trajectory nor a file, so it cannot be followed.',
      );
  }
}

function checkMetrics(
  metrics: JsonObject | undefined,
  { whole, cost, where }: { readonly whole: readonly string[]; readonly cost: string; readonly where: string },
  add: Add,
): void {
  if (!metrics) return;
  for (const field of whole) {
    const value = metrics[field];
    if (value !== undefined && value !== null && !(Number.isInteger(value) && (value as number) >= 0))
      add(`${where}.${field}`, `${JSON.stringify(value)} is not a whole number of at least 0.`);
  }
  const price = metrics[cost];
  if (price !== undefined && price !== null && !(typeof price === 'number' && price >= 0))
    add(`${where}.${cost}`, `${JSON.stringify(price)} is not an amount of at least 0.`);
  const [input, , cached] = whole.map((field) => metrics[field]);
  if (typeof input === 'number' && typeof cached === 'number' && cached > input)
    add(`${where}.${whole[2]!}`, `${cached} of ${input} tokens cannot have come from the cache.`);
}

function checkChildren(trajectory: JsonObject, add: Add): void {
  const ids = new Set<string>();
  for (const [index, child] of (listIn(trajectory, 'subagent_trajectories') ?? []).entries()) {
    const id = textIn(child, 'trajectory_id');
    if (id === undefined)
      add(`subagent_trajectories[${index}].trajectory_id`, 'It is missing, so nothing can refer to it.');
    else if (ids.has(id))
      add(`subagent_trajectories[${index}].trajectory_id`, `Another trajectory has the same id, ${id}.`);
    else ids.add(id);
  }
}
