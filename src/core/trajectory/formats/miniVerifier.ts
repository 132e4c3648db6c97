import type { Candidate, Sampling } from '../../../protocol/events/event';
import { textIn, type JsonObject } from '../reading/json';
import { commandsWritten } from './miniText';
import { isRecord } from '../../text/isRecord';

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
