import type { Called } from '../../../protocol/events/calls';
import { isRecord, parseJsonObject } from '../../text/parseJson';
import type { ReadCall } from '../../ports/replyFormat';
import {
  InputProblem,
  inputProblem,
  unknownArgument,
  exampleCall,
  likelyName,
  isIgnoredArgument,
} from '../calls/inputFaults';
import { isAddedName } from '../addedTool';
import { nearestTool } from '../calls/nearestTool';
import type { Tool } from '../../ports/tool';
import { CallArguments } from './callArguments';
import { type Dialect, type Form, formOf, offeredForm } from './dialect';
import { resolveAmbiguousName } from './vocabulary/routes';
import { nearestTools, plainToolName, vocabularyNamed, vocabularyOf } from './vocabulary/vocabularies';
import type { Vocabulary } from './vocabulary/vocabulary';
import { truncate } from '../../../protocol/plain/truncate';
import { errorMessage } from '../../text/errorMessage';

/** A call translated to Waymark's tools. If no tool matches, `intended` is undefined and `problem` says so. */
export type Understood = ReadCall & { readonly intended: Tool | undefined };

/** The tools of a session and the dialect in which they are offered. */
export interface Offer {
  readonly tools: readonly Tool[];
  readonly dialect: Dialect;
}

/** Returns the tool that a call means, even if its arguments are wrong. */
export const intendedTool = (call: ReadCall, offer: Offer): Tool | undefined =>
  matchTool(argumentsOf(unwrapped(call, offer)), call.tool, offer)?.tool;

/**
 * Translates a call from any dialect to a tool of the session and its input. If that is ambiguous, `problem` lists
 * every fault and shows one valid call. Calls that could not be parsed keep their own problem.
 */
export function understand(written: ReadCall, offer: Offer): Understood {
  const call = unwrapped(written, offer);
  const args = argumentsOf(call);
  const found = matchTool(args, call.tool, offer);
  if (!found) return { ...call, intended: undefined, problem: call.problem ?? noTool(call.tool, args.refusals, offer) };
  const { tool, vocabulary } = found;
  if (call.problem !== undefined || !isRecord(call.input) || !vocabulary) {
    return {
      ...call,
      ...(tool.name !== call.tool && { tool: tool.name, called: { name: call.tool } }),
      intended: tool,
    };
  }
  const input = vocabulary.read(args);
  const offered = offeredForm(tool, offer.dialect, offer.tools);
  const form = offered ?? replacing(tool, offer);
  const faults = [
    ...args.refusals,
    ...(tool.effect === 'ends' ? [] : unknownArgumentsIn(args, offered ?? tool)),
    ...faultsOf(tool, input, offer),
  ];
  const isRight = faults.length === 0;
  const read = readAs(call, { tool, input, args, form, offer, isRight });
  if (isRight) return { ...read, intended: tool };
  return {
    ...read,
    intended: tool,
    problem: offered ? inputProblem(offered, faults) : problemElsewhere(call.tool, faults, form),
  };
}

/** Message for a call of a tool that is not offered: its faults, and the tool to call instead. */
function problemElsewhere(name: string, faults: readonly string[], instead: Tool | Form): string {
  return `Invalid input for ${name}: ${faults.join('; ')}. Use ${instead.name} here. A correct call: ${exampleCall(instead)}`;
}

interface MatchedTool {
  readonly tool: Tool;
  readonly vocabulary: Vocabulary | undefined;
}

/** The session's own tool names take precedence over those of other agents. */
function matchTool(args: CallArguments, name: string, { tools, dialect }: Offer): MatchedTool | undefined {
  const form = dialect.forms.find((each) => each.name === name && tools.includes(each.tool));
  const own = tools.find((tool) => tool.name === name);
  if (own && own !== form?.tool && !vocabularyOf(own)) return { tool: own, vocabulary: undefined };
  const route = resolveAmbiguousName(args);
  if (route?.wanted && tools.includes(route.wanted.tool)) return { tool: route.wanted.tool, vocabulary: route.wanted };
  const tool = form?.tool ?? own;
  if (tool) return { tool, vocabulary: vocabularyOf(tool) };
  const meant = route ? undefined : vocabularyNamed(name);
  return meant && tools.includes(meant.tool) ? { tool: meant.tool, vocabulary: meant } : undefined;
}

const argumentsOf = ({ tool, input }: ReadCall): CallArguments => new CallArguments(tool, isRecord(input) ? input : {});

const wrappers: ReadonlySet<string> = new Set(['arguments', 'args', 'input', 'parameters', 'params']);

/**
 * Returns the call with its arguments as an object: some models write them as a string that contains JSON, or put them
 * into the only argument "arguments" of a tool that has no such argument.
 */
function unwrapped(call: ReadCall, offer: Offer): ReadCall {
  if (call.problem !== undefined) return call;
  const [[key, value] = [], ...others] = isRecord(call.input) ? Object.entries(call.input) : [];
  const isWrapped = key !== undefined && others.length === 0 && wrappers.has(key) && !takes(call.tool, key, offer);
  const inner = objectIn(isWrapped ? value : call.input);
  if (inner === undefined || inner === call.input) return call;
  return { ...call, input: inner, rawInput: call.rawInput ?? JSON.stringify(call.input) };
}

