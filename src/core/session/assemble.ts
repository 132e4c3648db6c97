import type {
  ActionEffect,
  Asking,
  ConfirmationMode,
  ContextPart,
  EventOf,
  Image,
  Limits,
  Mode,
  NewEvent,
  PromptPart,
  Worktree,
} from '../../protocol/events/event';
import { condenserFor } from '../condense/condenserFor';
import type { Condenser } from '../ports/condenser';
import { formatFor } from '../model/formats/formatFor';
import { assumedContextWindow } from '../model/contextWindows';
import type { Model } from '../ports/model';
import type { CandidateReader } from '../model/sampling/candidate';
import type { Call, ReplyFormat } from '../ports/replyFormat';
import { sampling, type SamplingParts } from '../model/sampling/sampling';
import type { SamplingSettings } from '../model/sampling/samplingSettings';
import type { Profile } from '../ports/profile';
import { analyzers } from '../security/analyzers';
import { pinsAtStart } from '../security/scripts/pins';
import { confirmationPolicies } from '../risk/confirmation';
import type { Skill, Skills } from '../ports/skill';
import type { Environment } from '../ports/environment';
import type { Memory } from '../ports/memory';
import type { Scripts } from '../ports/scripts';
import type { Terminal } from '../ports/terminal';
import { memorySnapshot } from '../tools/memory/memorySnapshot';
import { selfRated } from '../tools/calls/selfRated';
import type { Dialect, DialectChoice } from '../tools/dialects/dialect';
import { dialectFor } from '../tools/dialects/dialects';
import { offeredTools } from '../tools/dialects/offered';
import { intendedTool, understand, type Offer } from '../tools/dialects/understand';
import { waymark } from '../tools/dialects/waymark';
import type { Tool } from '../ports/tool';
import { Agent } from '../agent/agent';
import type { Children } from '../ports/children';
import { describeForLog } from './externalTools';
import type { Hooks } from '../agent/agentParts';
import { modeChangeMessage } from '../agent/modes';
import { titleLine } from '../../protocol/plain/titleLine';
import { systemPrompt, type Surroundings } from '../agent/prompt';
import { variablesAtStart } from '../agent/runVariables';
import { settingForFolder } from './settingsFrom';
import { wordingFor } from '../agent/wording';
import { useSkill } from '../tools/native/useSkill';

export interface Assembly {
  readonly profile: Profile;
  readonly model: Model;
  readonly tools: readonly Tool[];
  /** How the tools are offered to the model. Defaults to Waymark's own names. */
  readonly dialect?: Dialect;
  readonly environment: Environment;
  readonly surroundings: Surroundings;
  /** Undefined if child sessions are not possible. */
  readonly children?: Children;
  readonly hooks?: Hooks;
  /** True if a person can answer questions. */
  readonly attended: boolean;
  /** Settings for several candidates per reply. `verifierModel` judges them if it differs from the acting model. */
  readonly sampling?: { readonly settings: SamplingSettings; readonly verifierModel?: Model };
}

/** Creates the agent described by a profile. */
export function assembleAgent({
  profile,
  model: single,
  tools: ownTools,
  dialect = waymark,
  environment,
  surroundings,
  children,
  hooks,
  attended,
  sampling: wanted,
}: Assembly): Agent {
  const tools = profile.selfRating ? ownTools.map(selfRated) : ownTools;
  const format = formatFor(profile.format, together(profile, { tools, dialect }), tools);
  const toolCharacters = format.sendsTools ? JSON.stringify(offeredTools(tools, dialect)).length : 0;
  const model = wanted
    ? sampling(single, { ...wanted, reader: readerOf(profile, format, { tools, dialect }), render: renderLater })
    : single;
  return new Agent({
    profile,
    model,
    format,
    tools,
    dialect,
    environment,
    attended,
    analyzers,
    policies: confirmationPolicies,
    wording: wordingFor({ profile, tools, surroundings }),
    ...(children && { children }),
    ...(hooks && { hooks }),
    ...(profile.condenser.kind !== 'none' && { condenser: condenserOf(profile, single, toolCharacters) }),
  });
}

/**
 * Creates the condenser. Its window is that of the currently chosen model, or the default for its kind. Throws if the
 * numbers of the profile contradict each other.
 */
function condenserOf({ condenser }: Profile, model: Model, toolCharacters: number): Condenser {
  const condenserWith = (contextWindow: number | null): Condenser =>
    condenserFor(condenser, { model, contextWindow, toolCharacters });
  let current = { contextWindow: null as number | null, condenser: condenserWith(null) };
  return {
    condense(history, signal) {
      const { name, scripted } = model.info;
      const contextWindow = model.info.contextWindow ?? (scripted ? null : assumedContextWindow(name));
      if (contextWindow !== current.contextWindow) current = { contextWindow, condenser: condenserWith(contextWindow) };
      return current.condenser.condense(history, signal);
    },
  };
}

