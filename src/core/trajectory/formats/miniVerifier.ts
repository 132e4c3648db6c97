import { type Candidate, Sampling, type Usage } from '../../../protocol/events/event';
import { textIn, type JsonObject, listIn, numberIn, objectIn } from '../reading/json';
import { commandsWritten, commandIn } from './miniText';
import { isRecord } from '../../text/parseJson';
import { unknownUsage } from '../../log/spending';

/**
 * Returns the fields that mini-swe-agent stores beside a reply chosen by a verifier: the candidates, their scores and
 * the judge's texts.
 */
export function verifierExtra(sampling: Sampling): JsonObject {
  const { candidates, chosen, by, reason, outputs, fallback } = sampling;
  const scores = candidates.map(({ score }) => score ?? null);
  const isScored = scores.some((score) => score !== null);
  return {
    enabled: true,
    type: by,
    selected_index: chosen,
    selection_index_base: 1,
    candidates: candidates.map(asCandidate),
    verifier_output: {
      verifier_type: by,
      reason,
      ...(outputs.length === 1 ? { raw_output: outputs[0]! } : {}),
      ...(outputs.length > 1 ? { raw_outputs: [...outputs] } : {}),
      ...(isScored ? { rewards: scores } : { parsed_index: chosen }),
      ...(fallback !== undefined && { fallback }),
    },
  };
}

function asCandidate({ text, calls, problem }: Candidate, index: number): JsonObject {
  const commands = commandsIn(text, calls);
  return {
    index,
    content: text,
    action: problem === undefined ? (commands[0] ?? null) : null,
    n_actions: commands.length,
    parse_error: problem ?? null,
  };
}

/** Returns the commands of a candidate, from its calls or its text. */
function commandsIn(text: string, calls: readonly unknown[]): string[] {
  if (calls.length > 0) return calls.map(commandOfCall);
  return commandsWritten(text);
}

function commandOfCall(call: unknown): string {
  const written = isRecord(call) ? textIn(call['function'], 'arguments') : undefined;
  if (written === undefined) return '';
  try {
    return textIn(JSON.parse(written), 'command') ?? written;
  } catch {
    return written;
  }
}

/**
 * Reads the fields that mini-swe-agent stores beside a reply chosen by a verifier. Returns undefined if they are absent
 * or unusable. `reply` is the file's record of the reply itself.
 */
export function samplingIn(
  extra: JsonObject | undefined,
  reply: { readonly model: string; readonly usage: Usage },
): Sampling | undefined {
  const verifier = objectIn(extra, 'verifier');
  const output = objectIn(verifier, 'verifier_output');
  const by = Sampling.shape.by.safeParse(verifier?.['type']).data;
  const chosen = numberIn(verifier, 'selected_index');
  const recorded = (listIn(verifier, 'candidates') ?? []).filter(isRecord);
  if (by === undefined || chosen === undefined || recorded[chosen] === undefined) return undefined;
  const rewards = listIn(output, 'rewards');
  const fallback = textIn(output, 'fallback');
  return {
    candidates: recorded.map((candidate, index) => ({
      ...candidateOf(candidate, reply.model),
      ...(index === chosen && { usage: reply.usage }),
      ...(rewards && { score: typeof rewards[index] === 'number' ? rewards[index] : null }),
    })),
    chosen,
    by,
    reason: textIn(output, 'reason') ?? '',
    outputs: outputsIn(output),
    untold: { tokens: reply.usage.inputTokens === null ? 1 : 0, cost: reply.usage.cost === null ? 1 : 0 },
    ...(fallback !== undefined && { fallback }),
  };
}

/** Returns the judge's texts: one for all candidates, or one for each. */
function outputsIn(output: JsonObject | undefined): string[] {
  const single = textIn(output, 'raw_output');
  if (single !== undefined) return [single];
  return (listIn(output, 'raw_outputs') ?? []).filter((text) => typeof text === 'string');
}

function candidateOf(recorded: JsonObject, model: string): Candidate {
  const text = textIn(recorded, 'content') ?? '';
  const action = textIn(recorded, 'action');
  const problem = textIn(recorded, 'parse_error');
  const isCalled = action !== undefined && commandIn(text) === undefined;
  return {
    text,
    calls: isCalled ? [callOf(action)] : [],
    usage: unknownUsage,
    model,
    finishReason: '',
    summary: (action ?? text).trim().split('\n')[0] ?? '',
    ...(problem !== undefined && { problem }),
  };
}

/** A command that is not in the text was a call of the only tool. */
const callOf = (command: string): JsonObject => ({
  type: 'function',
  function: { name: 'bash', arguments: JSON.stringify({ command }) },
});
