import fs from 'node:fs';
import { decodeUtf8 } from '../../adapters/files/textEncoding';
import { templatesIn } from '../../adapters/files/templateFiles';
import { isStepping, pauseIsRequested } from '../../core/log/runControl';
import type { Conversation } from '../../core/session/conversation';
import type { History } from '../../core/log/projection';
import { openQuestionHash, openQuestionPlace, openQuestions, undecidedActions } from '../../core/log/openActions';
import { settingsOf } from '../../core/log/runSettings';
import { forkFrom } from '../../core/trajectory/forkFrom';
import type { Model } from '../../core/ports/model';
import type { Profile } from '../../core/ports/profile';
import { profileNamed, withTemplates } from '../../core/profiles/profiles';
import { profileWith } from '../../core/profiles/profileWith';
import { asksAlways, withoutConsented } from '../../core/risk/confirmation';
import type { Skill } from '../../core/ports/skill';
import { allowAll, type TaskChoices } from '../../core/session/openSession';
import type { SessionAgentParts } from '../../core/session/sessionAgent';
import {
  settingSource,
  limitsFrom,
  overridesFrom,
  samplingFrom,
  withVerifierModel,
  wholeRepliesSetting,
} from '../../core/session/settingsFrom';
import type { UserSettings } from '../../core/settings/table';
import type { Asking, Assessment, Limits } from '../../protocol/events/event';

/** How a run works. */
export interface WorkOptions {
  /** Absent settings come from the profile, or from the continued session. */
  readonly settings: UserSettings;
  /** Name of a persona, which can only restrict the rest. */
  readonly persona?: string;
  /** Prefixes of the hashes of pending questions. What they ask about runs, in the sandbox if there is one. */
  readonly approve?: readonly string[];
  /** The same, but may run outside the sandbox. */
  readonly approveOutside?: readonly string[];
  /** Prefixes of the hashes of pending questions whose actions are refused. The task is the reason. */
  readonly refuse?: readonly string[];
  /** For a continued session: files were first restored to that point. */
  readonly restoreFiles?: boolean;
  /** Inputs of the task, by name; "@FILE" means the content of a file. */
  readonly input?: Readonly<Record<string, string>>;
  /** Inputs from a dataset: literal text, which never names a file. */
  readonly textInput?: Readonly<Record<string, string>>;
  /** Whether the run pauses before each half of a step, except before the first. */
  readonly step?: boolean;
}

/**
 * Returns a profile by name, with the user's overrides of its texts and numbers. Throws an `Error` with a message for
 * people.
 */
