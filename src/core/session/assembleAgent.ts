import type { ActionEffect } from '../../protocol/events/event';
import { condenserFor } from '../condense/condenserFor';
import type { Condenser, CondenserParts } from '../ports/condenser';
import type { History } from '../log/projection';
import { settingsOf } from '../log/runSettings';
import { toolsOffered } from '../agent/toolsOffered';
import { formatFor } from '../model/formats/formatFor';
import { assumedContextWindow } from '../model/contextWindows';
import type { Model } from '../ports/model';
import type { CandidateReader } from '../model/sampling/candidate';
import type { ReadCall, ReplyFormat } from '../ports/replyFormat';
import { sampling, type SamplingParts } from '../model/sampling/sampling';
import type { SamplingSettings } from '../model/sampling/samplingSettings';
import type { Profile } from '../ports/profile';
import { analyzers } from '../security/analyzers';
import { confirmationPolicies } from '../risk/confirmation';
import type { Checkpoints } from '../ports/checkpoints';
import type { Environment } from '../ports/environment';
import { withSelfRating } from '../tools/calls/withSelfRating';
import { type Dialect, offeredTools } from '../tools/dialects/dialect';
import { intendedTool, understand, type Offer } from '../tools/dialects/understand';
import { waymarkDialect } from '../tools/dialects/waymark';
import type { Tool } from '../ports/tool';
import { Agent } from '../agent/agent';
import type { Children } from '../ports/children';
import type { Hooks } from '../agent/agentParts';
import type { Surroundings } from '../agent/prompt';
import { wordingFor } from '../agent/wording';

/** What an agent is assembled from. */
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
  dialect = waymarkDialect,
  environment,
  surroundings,
  children,
  hooks,
  attended,
  sampling: wanted,
}: Assembly): Agent {
  const tools = profile.selfRating ? ownTools.map(withSelfRating) : ownTools;
  const format = formatFor(profile.format, groupingRule(profile, { tools, dialect }), tools);
  const toolCharacters = format.sendsTools ? charactersOffered(tools, dialect) : () => 0;
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
    ...(hooks && { hooks: recordedHooks(hooks, environment.checkpoints) }),
    ...(profile.condenser.kind !== 'none' && { condenser: condenserOf(profile, single, toolCharacters) }),
  });
}

/** Hooks whose changes of files are recorded, such as those of a formatter. */
export const recordedHooks = (hooks: Hooks, checkpoints: Checkpoints | undefined): Hooks => ({
  current: () => hooks.current(),
  async run(...given) {
    await checkpoints?.hookBegins();
    return hooks.run(...given);
  },
});

/** Returns the length of the schemas that a request offers. Measures it again only when other tools are offered. */
function charactersOffered(tools: readonly Tool[], dialect: Dialect): (history: History) => number {
  let measured = { names: '', characters: 0 };
  return (history) => {
    const offered = toolsOffered(tools, settingsOf(history)?.mode ?? 'confirm', history);
    const names = offered.map(({ name }) => name).join();
    if (names !== measured.names)
      measured = { names, characters: JSON.stringify(offeredTools(offered, dialect)).length };
    return measured.characters;
  };
}

/**
 * Creates the condenser. Its window is that of the currently chosen model, or the default for its kind. Throws if the
 * numbers of the profile contradict each other.
 */
function condenserOf(
  { condenser }: Profile,
  model: Model,
  toolCharacters: NonNullable<CondenserParts['toolCharacters']>,
): Condenser {
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
function groupingRule({ parallel }: Profile, offer: Offer): (a: ReadCall, b: ReadCall) => boolean {
  const effectOf = (call: ReadCall): ActionEffect | undefined => intendedTool(call, offer)?.effect;
  const alone = new Set<string | undefined>(['asks', 'ends', undefined]);
  return (a, b) => {
    const [left, right] = [effectOf(a), effectOf(b)];
    if (parallel === 'none' || alone.has(left) || alone.has(right)) return false;
    return parallel === 'all' || (left === right && (left === 'reads' || left === 'delegates'));
  };
}
