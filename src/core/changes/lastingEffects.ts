import type { LastingKind } from '../../protocol/events/details';
import type { Action, Event, EventOf } from '../../protocol/events/event';
import { changesGitInternals } from '../../protocol/plain/riskWords';
import type { History } from '../log/projection';
import { anyOf, sequence } from '../text/alternatives';
import { stepsOfActions } from './stepsOfActions';

/** An effect that restoring files cannot undo, derived from the log. */
export interface LastingEffect {
  readonly actionId: string;
  readonly step: number;
  readonly kind: LastingKind | 'unknown_end';
  /** What stays, worded for people. */
  readonly words: string;
  /** The command or call in one line. */
  readonly summary: string;
}

/** Returns the lasting effects of a log, in its order. `includes` selects actions by id. */
export function lastingEffectsOf(
  history: History,
  includes: (action: string) => boolean = () => true,
): LastingEffect[] {
  const steps = stepsOfActions(history);
  const reading = new EffectReading();
  return history.flatMap((event) => {
    reading.note(event);
    if (event.type !== 'observation' || !includes(event.actionId)) return [];
    const action = reading.actionThatRan(event);
    if (!action) return [];
    const step = steps.get(action.id)?.step ?? 0;
    const possible = [...effectsOfAction(action), ...effectsOfEnd(event)].filter(({ kind }) =>
      isPossible(kind, event, reading.isInContainer),
    );
    return oneOfEachKind(possible).map(({ kind, words }) => ({
      actionId: action.id,
      step,
      kind,
      words,
      summary: action.summary,
    }));
  });
}

/** What is known of actions when they end. */
class EffectReading {
  isInContainer = false;
  private readonly actions = new Map<string, Action>();
  private readonly started = new Set<string>();
  /** The latest assessments, by action id. */
  private readonly risks = new Map<string, Action['risk']>();

  note(event: Event): void {
    switch (event.type) {
      case 'task_started':
        this.isInContainer = !!event.container;
        break;
      case 'settings_changed':
        if (event.container !== undefined) this.isInContainer = !!event.container;
        break;
      case 'agent_response':
        for (const action of event.actions) this.actions.set(action.id, action);
        break;
      case 'action_started':
        this.started.add(event.actionId);
        break;
      case 'confirmation_requested':
        for (const [id, risk] of Object.entries(event.risks ?? {})) this.risks.set(id, risk);
        break;
    }
  }

  /** Returns the action of an observation, as it was assessed last; undefined if it cannot have had an effect. */
  actionThatRan({ actionId, outcome }: EventOf<'observation'>): Action | undefined {
    const action = this.started.has(actionId) ? this.actions.get(actionId) : undefined;
    if (!action || outcome === 'rejected' || outcome === 'skipped') return undefined;
    // Waymark's own file tools write everything or nothing.
    if (outcome === 'error' && action.effect === 'writes' && action.from === undefined) return undefined;
    return { ...action, risk: this.risks.get(actionId) ?? action.risk };
  }
}

/** Formats one line per action, such as "step 3: Reached the network: pypi.org. (pip install x)". */
export function lastingEffectLines(effects: readonly LastingEffect[]): string[] {
  const sentences = new Map<string, { readonly effect: LastingEffect; readonly words: Set<string> }>();
  for (const effect of effects) {
    const key = `${effect.step} ${effect.summary}`;
    const known = sentences.get(key);
    if (known) known.words.add(effect.words);
    else sentences.set(key, { effect, words: new Set([effect.words]) });
  }
  return [...sentences.values()].map(
    ({ effect: { step, summary }, words }) => `step ${step}: ${[...words].join(' ')} (${summary})`,
  );
}

/** Predicts the kinds of lasting effects of an action that has not begun. */
export function expectedLastingEffects(action: Action): LastingKind[] {
  return oneOfEachKind(effectsOfAction(action)).map(({ kind }) => kind);
}

/** A lasting effect without its action. */
interface Lasting<Kind extends LastingEffect['kind'] = LastingKind> {
  readonly kind: Kind;
  /** What stays, worded for people. */
  readonly words: string;
}

/** The assessed risk is more precise than the program's name, so it comes last and wins. */
const effectsOfAction = (action: Action): Lasting[] => [...effectsByPrograms(action), ...effectsByRisk(action)];

/** Keeps the last effect of each kind. */
const oneOfEachKind = <Kind extends LastingEffect['kind']>(lasting: readonly Lasting<Kind>[]): Lasting<Kind>[] => [
  ...new Map(lasting.map((each) => [each.kind, each])).values(),
];

/**
 * Lasting effects of commands outside the files of the workspace, by the programs they name. Includes low-risk
 * commands.
 */
