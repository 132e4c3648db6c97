import type { NewEvent, Limits, Mode } from '../../protocol/events/event';
import type { Model } from '../ports/model';
import type { Profile } from '../ports/profile';
import type { Skill, Skills } from '../ports/skill';
import type { AddedTools } from '../ports/addedTools';
import { dialectNamed } from '../tools/dialects/dialects';
import type { Tool } from '../ports/tool';
import { addedFor, finderFor, toolsFor, type ToolChoice } from '../tools/toolsFor';
import { narrowByPersona, toolsExceeding } from './narrowByPersona';
import { firstEvents, type TaskSettings } from './firstEvents';
import type { Attachment, ChildTask } from '../ports/children';
import { agreedPins } from '../security/scripts/pins';
import { allowRulesOf, settingsOf, type RunSettings } from '../log/runSettings';
import type { History } from '../log/projection';
import type { Surroundings } from '../agent/prompt';
import { untrustedWordsIn, reachOf } from '../security/taint/taint';
import { taskSpending } from '../log/spending';

/** Maximum nesting depth of sessions. Sessions at this depth start no children. */
export const maxSessionDepth = 2;

/** Returns how many sessions are above this one. */
export function depthOf(history: History): number {
  const started = history.find((event) => event.type === 'task_started');
  return started?.parent ? (started.parent.depth ?? 1) : 0;
}

/** Environment of a child session. */
export interface ChildSurroundings {
  readonly model: Model;
  readonly surroundings: Surroundings;
  readonly trusted: boolean;
  readonly customToolsets: NonNullable<ToolChoice['custom']>;
  readonly skills?: Skills | undefined;
  /** Persona of the child. */
  readonly persona?: Skill | undefined;
  /** Tools from other extensions and MCP servers. */
  readonly added?: AddedTools | undefined;
  /** Returns a profile with this user's overrides. */
  profile(name: string): Profile | Promise<Profile>;
}

/** The action of a session that starts a child session. */
interface Parent {
  readonly session: string;
  readonly actionId: string;
  readonly history: History;
}

/**
 * Returns the first events of a child session. Throws an `Error` with a message for people if the profile or a toolset
 * does not exist.
 */
export async function childEvents(
  task: ChildTask,
  limits: Limits,
  { session, actionId, history }: Parent,
  child: ChildSurroundings,
): Promise<NewEvent[]> {
  const settings = settingsOf(history)!;
  const depth = depthOf(history) + 1;
  const [reach, borrowed] = [reachOf(history), untrustedWordsIn(withAttachments(task), history)];
  const { profile, toolsets, tools, disabled, ...powers } = await childPowers(task, { limits, depth }, settings, child);
  const { model, surroundings, skills, persona } = child;
  const worktree = history.find((event) => event.type === 'task_started')?.worktree;
  // A child runs its commands in the same container as its parent.
  const beginning = { profile, model, tools, skills, terminal: { container: settings.container } };
  const events = await firstEvents(withAttachments(task), beginning, surroundings, {
    ...powers,
    ...(persona && { persona }),
    parent: { session, actionId, depth, ...(reach && { reach }), ...(borrowed.length > 0 && { borrowed }) },
    ...(settings.asking && { asking: settings.asking }),
    ...(model.info.name === settings.model.name && { dialect: dialectNamed(settings.dialect).name }),
    ...(toolsets && { toolsets }),
    ...(disabled.length > 0 && { disabledToolsets: disabled }),
    ...(worktree && { worktree }),
  });
  return [
    ...events.map((event) =>
      event.type === 'task_started'
        ? { ...event, ...(task.title.trim() && { title: task.title.trim() }), pins: agreedPins(history) }
        : event,
    ),
    ...allowRulesOf(history).map((rule): NewEvent => ({ type: 'allow_rule_added', rule })),
  ];
}

/** What a child may do. */
interface ChildPowers extends Pick<TaskSettings, 'mode' | 'confirmation' | 'limits'> {
  readonly profile: Profile;
  /** The toolsets that it asks for; undefined for those of its profile. */
  readonly toolsets: readonly string[] | undefined;
  readonly disabled: readonly string[];
  readonly tools: readonly Tool[];
}