const objectIn = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (typeof value === 'string') return parseJsonObject(value);
  return isRecord(value) ? value : undefined;
};

/** Returns whether a tool takes an argument of this name, or may take any. */
function takes(name: string, argument: string, offer: Offer): boolean {
  const tool = matchTool(new CallArguments(name, {}), name, offer)?.tool;
  if (!tool) return false;
  const { properties } = tool.parameters;
  return !isRecord(properties) || Object.keys(properties).length === 0 || Object.hasOwn(properties, argument);
}

/** Returns the tool that is offered in place of one that is not. */
function replacing(tool: Tool, { tools, dialect }: Offer): Tool | Form {
  const [, by] = dialect.replaced.find(([one]) => one === tool) ?? [];
  return (by && offeredForm(by, dialect, tools)) ?? tool;
}

function unknownArgumentsIn(args: CallArguments, { parameters }: Tool | Form): string[] {
  return args.unknown.filter((name) => !isIgnoredArgument(name)).map((name) => unknownArgument(name, parameters));
}

/** Faults that the tool itself finds in the input, with argument names of the dialect. */
function faultsOf(tool: Tool, input: Record<string, unknown>, { dialect }: Offer): string[] {
  try {
    tool.bind(input);
    return [];
  } catch (thrown) {
    const faults = thrown instanceof InputProblem ? thrown.faults : [errorMessage(thrown)];
    const words = formOf(tool, dialect)?.words;
    return words ? faults.map((fault) => withArgumentNames(fault, words)) : [...faults];
  }
}

/** "edits[0].old_text is missing" → "old_string is missing" */
const withArgumentNames = (fault: string, words: Readonly<Record<string, string>>): string =>
  fault.replace(/\bedits\[\d+\]\./g, '').replace(/\b[a-z_]+\b/g, (word) => words[word] ?? word);

interface Reading {
  readonly tool: Tool;
  readonly input: Record<string, unknown>;
  readonly args: CallArguments;
  readonly form: Tool | Form;
  readonly offer: Offer;
  /** True if the tool accepts the input. Only then can the call be written in another form. */
  readonly isRight: boolean;
}

/** Returns the call as it will run, and how the model wrote it if that differs. */
function readAs(call: ReadCall, { tool, input, args, form, offer, isRight }: Reading): ReadCall {
  const otherWords = args.understood.filter((name) => !argumentNames(form.parameters).has(name));
  const isOtherForm = call.tool !== form.name || otherWords.length > 0;
  const isSame = sameJson(input, call.input);
  if (!isOtherForm && isSame && call.tool === tool.name) return call;
  const called: Called = {
    name: call.tool,
    ...(isOtherForm && { words: otherWords.sort() }),
    ...(isOtherForm && isRight && { note: noteOf(tool, input, form, offer) }),
  };
  if (isSame) return { ...call, tool: tool.name, called };
  return { ...call, tool: tool.name, input, rawInput: call.rawInput ?? JSON.stringify(call.input), called };
}

/** Names of all arguments, including nested ones. */
function argumentNames(schema: unknown): Set<string> {
  if (!isRecord(schema)) return new Set();
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const within = [...Object.values(properties), schema['items']].flatMap((each) => [...argumentNames(each)]);
  return new Set([...Object.keys(properties), ...within]);
}

const maxShownLength = 60;

/** Note to a model that wrote a call in a different form from the one offered. */
function noteOf(tool: Tool, input: Record<string, unknown>, form: Tool | Form, { dialect }: Offer): string {
  const spoken = formOf(tool, dialect);
  const isReplaced = spoken === undefined && form.name !== tool.name;
  if (isReplaced) return `Understood. Here, use ${form.name} for this, for example: ${exampleCall(form)}`;
  const words = spoken ? spoken.write(input) : input;
  return `Understood. Here this call is: ${form.name} ${JSON.stringify(words, (_key, value: unknown) => cut(value))}`;
}

const cut = (value: unknown): unknown => (typeof value === 'string' ? truncate(value, maxShownLength) : value);

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** Sorts object keys recursively so that two values can be compared. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** Maximum number of names in such a note. Servers can offer hundreds of tools. */
const maxNamesListed = 60;

/** Note to a model that called a tool that does not exist. */
function noTool(name: string, refusals: readonly string[], { tools, dialect }: Offer): string {
  const offered = tools.flatMap((tool) => offeredForm(tool, dialect, tools) ?? []);
  const names = offered.map((each) => each.name);
  const known = nearestTools.find(
    (each) => tools.includes(each.tool) && each.names.some((other) => plainToolName(other) === plainToolName(name)),
  );
  // Names of added tools share words, such as that of their server, without meaning the same.
  const likely = nearestTool(name, names) ?? (isAddedName(name) ? undefined : likelyName(name, names));
  const form = (known && offeredForm(known.tool, dialect, tools)) ?? offered.find((each) => each.name === likely);
  const why = [
    `There is no tool named ${name}.`,
    ...refusals.map((words) => `${words}.`),
    ...(known ? [`${known.why}.`] : []),
  ];
  if (form) return [...why, `You probably mean ${form.name}. A correct call: ${exampleCall(form)}`].join(' ');
  const listed = names.slice(0, maxNamesListed);
  const left = names.length - listed.length;
  return [...why, `Tools: ${listed.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`].join(' ');
}