const renderLater: SamplingParts['render'] = async (source, variables, name) =>
  (await import('../text/templates/render')).render(source, { ...variables }, name);

const readerOf = ({ end }: Profile, format: ReplyFormat, offer: Offer): CandidateReader => ({
  read: (reply) => format.read(reply),
  toolExists: (tool, input) => intendedTool({ id: '', tool, input }, offer) !== undefined,
  summarize(call) {
    const { intended, input, problem } = understand(call, offer);
    if (!intended || problem !== undefined) throw new Error(problem);
    return intended.bind(input).summary;
  },
  textIsAnswer: end.text === 'answer',
});

/**
 * Returns a function that decides whether two adjacent calls of a reply form a group, if the reply itself does not say.
 */
function together({ parallel }: Profile, offer: Offer): (a: Call, b: Call) => boolean {
  const effectOf = (call: Call): ActionEffect | undefined => intendedTool(call, offer)?.effect;
  const alone = new Set<string | undefined>(['asks', 'ends', undefined]);
  return (a, b) => {
    const [left, right] = [effectOf(a), effectOf(b)];
    if (parallel === 'none' || alone.has(left) || alone.has(right)) return false;
    return parallel === 'all' || (left === right && (left === 'reads' || left === 'delegates'));
  };
}

/** Choices for a task. Absent values default to the profile's. */
export interface TaskSettings {
  readonly mode: Mode;
  readonly confirmation: ConfirmationMode;
  readonly asking?: Asking;
  /** Names under which tools are offered. Chosen by the model if absent. */
  readonly dialect?: DialectChoice;
  readonly limits: Limits;
  readonly toolsets?: readonly string[];
  readonly disabledToolsets?: readonly string[];
  readonly parent?: EventOf<'task_started'>['parent'];
  /** Additional inputs of the task, by name: "user_profile". */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Text before and after the system prompt, by folder. */
  readonly promptPrefix?: Readonly<Record<string, string>>;
  readonly promptSuffix?: Readonly<Record<string, string>>;
  /** Persona of the session. The powers are already narrowed to it. */
  readonly persona?: Skill;
  /** The extension that starts the task, if no person does. */
  readonly by?: string;
  /** Content attached to the task, and images. */
  readonly context?: readonly ContextPart[];
  readonly images?: readonly Image[];
  /** The session's own worktree, if it has one. */
  readonly worktree?: Worktree;
}

/** Parts for the first events. `memory` contains notes of earlier sessions, for sessions that can take notes. */
type Beginning = Pick<Assembly, 'profile' | 'model' | 'tools'> & {
  readonly memory?: Memory | undefined;
  readonly scripts?: Scripts | undefined;
  readonly skills?: Skills | undefined;
  readonly terminal?: Pick<Terminal, 'container'> | undefined;
};

/**
 * Returns the first events of a session. Throws a `TemplateProblem` that names file, line and variable if the profile's
 * templates cannot be used.
 */
export async function taskStarted(
  task: string,
  { profile, model, tools: chosen, memory, scripts, skills, terminal }: Beginning,
  surroundings: Surroundings,
  settings: TaskSettings,
): Promise<NewEvent[]> {
  const {
    mode,
    confirmation,
    asking,
    dialect: choice = 'auto',
    limits,
    toolsets,
    disabledToolsets,
    parent,
    persona,
    by,
    context,
    images,
    worktree,
    inputs = {},
    promptPrefix = {},
    promptSuffix = {},
  } = settings;
  const change = modeChangeMessage(undefined, mode);
  const usesOwnWords = profile.templates.system === undefined;
  const git = usesOwnWords ? surroundings.git?.() : undefined;
  const { tools, ...lesson } = await initialSkills(profile, chosen, skills, model.info.name);
  const addedTools = describeForLog(tools);
  const dialect = dialectIn(profile, choice, model.info.name, tools);
  const words = await renderTemplates(profile, () =>
    variablesAtStart({ profile, tools, surroundings }, { task, inputs, model: model.info, mode, limits }),
  );
  const prompt = words.system ?? systemPrompt(surroundings, await git);
  const prefix = settingForFolder(surroundings.root, promptPrefix);
  const suffix = settingForFolder(surroundings.root, promptSuffix);
  const firstWords = withInputs(words.instance, task, inputs, profile.templates.instance);
  const pins =
    parent === undefined && scripts && tools.some(({ effect }) => effect === 'executes')
      ? await pinsAtStart(scripts)
      : undefined;
  const commit = parent === undefined ? await surroundings.commit?.() : undefined;
  const notes = memory && tools.some(({ recallsNotes }) => recallsNotes) ? await memorySnapshot(memory) : '';
  return [
    {
      type: 'task_started',
      task,
      title: titleLine(task),
      promptParts: withoutEmptyParts([
        { kind: 'prefix', text: prefix },
        { kind: 'own', text: prompt },
        { kind: 'skills', text: lesson.words },
        { kind: 'memory', text: notes },
        { kind: 'persona', text: persona?.body ?? '' },
        { kind: 'suffix', text: suffix },
      ]),
      model: model.info,
      tools: tools.map(({ name }) => name),
      ...(addedTools.length > 0 && { addedTools }),
      cwd: surroundings.root,
      mode,
      profile: profile.name,
      ...(dialect !== waymark && { dialect: dialect.name }),
      confirmation,
      limits,
      ...(asking && { asking }),
      ...(profile.ownMessages && { ownMessages: true }),
      ...(profile.tellsResults && { tellsResults: true }),
      ...(Object.keys(inputs).length > 0 && { inputs: { ...inputs } }),
      ...(firstWords !== undefined && { prompt: firstWords }),
      ...(toolsets && { toolsets: [...toolsets] }),
      ...(disabledToolsets && { disabledToolsets: [...disabledToolsets] }),
      ...(parent && { parent }),
      ...(by !== undefined && { by }),
      ...(pins && { pins }),
      ...(commit !== undefined && { commit }),
      ...(worktree && { worktree }),
      ...(terminal?.container && { container: terminal.container }),
      ...(context?.length && { context: [...context] }),
      ...(images?.length && { images: [...images] }),
      ...(lesson.skills.length > 0 && { skills: lesson.skills }),
      ...(persona && { persona: { name: persona.name, path: persona.path, hash: persona.hash } }),
    },
    ...(change ? [{ type: 'feedback', cause: 'mode_changed', text: change } as const] : []),
  ];
}

