import type { LastingKind } from '../../protocol/events/details';
import type { Action } from '../../protocol/events/event';
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
  const actions = new Map<string, Action>();
  const started = new Set<string>();
  const risks = new Map<string, Action['risk']>();
  const entries: LastingEffect[] = [];
  let isInContainer = false;
  for (const event of history) {
    if (event.type === 'task_started' || (event.type === 'settings_changed' && event.container !== undefined))
      isInContainer = !!event.container;
    if (event.type === 'agent_response') for (const action of event.actions) actions.set(action.id, action);
    if (event.type === 'action_started') started.add(event.actionId);
    if (event.type === 'confirmation_requested')
      for (const [id, risk] of Object.entries(event.risks ?? {})) risks.set(id, risk);
    if (event.type !== 'observation' || !started.has(event.actionId) || !includes(event.actionId)) continue;
    const action = actions.get(event.actionId);
    if (!action || event.outcome === 'rejected' || event.outcome === 'skipped') continue;
    // Waymark's own file tools write everything or nothing.
    if (event.outcome === 'error' && action.effect === 'writes' && action.from === undefined) continue;
    const { id: actionId, summary } = action;
    const step = steps.get(actionId)?.step ?? 0;
    const lastAssessed = { ...action, risk: risks.get(actionId) ?? action.risk };
    const possible = [...effectsOfAction(lastAssessed), ...effectsOfEnd(event)].filter(({ kind }) =>
      isPossible(kind, event, isInContainer),
    );
    for (const { kind, words } of oneOfEachKind(possible)) entries.push({ actionId, step, kind, words, summary });
  }
  return entries;
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
