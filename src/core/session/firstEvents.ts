import type {
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
import type { Model } from '../ports/model';
import type { Profile } from '../ports/profile';
import { pinsAtStart } from '../security/scripts/pins';
import type { Skill, Skills } from '../ports/skill';
import type { Memory } from '../ports/memory';
import type { Scripts } from '../ports/scripts';
import type { Terminal } from '../ports/terminal';
import { memorySnapshot } from '../tools/memory/memory';
import type { Dialect, DialectChoice } from '../tools/dialects/dialect';
import { dialectFor } from '../tools/dialects/dialects';
import { waymarkDialect } from '../tools/dialects/waymark';
import type { Tool } from '../ports/tool';
import { describeForLog } from './externalTools';
import { modeChangeMessage } from '../agent/modes';
import { titleLine } from '../../protocol/plain/truncate';
import { systemPrompt, type Surroundings, variablesAtStart } from '../agent/prompt';
import { settingForFolder } from './settingsFrom';
import { useSkill } from '../tools/native/useSkill';

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
interface Beginning {
  readonly profile: Profile;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly memory?: Memory | undefined;
  readonly scripts?: Scripts | undefined;
  readonly skills?: Skills | undefined;
  readonly terminal?: Pick<Terminal, 'container'> | undefined;
}

/**
 * Returns the first events of a session. Throws a `TemplateProblem` that names file, line and variable if the profile's
 * templates cannot be used.
 */
export async function firstEvents(
  task: string,
  { profile, model, tools: chosen, memory, scripts, skills, terminal }: Beginning,
  surroundings: Surroundings,
  settings: TaskSettings,
): Promise<NewEvent[]> {
  const { mode, confirmation, dialect: choice = 'auto', limits, parent, persona, inputs = {} } = settings;
  const change = modeChangeMessage(undefined, mode);
  const usesOwnWords = profile.templates.system === undefined;
  const git = usesOwnWords ? surroundings.git?.() : undefined;
  const { tools, ...lesson } = await initialSkills(profile, chosen, skills, model.info.name);
  const addedTools = describeForLog(tools, model.info.contextWindow);
  const dialect = dialectIn(profile, choice, model.info.name, tools);
  const words = await renderTemplates(profile, () =>
    variablesAtStart({ profile, tools, surroundings }, { task, inputs, model: model.info, mode, limits }),
  );
  const prefix = settingForFolder(surroundings.root, settings.promptPrefix ?? {});
  const suffix = settingForFolder(surroundings.root, settings.promptSuffix ?? {});
  const firstWords = withInputs(words.instance, task, inputs, profile.templates.instance);
  const isOutermost = parent === undefined;
  const [gitState, pins, commit, notes] = await Promise.all([
    git,
    isOutermost && scripts && tools.some(({ effect }) => effect === 'executes') ? pinsAtStart(scripts) : undefined,
    isOutermost ? surroundings.commit?.() : undefined,
    memory && tools.some(({ recallsNotes }) => recallsNotes) ? memorySnapshot(memory) : '',
  ]);
  const prompt = words.system ?? systemPrompt(surroundings, gitState);
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
      ...(dialect !== waymarkDialect && { dialect: dialect.name }),
      confirmation,
      limits,
      ...(profile.ownMessages && { ownMessages: true }),
      ...(profile.tellsResults && { tellsResults: true }),
      ...(firstWords !== undefined && { prompt: firstWords }),
      ...(pins && { pins }),
      ...(commit !== undefined && { commit }),
      ...(terminal?.container && { container: terminal.container }),
      ...(lesson.skills.length > 0 && { skills: lesson.skills }),
      ...chosenFields(settings),
    },
    ...(change ? [{ type: 'feedback', cause: 'mode_changed', text: change } as const] : []),
  ];
}

/** Returns the fields of `task_started` for choices that may be absent. */
const chosenFields = ({
  asking,
  inputs = {},
  toolsets,
  disabledToolsets,
  parent,
  by,
  worktree,
  context,
  images,
  persona,
}: TaskSettings) => ({
  ...(asking && { asking }),
  ...(Object.keys(inputs).length > 0 && { inputs: { ...inputs } }),
  ...(toolsets && { toolsets: [...toolsets] }),
  ...(disabledToolsets && { disabledToolsets: [...disabledToolsets] }),
  ...(parent && { parent }),
  ...(by !== undefined && { by }),
  ...(worktree && { worktree }),
  ...(context?.length && { context: [...context] }),
  ...(images?.length && { images: [...images] }),
  ...(persona && { persona: { name: persona.name, path: persona.path, hash: persona.hash } }),
});

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
      ? (await skills.listUsed(model)).filter(({ kind }) => kind === 'always' || kind === 'skill' || kind === 'persona')
      : [];
  if (used.length === 0) return { words: '', skills: [], tools };
  const offersSkills = used.some(({ kind, modelMayUse }) => kind === 'skill' && modelMayUse);
  const all = offersSkills && !tools.includes(useSkill) ? [...tools, useSkill] : tools;
  const { skillsPrompt } = await import('../skills/skillsPrompt');
  const words = skillsPrompt(used, {
    useSkill: offersSkills,
    delegate: tools.some(({ effect }) => effect === 'delegates'),
  });
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
  format.kind === 'tool_calls' ? dialectFor(choice, model, tools) : waymarkDialect;

async function renderTemplates(
  profile: Profile,
  variables: () => ReturnType<typeof variablesAtStart>,
): Promise<{ system?: string; instance?: string }> {
  const { system, instance } = profile.templates;
  if (Object.keys(profile.templates).length === 0) return {};
  const [{ render }, { checkTemplates, templateIn }, { samplesFor }] = await Promise.all([
    import('../text/templates/render'),
    import('../profiles/templates/checkTemplates'),
    import('../profiles/templates/checkTemplates'),
  ]);
  const run = variables();
  await checkTemplates(profile, samplesFor(run));
  return {
    ...(system !== undefined && { system: await render(system, run, templateIn(profile, 'system')) }),
    ...(instance !== undefined && { instance: await render(instance, run, templateIn(profile, 'instance')) }),
  };
}