/** What a session learns from its repository at the start. */
interface InitialSkills {
  /** For the system prompt; empty if there is nothing to say. */
  readonly words: string;
  readonly skills: NonNullable<EventOf<'task_started'>['skills']>;
  readonly tools: readonly Tool[];
}

/** Returns no skills if the profile does not use skills or the folder is not trusted. */
async function initialSkills(
  profile: Profile,
  tools: readonly Tool[],
  skills: Skills | undefined,
  model: string,
): Promise<InitialSkills> {
  const used =
    profile.skills && skills
      ? (await skills.used(model)).filter(({ kind }) => kind === 'always' || kind === 'skill' || kind === 'persona')
      : [];
  if (used.length === 0) return { words: '', skills: [], tools };
  const asked = used.some(({ kind, modelMayUse }) => kind === 'skill' && modelMayUse);
  const all = asked && !tools.includes(useSkill) ? [...tools, useSkill] : tools;
  const { skillsPrompt } = await import('../skills/prompt');
  const words = skillsPrompt(used, { useSkill: asked, delegate: tools.some(({ effect }) => effect === 'delegates') });
  return { words, skills: used.map(({ name, path, hash, kind }) => ({ name, path, hash, kind })), tools: all };
}

/** Drops empty parts, except the profile's own prompt. */
const withoutEmptyParts = (parts: readonly PromptPart[]): PromptPart[] =>
  parts.filter(({ kind, text }) => kind === 'own' || text.trim() !== '');

/** Returns the first message to the model. Inputs follow the task if the profile's template has no place for them. */
function withInputs(
  worded: string | undefined,
  task: string,
  inputs: Readonly<Record<string, string>>,
  template = '',
): string | undefined {
  const entries = Object.entries(inputs);
  if (entries.length === 0 || /\binputs\b/.test(template)) return worded;
  const elements = entries.map(([name, value]) => `<Input Name="${name}">\n${value}\n</Input>`);
  return [worded ?? task, ...elements].join('\n\n');
}

/** Formats that write actions as text describe the tools themselves and always use Waymark's names. */
const dialectIn = ({ format }: Profile, choice: DialectChoice, model: string, tools: readonly Tool[]): Dialect =>
  format.kind === 'tool_calls' ? dialectFor(choice, model, tools) : waymark;

async function renderTemplates(
  profile: Profile,
  variables: () => ReturnType<typeof variablesAtStart>,
): Promise<{ system?: string; instance?: string }> {
  const { system, instance } = profile.templates;
  if (Object.keys(profile.templates).length === 0) return {};
  const [{ render }, { checkTemplates, templateIn }, { samplesFor }] = await Promise.all([
    import('../text/templates/render'),
    import('../profiles/templates/checkTemplates'),
    import('../profiles/templates/samples'),
  ]);
  const run = variables();
  await checkTemplates(profile, samplesFor(run));
  return {
    ...(system !== undefined && { system: await render(system, run, templateIn(profile, 'system')) }),
    ...(instance !== undefined && { instance: await render(instance, run, templateIn(profile, 'instance')) }),
  };
}