/** Returns what a child may do: what its task asks for, but nothing that its parent or its persona may not do. */
async function childPowers(
  task: ChildTask,
  { limits, depth }: { readonly limits: Limits; readonly depth: number },
  settings: RunSettings,
  { trusted, customToolsets: custom, added, persona, profile: named }: ChildSurroundings,
): Promise<ChildPowers> {
  const [profile, parents] = await Promise.all([named(task.profile ?? settings.profile), named(settings.profile)]);
  const hasSameProfile = task.profile === undefined || task.profile === settings.profile;
  const toolsets = task.toolsets ?? (hasSameProfile ? settings.toolsets : undefined);
  const wanted = toolsFor({ toolsets: toolsets ?? profile.toolsets, custom });
  const own = toolsFor({
    toolsets: settings.toolsets ?? parents.toolsets,
    custom,
    ...(settings.disabledToolsets && { disabled: settings.disabledToolsets }),
  });
  const unneeded = [
    ...new Set([
      ...(settings.disabledToolsets ?? []),
      ...(task.disabledToolsets ?? []),
      ...toolsExceeding(wanted, own),
      ...(depth >= maxSessionDepth ? namesOf(wanted, 'delegates') : []),
    ]),
  ];
  const powers = {
    mode: childMode(settings.mode),
    confirmation: settings.confirmation,
    limits,
    disabledToolsets: unneeded,
  };
  // A child gets no external tools that its parent does not have.
  const others = (added?.tools() ?? []).filter(({ name }) => settings.addedTools?.some((known) => known.name === name));
  const narrowed = persona ? narrowByPersona(persona, powers, [...wanted, ...others]) : powers;
  const { disabledToolsets: disabled } = narrowed;
  const choice = { toolsets: toolsets ?? profile.toolsets, custom, disabled };
  const [mine, kept] = [toolsFor(choice), addedFor(choice, others)];
  const tools = [...mine, ...finderFor(kept, profile, { own: mine, disabled }), ...kept].filter(
    ({ effect }) => trusted || (effect !== 'writes' && effect !== 'executes'),
  );
  const { mode, confirmation, limits: ownLimits } = narrowed;
  return { profile, toolsets, tools, disabled, mode, confirmation, limits: ownLimits };
}

/** Returns the mode of a child. In human mode, people type actions only in the main session. */
export const childMode = (mode: Mode): Mode => (mode === 'human' ? 'confirm' : mode);

const namesOf = (tools: readonly Tool[], ...effects: Tool['effect'][]): string[] =>
  tools.filter(({ effect }) => effects.includes(effect)).map(({ name }) => name);

function withAttachments({ task, attachments = [] }: ChildTask): string {
  return [task, ...attachments.map(asText)].join('\n\n');
}

const asText = ({ id, description, content }: Attachment): string =>
  `<attachment id="${id}" description="${description.replace(/["\n<>]+/g, ' ').trim()}">\n${content}\n</attachment>`;

/**
 * Returns the limits of a child: the wanted ones, but never more than its parent has left. `unreported` is the cost of
 * other children that the parent's log does not contain yet. Throws an `Error` with a message for people if nothing is
 * left.
 */
export function childLimits(wanted: Partial<Limits> = {}, history: History, unreported: number): Limits {
  const { limits } = settingsOf(history)!;
  const spent = taskSpending(history);
  const within = (part: keyof Limits, used: number): number => {
    const [asked, most] = [wanted[part] ?? 0, limits[part]];
    if (most <= 0) return asked;
    // The reply that starts the child may have been the parent's last. A child without steps could do nothing.
    const left = part === 'steps' ? Math.max(1, most - used) : most - used;
    if (left <= 0)
      throw new Error(
        part === 'cost'
          ? `Nothing is left of this task’s $${most}, so it was not started.`
          : `Nothing is left of this task’s ${most} seconds, so it was not started.`,
      );
    return asked > 0 ? Math.min(asked, left) : left;
  };
  return {
    steps: within('steps', spent.steps),
    cost: within('cost', (spent.usage.cost ?? 0) + unreported),
    seconds: within('seconds', spent.seconds),
  };
}
