import { SessionHooks } from '../../adapters/hooks/sessionHooks';
import type { Container } from '../../adapters/terminal/container';
import { surroundingsOf } from '../../adapters/sessions/surroundings';
import type { Surroundings } from '../../core/agent/prompt';
import { startedActionIds } from '../../core/log/openActions';
import { settingsOf } from '../../core/log/runSettings';
import { warning, type Warn } from '../../core/log/eventFacts';
import type { Model } from '../../core/ports/model';
import type { Profile } from '../../core/ports/profile';
import type { Skill } from '../../core/ports/skill';
import { personaNamed } from '../../core/skills/personaNamed';
import { openSession, type OpenedSession } from '../../core/session/openSession';
import type { ConversationListener } from '../../core/session/publication';
import type { SessionAgentParts } from '../../core/session/sessionAgent';
import { settingSource } from '../../core/session/settingsFrom';
import { agreesTo } from '../consent/folderTrust';
import type { Questions, ConsentMeans } from '../consent/ask';
import { skippedSkillsWords, settleSkills } from '../consent/skillConsent';
import { stdout } from '../output/output';
import { profileFromOptions, samplingOf } from './begin';
import { childrenIn } from './children';
import { sessionName } from '../../adapters/log/eventLog';
import { containerFor } from './designOptions';
import type { ActiveChildren } from './activeChildren';
import type { RunLog } from './runLog';
import { additionalModel, modelNamed } from './runModels';
import type { RunOptions } from './runOptions';
import { childLines, jsonLines, transcript } from './transcript';
import { sharedByRun, workplace, type SharedByRun, type Workplace } from './workplace';
import { hooksChange, type HookFile } from '../../adapters/hooks/hookFiles';
import type { SandboxSetting } from '../../adapters/sandbox/sandbox';
import { decideOn, storedHookConsent, printProblems, whyNotAgreed } from '../consent/hookConsent';
import { printToStderr } from '../output/escapeForTerminal';

/** The parts of a running run. */
export interface RunSession {
  readonly session: OpenedSession;
  /** Where its tools act. */
  readonly environment: Workplace;
  readonly shared: SharedByRun;
  readonly hooks: SessionHooks | undefined;
  /** The model of the run: the chosen one, or that of the persona. */
  readonly model: Model;
  /** The name of the profile that the user chose. */
  readonly profile: string;
  readonly persona: Skill | undefined;
  readonly show: ConversationListener;
  /** Records in the log what the folder brings without approval. */
  recordLeftOut(): void;
}

/**
 * Returns the container for commands, not started yet; undefined if they run on this machine. Throws an `Error` with a
 * message for people.
 */
async function containerOf(root: string, options: RunOptions): Promise<Container | undefined> {
  const settings = containerFor(options);
  if (!settings) return undefined;
  const { Container: ContainerOfEngine } = await import('../../adapters/terminal/container');
  return new ContainerOfEngine(settings, [root], { inCopies: options.inCopy === true });
}

/** Who is present while a run is opened. `unwanted`: aborted if it is no longer wanted. */
interface Present {
  readonly attended: boolean;
  readonly questions: Questions;
  readonly activeChildren: ActiveChildren;
  readonly unwanted: AbortSignal;
}

/**
 * Opens the session of a run, after all questions to the user are settled: hooks and skills. Rejects with an `Error`
 * with a message for people.
 */
export async function openRunSession(
  chosen: Model,
  log: RunLog,
  options: RunOptions,
  { attended, questions, activeChildren, unwanted }: Present,
): Promise<RunSession> {
  const { file, events, store, root } = log;
  const { settings } = options;
  // A persona may bring another model.
  if (options.persona === undefined) chosen.connect?.();
  const surroundings = surroundingsOfRun(log);
  const shared = sharedByRun(root, await containerOf(root, options));
  const usual = await profileFromOptions(settingsOf(events)?.profile ?? settings.profile ?? 'waymark', options);
  const usesSkills = usual.skills || options.persona !== undefined;
  if (usesSkills) shared.skills.search();
  const warn: Warn = (...told) => void session.conversation.append(warning(...told));
  const environment = workplace({ root, file, warn }, shared, { ...options, begun: startedActionIds(events) });
  const sampling = await samplingOf(options, (name) => additionalModel(name, options));
  const { hooks, leftOut: hooksLeft } = await settledHooks(log, options, { attended, questions, unwanted });
  const skillsLeft = usesSkills
    ? await settleSkills(shared.skills, chosen.info.name, {
        agree: agreesTo(options, 'skills'),
        attended,
        questions,
        unwanted,
      })
    : [];
  const persona = await personaFor(log, options, environment, chosen);
  const { profile, model } = await asPersonaWants(persona, { profile: usual, model: chosen }, options);
  const show = options.show ?? (options.json ? jsonLines(stdout) : transcript(stdout, events));
  const children = childrenIn(
    {
      file,
      root,
      model,
      profile,
      attended,
      activeChildren,
      sampling,
      settings,
      stateIn: options.stateIn,
      hidden: options.hidden,
      hooks,
      shared,
      modelNamed: (name) => modelNamed(name, options),
      profileNamed: (name) => profileFromOptions(name, options),
      show: (id, title) => childListener(id, title, options),
    },
    () => session.conversation.history,
  );
  const session: OpenedSession = openSession({
    model,
    environment,
    children,
    surroundings,
    trusted: true,
    attended,
    // The chosen profile and that of the persona are already loaded.
    profileOf: (name) => [usual, profile].find((known) => known.name === name) ?? profileFromOptions(name, options),
    samplingOf: (): SessionAgentParts['sampling'] => sampling,
    customToolsets: settingSource(settings).get('customToolsets'),
    ...(hooks && { hooks }),
    events,
    store,
    listener: show,
  });
  return {
    session,
    environment,
    shared,
    hooks,
    model,
    profile: usual.name,
    persona,
    show,
    recordLeftOut: () => recordLeftOut(session, hooksLeft, skillsLeft),
  };
}

