import type { Action } from '../../../protocol/events/event';
import type { ReadCall } from '../../ports/replyFormat';
import { harmless } from '../../risk/assessment';
import { maskedValue } from '../../secrets/masking';
import { secrets } from '../../secrets/secrets';
import { MASK } from '../../secrets/secretShapes';
import { assessWith } from '../../security/analyzers';
import { intendedTool, understand, type Understood } from '../../tools/dialects/understand';
import { waymarkDialect } from '../../tools/dialects/waymark';
import { nearestTool } from '../../tools/calls/nearestTool';
import type { Tool } from '../../ports/tool';
import type { AgentParts } from '../agentParts';
import { onOneLine } from '../../text/shownName';
import { actionIds } from '../../log/openActions';
import { projection, type History } from '../../log/projection';
import { errorMessage } from '../../text/errorMessage';

type Parts = Pick<AgentParts, 'profile' | 'tools' | 'dialect' | 'analyzers' | 'environment'>;

/**
 * Maximum number of calls per reply. No model needs more, and a reply with ten thousand would fill memory, the log and
 * every later request.
 */
export const maxCalls = 128;

/**
 * Turns calls into actions with summary and risk. A call that cannot run becomes an action with a `problem`, so that
 * the model gets an answer. Calls beyond `maxCalls` are dropped, and the result of the last action says so.
 */
export async function actionsFor(
  groups: readonly (readonly ReadCall[])[],
  parts: Parts,
  history: History,
): Promise<Action[]> {
  const asked = groups.flatMap((group, number) => group.map((call) => ({ call, group: number })));
  const actions = await actionsOf(asked.slice(0, maxCalls), parts, history);
  const excess = asked.length - maxCalls;
  if (excess <= 0) return actions;
  return actions.map((action, index) => (index === actions.length - 1 ? reportOmitted(action, excess) : action));
}

interface ProposedCall {
  readonly call: ReadCall;
  readonly group: number;
}

async function actionsOf(asked: readonly ProposedCall[], parts: Parts, history: History): Promise<Action[]> {
  const usedIds = new Set<string>();
  const calls = asked.map(({ call, group }) => ({
    call: { ...call, id: freeId(call.id, usedIds, actionIds(history)) },
    group,
  }));
  const wanted = parts.profile.repairsCalls
    ? calls.filter(({ call }, index) => !calls.slice(0, index).some(({ call: before }) => sameCall(before, call)))
    : calls;
  const read = await Promise.all(wanted.map(({ call, group }) => actionFor(call, group, parts, history)));
  const actions = notedOnce(read, history);
  if (!parts.profile.repairsCalls || actions.every(({ effect }) => effect !== undefined)) return actions;
  return actions.map((action) =>
    action.problem === undefined
      ? {
          ...action,
          problem: 'Skipped because another call in this reply names a tool that does not exist. Send it again.',
        }
      : action,
  );
}

/** The actions with notes about the form of their calls. Each note appears once per session. */
function notedOnce(actions: readonly Action[], history: History): Action[] {
  const shown = new Set(shownForms(history));
  return actions.map((action) => {
    const { called } = action;
    if (called?.note === undefined) return action;
    const form = formOf(action);
    if (!shown.has(form)) {
      shown.add(form);
      return action;
    }
    const { note: _note, ...rest } = called;
    return { ...action, called: rest };
  });
}

const shownForms: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (forms, event) => {
    if (event.type !== 'agent_response') return;
    for (const action of event.actions)
      if (action.called?.note !== undefined && action.problem === undefined) forms.add(formOf(action));
  },
);

const formOf = ({ tool, called }: Action): string => JSON.stringify([called?.name, tool, called?.words]);

const sameCall = (a: ReadCall, b: ReadCall): boolean =>
  a.tool === b.tool &&
  a.problem === undefined &&
  b.problem === undefined &&
  JSON.stringify(a.input) === JSON.stringify(b.input);