export async function profileFromOptions(name: string, { settings }: WorkOptions): Promise<Profile> {
  const profile = profileWith(profileNamed(name), overridesFrom(settingSource(settings)));
  const { templates } = settings;
  if (templates === undefined) return profile;
  if (!fs.statSync(templates, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${templates} is not a folder. Name an existing one with --templates, or remove the option.`);
  const found = await templatesIn(templates, name);
  return withTemplates(profile, found.templates, found.sources);
}

/** Returns undefined if one response per step is sufficient. `modelNamed` returns the model that judges. */
export async function samplingOf(
  { settings }: WorkOptions,
  modelNamed: (name: string) => Promise<Model>,
): Promise<SessionAgentParts['sampling']> {
  const sampling = samplingFrom(settingSource(settings));
  return sampling.candidates < 2 ? undefined : withVerifierModel(sampling, modelNamed);
}

/** The additional inputs, with files read. Throws an `Error` with a message for people. */
function inputsOf({ input = {}, textInput = {} }: WorkOptions): Record<string, string> {
  const read = Object.entries(input).map(([name, value]) => [name, inputValue(name, value)]);
  return { ...Object.fromEntries(read), ...textInput };
}

function inputValue(name: string, value: string): string {
  if (!value.startsWith('@')) return value;
  try {
    return decodeUtf8(fs.readFileSync(value.slice(1)), value.slice(1)).trimEnd();
  } catch (error) {
    throw new Error(`The input ${name} names a file that cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The requested limits; the others stay the same. */
const limitsOf = ({ settings }: WorkOptions, known: Limits): Limits => ({
  steps: settings['limits.steps'] ?? known.steps,
  cost: settings['limits.cost'] ?? known.cost,
  seconds: settings['limits.seconds'] ?? known.seconds,
});

function askingOf({ settings }: WorkOptions, known: Asking = {}): { asking?: Asking } {
  const { 'ask.from': from, 'ask.about': about, 'ask.consented': consented } = settings;
  const whole = wholeRepliesSetting(settingSource(settings));
  const isUnsaid = [from, about, consented, whole.wholeReplies].every((each) => each === undefined);
  if (isUnsaid) return {};
  return {
    asking: {
      ...known,
      ...(from && { from }),
      ...(about && { about: [...about] }),
      ...(consented && { consented: [...consented] }),
      ...whole,
    },
  };
}

/** The choices for a new session. `profile`: the name of the profile that the user chose. */
export function choicesOf(options: WorkOptions, profile: string, persona: Skill | undefined): TaskChoices {
  const { settings: set } = options;
  const source = settingSource(set);
  return {
    profile,
    mode: source.get('mode'),
    confirmation: source.get('confirmation'),
    limits: limitsFrom(source),
    allowPatterns: source.get('allowPatterns'),
    ...askingOf(options),
    ...(set.toolsets && { toolsets: set.toolsets }),
    ...(set.disabledToolsets && { disabledToolsets: set.disabledToolsets }),
    ...(persona && { persona }),
    ...(set['tools.dialect'] && { dialect: set['tools.dialect'] }),
    promptPrefix: source.get('prompt.prefix'),
    promptSuffix: source.get('prompt.suffix'),
    inputs: inputsOf(options),
  };
}

const isHeldBack = (history: History): boolean => isStepping(history) || pauseIsRequested(history);

/**
 * Continues a session, and does not stay at a checkpoint where it was held: the text answers its open question, or is a
 * message. `--confirm never` also approves pending actions, except those that always need a question. `forked`: the log
 * is a new fork of another one.
 */
export function continueConversation(
  conversation: Conversation,
  {
    task,
    model,
    forked = false,
  }: { readonly task: string; readonly model: Model; readonly forked?: boolean | undefined },
  options: WorkOptions,
): void {
  const { limits, asking } = settingsOf(conversation.history)!;
  const { settings: set } = options;
  refuseOtherChoices(conversation.history, options);
  refuseLate(options);
  const decisions = decisionsIn(conversation.history, options);
  if (forked) forkFrom(conversation.history, task, options.restoreFiles).forEach(conversation.append);
  conversation.append({
    type: 'settings_changed',
    model: model.info,
    limits: limitsOf(options, limits),
    ...(set.confirmation && { confirmation: set.confirmation }),
    ...askingOf(options, asking),
    ...(options.step !== undefined && { stepping: options.step }),
    ...(options.step === undefined && isHeldBack(conversation.history) && { stepping: false }),
  });
  allowAll(conversation, set.allowPatterns ?? []);
  for (const { actionId, hash, decision } of decisions)
    if (decision === 'refuse') conversation.refuse(actionId, { hash, comment: task.trim() });
    else conversation.approve(actionId, { hash, outside: decision === 'outside' });
  // Another mode may approve what still waits, so it comes after the decisions about single actions.
  if (set.mode) conversation.setMode(set.mode);
  if (forked) return;
  const waiting = undecidedActions(conversation.history).filter(({ risk }) => isConsented(risk, set));
  if (waiting.length > 0) {
    conversation.append({
      type: 'confirmation_resolved',
      actionIds: waiting.map(({ id }) => id),
      approved: true,
      by: 'rule',
    });
    conversation.wake();
  }
  const isReason = decisions.some(({ decision }) => decision === 'refuse');
  const [question] = openQuestions(conversation.history);
  if (question) conversation.answer(question.actionId, task);
  // A task is not a command; in human mode the user is asked for one.
  else if (settingsOf(conversation.history)!.mode !== 'human' && task.trim() !== '' && !isReason)
    conversation.say(task);
}

/**
 * Profile, persona, tools and dialect are chosen when a session starts. Throws an `Error` with a message for people if
 * the options name others.
 */
function refuseOtherChoices(history: History, { settings: set, persona }: WorkOptions): void {
  const { profile, toolsets, disabledToolsets, dialect: usedDialect = 'waymark' } = settingsOf(history)!;
  if (set.profile !== undefined && set.profile !== profile)
    throw new Error(
      `This session uses the profile ${profile}. Remove --profile, or start another session with another --log.`,
    );
  const usedPersona = history.find((event) => event.type === 'task_started')?.persona?.name;
  if (persona !== undefined && persona.trim().toLowerCase() !== usedPersona?.toLowerCase())
    throw new Error(
      `The persona is chosen when a session starts${usedPersona === undefined ? '' : `, here ${usedPersona}`}. Remove --persona, or start another session with another --log.`,
    );
  const differs = (wanted: readonly string[] | undefined, used: readonly string[] = []): boolean =>
    wanted !== undefined && wanted.join() !== used.join();
  if (differs(set.toolsets, toolsets) || differs(set.disabledToolsets, disabledToolsets))
    throw new Error(
      'The tools of a session are chosen when it starts. Remove --toolsets and --disable-toolsets, or start another session with another --log.',
    );
  const dialect = set['tools.dialect'];
  if (dialect !== undefined && dialect !== 'auto' && dialect !== usedDialect)
    throw new Error(
      `This session uses the dialect ${usedDialect}. Remove --dialect, or start another session with another --log.`,
    );
}

/** Returns whether the options approve a pending action. It is judged again before it runs. */
function isConsented(risk: Assessment, set: UserSettings): boolean {
  if (asksAlways(risk)) return false;
  if (set.confirmation === 'never') return true;
  return withoutConsented(risk, set['ask.consented']) !== risk;
}

/**
 * Options for the first message and the system prompt come too late for a continued session. Throws an `Error` with a
 * message for people.
 */
function refuseLate({ settings, input }: WorkOptions): void {
  const ofBeginning = {
    '--input': input,
    '--prompt-prefix': settings['prompt.prefix'],
    '--prompt-suffix': settings['prompt.suffix'],
  };
  const late = Object.entries(ofBeginning).find(([, value]) => value !== undefined)?.[0];
  if (late === undefined) return;
  throw new Error(
    `${late} is for new sessions, and this one continues. Remove it, or start another session with another --log.`,
  );
}

/** Returns whether the options decide about actions by name, so that no task is needed. */
export const decidesByName = ({ approve = [], approveOutside = [], refuse = [] }: WorkOptions): boolean =>
  approve.length + approveOutside.length + refuse.length > 0;

/** A decision of the command line about an action that it names: to run it inside or outside of the sandbox, or not. */
interface NamedDecision {
  readonly actionId: string;
  readonly hash: string;
  readonly decision: 'inside' | 'outside' | 'refuse';
}

/** Throws an `Error` with a message for people if no such question is pending. */
function decisionsIn(
  history: History,
  { approve = [], approveOutside = [], refuse = [] }: WorkOptions,
): NamedDecision[] {
  const wanted = [
    ...approve.map((name) => ({ name, decision: 'inside' as const })),
    ...approveOutside.map((name) => ({ name, decision: 'outside' as const })),
    ...refuse.map((name) => ({ name, decision: 'refuse' as const })),
  ];
  const decisions = wanted.map(({ name, decision }): NamedDecision => {
    const found = undecidedActions(history).filter(({ id }) => openQuestionHash(id, history)?.startsWith(name));
    const [action] = found;
    if (!action || found.length > 1)
      throw new Error(
        `No action waits under the name ${name}: it was decided, or what it would run has changed. Continue without ${decision === 'refuse' ? '--refuse' : '--approve'} to see what waits now.`,
      );
    if (decision === 'outside' && openQuestionPlace(action.id, history)?.outside === undefined)
      throw new Error(`${action.summary} does not run in a sandbox, so it cannot run outside one. Use --approve.`);
    return { actionId: action.id, hash: openQuestionHash(action.id, history)!, decision };
  });
  if (new Set(decisions.map(({ actionId }) => actionId)).size < decisions.length)
    throw new Error('An action is named twice. Name it once, with --approve, --approve-outside or --refuse.');
  return decisions;
}