/** A new session records the state of its repository. Git works while everything else starts. */
function surroundingsOfRun({ root, events }: RunLog): Surroundings {
  const surroundings = surroundingsOf({ root });
  const asked = events.length === 0 ? surroundings.git?.() : undefined;
  return asked ? { ...surroundings, git: () => asked } : surroundings;
}

async function settledHooks(
  { root, file }: RunLog,
  options: RunOptions,
  present: Pick<Present, 'attended' | 'questions' | 'unwanted'>,
): Promise<HooksOfRun> {
  if (options.hooks === false) return { hooks: undefined, leftOut: [] };
  const asking = { agree: agreesTo(options, 'hooks'), ...present };
  return hooksForRun(root, sessionName(file), options.settings.sandbox, asking);
}

/** Returns the persona of a new session; a continued one keeps the one it began with. */
async function personaFor(
  { events }: RunLog,
  { persona }: RunOptions,
  { skills }: Workplace,
  model: Model,
): Promise<Skill | undefined> {
  if (persona === undefined || events.length > 0) return undefined;
  return personaNamed(persona, skills, model.info.name);
}

/** A persona may bring its own profile and model. */
async function asPersonaWants(
  persona: Skill | undefined,
  usual: { readonly profile: Profile; readonly model: Model },
  options: RunOptions,
): Promise<{ readonly profile: Profile; readonly model: Model }> {
  const { profile, model } = persona?.persona ?? {};
  return {
    profile: profile === undefined ? usual.profile : await profileFromOptions(profile, options),
    model: model === undefined ? usual.model : await modelNamed(model, options),
  };
}

function childListener(id: string, title: string, { show, json }: RunOptions): ConversationListener {
  if (show) return {};
  return json ? jsonLines(stdout, id) : childLines(stdout, title);
}

function recordLeftOut(
  { conversation }: OpenedSession,
  hooks: HooksOfRun['leftOut'],
  skills: Awaited<ReturnType<typeof settleSkills>>,
): void {
  for (const { path, words } of hooks)
    conversation.append({ type: 'notice', level: 'warning', about: 'hooks_left_out', text: words, files: [path] });
  if (skills.length === 0) return;
  conversation.append({
    type: 'notice',
    level: 'warning',
    about: 'skills_left_out',
    text: skippedSkillsWords(skills),
    files: skills.map(({ path }) => path),
  });
}

/**
 * `hooks`: the hooks that may run in this session; undefined if there are none and no file has problems. `leftOut`: the
 * hooks that do not run because nobody ever approved them.
 */
interface HooksOfRun {
  readonly hooks: SessionHooks | undefined;
  readonly leftOut: readonly { readonly path: string; readonly words: string }[];
}

/**
 * Returns the hooks of a session. Prints to stderr which ones do not run, and why. Throws an `Error` with a message for
 * people if the user does not want to continue without approved hooks.
 */
async function hooksForRun(
  root: string,
  session: string,
  sandbox: SandboxSetting = 'auto',
  asking: ConsentMeans,
): Promise<HooksOfRun> {
  const consent = storedHookConsent();
  const files = await consent.files(root);
  printProblems(files);
  const declined = new Set<string>();
  const leftOut: { path: string; words: string }[] = [];
  for (const file of consent.waiting(files)) {
    const decision = await decideOn(file, consent, asking);
    if (decision === 'left') {
      const words = whyNotAgreed(file, consent);
      printToStderr(words);
      // The run itself reports hooks that changed since their approval, and waits.
      if (file.lost === undefined && !consent.isOutdated(file)) leftOut.push({ path: file.path, words });
    } else if (decision === 'declined' && file.lost !== undefined)
      throw new Error(`${hooksChange(file)} Nothing was started.`);
    else if (decision === 'declined') declined.add(file.hash);
  }
  const isChanged = (file: HookFile): boolean => consent.isOutdated(file) && !declined.has(file.hash);
  if (!files.some((file) => consent.has(file) || isChanged(file) || file.problems.length > 0))
    return { hooks: undefined, leftOut };
  const hooks = new SessionHooks({
    root,
    session,
    sandbox,
    files: () => consent.files(root),
    isAgreed: (file) => consent.has(file),
    isChanged,
  });
  return { hooks, leftOut };
}
