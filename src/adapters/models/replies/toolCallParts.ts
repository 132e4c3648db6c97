import type { ToolCall } from '../../../core/ports/model';
import { isStrictJson } from '../../../core/text/looseJson';
import { fieldsOf } from './receivedFields';

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
  signature?: string;
}

/** What one chunk adds to a call; `place` is the call's index in the reply, from 0. */
interface GrownCall {
  readonly call: OpenCall;
  readonly place: number;
  readonly piece: string;
}

/**
 * Joins tool calls from streamed pieces. Pieces may lack an index, an id or a role, repeat the name, contain the
 * arguments as an object, or have the same id for different calls.
 */
export function toolCallParts() {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();

  const open = (index?: number): OpenCall => {
    const call = { id: '', name: '', arguments: '' };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  };

  /**
   * Returns the call that a piece continues. `position` is its index among the pieces of one delta: the second piece
   * never continues the call of the first.
   */
  const callOf = (index: number | undefined, id: string, name: string, position: number): OpenCall => {
    if (index !== undefined) {
      const known = byIndex.get(index);
      // Some servers number every call 0: a new id together with a name is a new call.
      return known && !(name && id && known.id && known.id !== id) ? known : open(index);
    }
    const last = (id && calls.find((call) => call.id === id)) || (id && name ? undefined : calls.at(-1));
    if (last && (!name || (position === 0 && (name === last.name || !last.name) && !isStrictJson(last.arguments))))
      return last;
    return open();
  };

  return {
    /** Processes the `tool_calls` of one delta; returns the calls that grew. */
    add(parts: unknown): readonly GrownCall[] {
      return (Array.isArray(parts) ? parts : [parts]).flatMap((part: RawPart | null, position) => {
        if (typeof part !== 'object' || part === null) return [];
        const id = typeof part.id === 'string' ? part.id : '';
        const name = typeof part.function?.name === 'string' ? part.function.name : '';
        const call = callOf(typeof part.index === 'number' ? part.index : undefined, id, name, position);
        call.id ||= id;
        const signature = signatureIn(part);
        if (signature !== undefined) call.signature ??= signature;
        if (name !== call.name) call.name += name;
        const text = part.function?.arguments;
        // An object is never a part of the arguments: a second one replaces the first.
        const isWhole = typeof text === 'object' && text !== null;
        if (isWhole) call.arguments = '';
        const piece = textOfArguments(text);
        call.arguments += piece;
        return [{ call, place: calls.indexOf(call), piece }];
      });
    },
    /**
     * Returns the finished calls. Ids that are missing, duplicate or `taken` are replaced. `unplaced`: a signature that
     * came without a call.
     */
    finish(taken: (id: string) => boolean, unplaced?: string): ToolCall[] {
      const usedIds = new Set<string>();
      const whole = calls.filter((call) => call.name || call.arguments);
      if (unplaced !== undefined && whole[0]) whole[0].signature ??= unplaced;
      return whole.map((call) => {
        const free = call.id && !usedIds.has(call.id) && !taken(call.id);
        const id = free ? call.id : `call_${crypto.randomUUID().replaceAll('-', '')}`;
        usedIds.add(id);
        const { name, arguments: text, signature } = call;
        return {
          id,
          type: 'function',
          function: { name, arguments: text },
          ...(signature !== undefined && { signature }),
        };
      });
    },
    get size() {
      return calls.length;
    },
  };
}

interface RawPart {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown };
  extra_content?: unknown;
}

/** Returns Google's thought signature, from a call or from a separate delta. */
export function signatureIn(part: { readonly extra_content?: unknown }): string | undefined {
  const google = fieldsOf(fieldsOf(part.extra_content).google);
  return typeof google.thought_signature === 'string' && google.thought_signature
    ? google.thought_signature
    : undefined;
}

/** Some servers send the arguments of a call as an object instead of its text. */
function textOfArguments(callArguments: unknown): string {
  if (typeof callArguments === 'object' && callArguments !== null) return JSON.stringify(callArguments);
  return typeof callArguments === 'string' ? callArguments : '';
}