const lastingPrograms: readonly (Lasting & { readonly pattern: RegExp })[] = [
  {
    kind: 'git',
    words: 'Changed the history or the remotes of a Git repository.',
    pattern: sequence([
      /(?<![\w./-])git (?:[^\n;&|]{0,60} )?/,
      anyOf([
        'init clone commit merge rebase reset checkout switch branch tag stash cherry-pick revert am',
        'fetch pull push remote worktree',
      ]),
      /(?![\w-])/,
    ]),
  },
  {
    kind: 'network',
    words: 'May have reached the network.',
    pattern: /(?<![\w./-])(?:curl|wget|ssh|scp|sftp|ftp|telnet|gh|aws|gcloud|kubectl)(?![\w-])/,
  },
  {
    kind: 'packages',
    words: 'May have installed or removed packages.',
    pattern: sequence([
      /(?<![\w./-])/,
      anyOf(['npm pnpm yarn bun', /pip3?/, 'pipx uv cargo gem brew apt apt-get dnf yum apk pacman']),
      / (?:i|install|add|remove|uninstall|ci|update|upgrade)(?![\w-])/,
    ]),
  },
  {
    kind: 'database',
    words: 'May have changed a database.',
    pattern: sequence([
      /(?<![\w./-])/,
      anyOf([
        'psql mysql mariadb',
        /mongosh?/,
        'redis-cli sqlcmd cqlsh clickhouse-client createdb dropdb pg_restore alembic flyway liquibase',
        'dbmate',
      ]),
      /(?![\w-])/,
    ]),
  },
  {
    kind: 'database',
    words: 'May have changed a database.',
    pattern:
      /\bprisma (?:migrate|db)\b|\bdb:(?:migrate|seed|drop|create|reset|setup|rollback)\b|\bmanage\.py (?:migrate|flush|loaddata)\b/,
  },
  {
    kind: 'running',
    words: 'May have left a process running.',
    pattern: anyOf([
      /(?<![&>|\\])&(?=[\s)]|$)/,
      /(?<![\w./-])(?:nohup|setsid|disown)(?![\w-])/,
      /\bsystemctl (?:start|restart)\b/,
      /\bdocker (?:run|compose up) -d\b/,
      /\bpm2 start\b/,
      /\bscreen -dm/,
      /\btmux new-session -d/,
    ]),
  },
];

function effectsByPrograms({ input, from, risk }: Action): Lasting[] {
  const command = from ? undefined : (input as { command?: unknown } | null | undefined)?.command;
  if (typeof command !== 'string' || risk.reach?.looks) return [];
  return lastingPrograms.filter(({ pattern }) => pattern.test(command)).map(({ kind, words }) => ({ kind, words }));
}

function effectsByRisk({ risk, from, effect }: Action): Lasting[] {
  const categories = new Set(risk.categories ?? []);
  const network = risk.reach?.network ?? [];
  const found: Lasting[] = [];
  if (categories.has('network') || network.length > 0)
    found.push({
      kind: 'network',
      words: network.length > 0 ? `Reached the network: ${network.slice(0, 3).join(', ')}.` : 'Reached the network.',
    });
  if (categories.has('git_history'))
    found.push({ kind: 'git', words: 'Changed the history or the remotes of a Git repository.' });
  if (effect === 'executes' && risk.grounds?.includes(changesGitInternals))
    found.push({ kind: 'git', words: 'Changed the internal data of a Git repository.' });
  if (categories.has('packages')) found.push({ kind: 'packages', words: 'Installed or removed packages.' });
  if (categories.has('outside'))
    found.push({ kind: 'outside', words: 'May have changed files outside the workspace.' });
  if (from !== undefined && effect !== 'reads')
    found.push({ kind: 'other_tool', words: `${from.source} did this; its changes elsewhere are unknown.` });
  return found;
}

/**
 * Returns whether the sandbox, if there was one, let a command have an effect. Outside the workspace it can write
 * nothing; a container can write what its options mount.
 */
function isPossible(
  kind: LastingEffect['kind'],
  { details }: Extract<History[number], { type: 'observation' }>,
  isInContainer: boolean,
): boolean {
  if (details?.kind !== 'command' || details.sandbox !== 'inside') return true;
  // What is denied at the end may be one of several places, and another one may be an allowed domain.
  return (kind !== 'outside' || isInContainer) && !(kind === 'network' && details.offline === true);
}

/** Effects that are possible because the end of an action is unknown, or because it may still run. */
function effectsOfEnd(event: Extract<History[number], { type: 'observation' }>): Lasting<LastingEffect['kind']>[] {
  if (event.outcome === 'unknown')
    return [{ kind: 'unknown_end', words: 'The program ended while this was running. It may have taken effect.' }];
  const { details } = event;
  if (details?.kind !== 'command') return [];
  const mayRun = details.end === 'waiting_for_input' || details.end === 'timed_out';
  return mayRun ? [{ kind: 'running', words: 'May have left a process running.' }] : [];
}