async function actionFor(raw: ReadCall, group: number, parts: Parts, history: History): Promise<Action> {
  const { analyzers, environment } = parts;
  const { intended: tool, ...asWritten } = understood(raw, parts);
  // The log masks secrets, and what the log contains runs. So that is what must be judged.
  const call = { ...asWritten, input: maskedValue(asWritten.input, secrets) };
  // Arguments repaired from almost valid JSON are accepted for reading, not for changing. The effect of the parsed call
  // counts as well.
  if (raw.repaired !== undefined && changesNothing(tool)) {
    const repaired = withRepaired(raw);
    if (changesNothing(understood(repaired, parts).intended))
      return repairArguments(await actionFor(repaired, group, parts, history), raw.problem);
  }
  const written = {
    id: call.id,
    tool: call.tool,
    input: call.input,
    group,
    ...(call.rawInput !== undefined && { rawInput: call.rawInput }),
    ...(call.called && { called: call.called }),
    ...(call.signature !== undefined && { signature: call.signature }),
    ...(tool && { effect: tool.effect }),
    ...(tool?.from && { from: tool.from }),
  };
  try {
    if (!tool || call.problem !== undefined) throw new Error(call.problem);
    const bound = tool.bind(call.input);
    if (bound.touches.command?.includes(MASK)) throw new Error(commandWithMask);
    const action = {
      ...written,
      summary: onOneLine(bound.summary),
      risk: await assessWith(analyzers, { tool, call: bound, environment, history }),
    };
    if (!bound.said) return action;
    // The model sees its call again as it wrote it. Everything else uses only `input`.
    const { purpose, input } = bound.said;
    return {
      ...action,
      input,
      ...(JSON.stringify(input) !== JSON.stringify(call.input) && {
        rawInput: call.rawInput ?? JSON.stringify(call.input),
      }),
      ...(purpose && { purpose: onOneLine(purpose) }),
    };
  } catch (thrown) {
    return {
      ...written,
      summary: onOneLine(`Invalid call: ${raw.tool}`),
      risk: harmless,
      problem: errorMessage(thrown),
    };
  }
}

const commandWithMask = `The command contains “${MASK}”, which stands for a known secret, so it was not run. Let the program read the secret from its environment. If the secret is part of a file name, use a pattern that matches the name, or a file tool: these accept the name with the placeholder.`;

const changesNothing = (tool: Tool | undefined): boolean => tool?.effect === 'reads' || tool?.effect === 'notes';

/** Parses a call in whichever dialect it was written. Profiles that repair calls accept a misspelled tool name. */
function understood(call: ReadCall, { profile, tools, dialect = waymarkDialect }: Parts): Understood {
  const offer = { tools, dialect };
  const nearest =
    profile.repairsCalls && !intendedTool(call, offer)
      ? nearestTool(
          call.tool,
          tools.map(({ name }) => name),
        )
      : undefined;
  return understand(nearest === undefined ? call : { ...call, tool: nearest }, offer);
}

/** The call with its arguments repaired. The model still sees what it wrote. */
const withRepaired = ({ problem: _problem, repaired, ...call }: ReadCall): ReadCall => ({ ...call, input: repaired });

/** Adds a note for the model that its arguments were repaired. */
function repairArguments(action: Action, slip: string | undefined): Action {
  if (action.problem !== undefined || slip === undefined) return action;
  return withNote(action, `The arguments were not valid JSON and were read as ${JSON.stringify(action.input)}.`);
}

function reportOmitted(action: Action, count: number): Action {
  const were = count === 1 ? 'One more call in this reply was' : `${count} more calls in this reply were`;
  return withNote(
    action,
    `${were} skipped: a reply may contain ${maxCalls}. Send the ones you still need again, fewer at a time.`,
  );
}

/** The action with a note for the model, placed before existing notes and shown after the result. */
function withNote(action: Action, words: string): Action {
  const note = [words, action.called?.note].filter(Boolean).join(' ');
  return { ...action, called: { name: action.tool, words: [], ...action.called, note } };
}

/** Returns an unused id. Providers repeat or omit ids, but in a log each id names one action. */
function freeId(wanted: string, usedIds: Set<string>, taken: ReadonlySet<string>): string {
  const id =
    wanted === '' || usedIds.has(wanted) || taken.has(wanted)
      ? `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
      : wanted;
  usedIds.add(id);
  return id;
}
