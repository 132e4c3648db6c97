import type { Action } from '../../protocol/event';
import type { Call } from '../model/replyFormat';
import { harmless } from '../security/assessment';
import { assessWith } from '../security/analyzers';
import { nearestTool } from '../tools/nearestTool';
import type { Tool } from '../tools/tool';
import type { AgentParts } from './agent';
import { actionIds, type History } from './history';

type Parts = Pick<AgentParts, 'profile' | 'tools' | 'analyzers' | 'environment'>;

/** The actions that calls mean, each with its summary and risk. A call that cannot run becomes an action with a `problem`, so the model is answered. */
export async function actionsFor(groups: readonly (readonly Call[])[], parts: Parts, history: History): Promise<Action[]> {
  const given = new Set<string>();
  const calls = groups.flatMap((group, number) => group.map(call => ({ call: { ...call, id: freeId(call.id, given, actionIds(history)) }, group: number })));
  const wanted = parts.profile.repairsCalls ? calls.filter(({ call }, index) => !calls.slice(0, index).some(({ call: before }) => sameCall(before, call))) : calls;
  const actions = await Promise.all(wanted.map(({ call, group }) => actionFor(call, group, parts, history)));
  if (!parts.profile.repairsCalls || actions.every(({ effect }) => effect !== undefined)) return actions;
  return actions.map(action => (action.problem === undefined ? { ...action, problem: 'Skipped, because another call of this reply names a tool that does not exist. Send it again.' } : action));
}

const sameCall = (a: Call, b: Call): boolean => a.tool === b.tool && a.problem === undefined && b.problem === undefined && JSON.stringify(a.input) === JSON.stringify(b.input);

async function actionFor(call: Call, group: number, parts: Parts, history: History): Promise<Action> {
  const { profile, tools, analyzers, environment } = parts;
  const named = (name: string): Tool | undefined => tools.find(tool => tool.name === name);
  const nearest = profile.repairsCalls && !named(call.tool) ? nearestTool(call.tool, tools.map(({ name }) => name)) : undefined;
  const tool = named(nearest ?? call.tool);
  const known = { id: call.id, tool: tool?.name ?? call.tool, input: call.input, group, ...(call.rawInput !== undefined && { rawInput: call.rawInput }), ...(call.signature !== undefined && { signature: call.signature }), ...(tool && { effect: tool.effect }), ...(tool?.from && { from: tool.from }) };
  try {
    // Arguments that are almost JSON are good enough for looking, not for changing.
    if (call.repaired !== undefined && (tool?.effect === 'reads' || tool?.effect === 'notes')) return await actionFor({ id: call.id, tool: call.tool, input: call.repaired, ...(call.signature !== undefined && { signature: call.signature }) }, group, parts, history);
    if (call.problem !== undefined) throw new Error(call.problem);
    if (!tool) throw new Error(`There is no tool named ${call.tool}. Tools: ${tools.map(({ name }) => name).join(', ')}.`);
    const bound = tool.bind(call.input);
    const action = { ...known, summary: bound.summary, risk: await assessWith(analyzers, tool, bound, environment, history) };
    if (!bound.said) return action;
    // The model reads its call again as it wrote it; everything else reads the input alone.
    const { purpose, input } = bound.said;
    return { ...action, input, ...(JSON.stringify(input) !== JSON.stringify(call.input) && { rawInput: call.rawInput ?? JSON.stringify(call.input) }), ...(purpose && { purpose }) };
  } catch (thrown) {
    return { ...known, summary: call.tool, risk: harmless, problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Providers repeat ids and leave them out; in a log each names one action. */
function freeId(wanted: string, given: Set<string>, taken: ReadonlySet<string>): string {
  const id = wanted === '' || given.has(wanted) || taken.has(wanted) ? `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}` : wanted;
  given.add(id);
  return id;
}
