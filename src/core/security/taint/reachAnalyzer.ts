import type { Assessment, Reach, RiskCategory } from '../../../protocol/events/event';
import { shellFolderIn } from '../../log/shellState';
import type { RiskAnalyzer } from '../../ports/analyzer';
import { relativeTo } from '../../text/relativeTo';
import { isLocal } from '../../shell/verdict/address';
import type { CommandContext } from '../../shell/effects/context';
import type { Effect } from '../../shell/effects/effect';
import { pathInFolder, resolvePlace, type Place, type WorkspaceFolders } from '../../shell/syntax/place';
import type { Judged } from '../../risk/assessment';
import { literal } from '../../shell/syntax/value';
import { protectedWrites, matchingRules, secretReads } from '../../risk/pathRules';
import { sandboxFacts, workspaceFolders } from '../commandAnalyzer';
import { changesHistory, changesPackages, onlyShows, printsVariables, reachesNetwork } from './programs';
import { outputSources } from './taint';
import { trustOf } from './trust';

interface Found {
  readonly untrusted: Set<string>;
  readonly secret: Set<string>;
  readonly network: Set<string>;
  readonly quotes: Set<string>;
  readonly categories: Set<RiskCategory>;
}

/** What is known about a command beyond one of its effects. */
interface CommandFacts {
  judge(effect: Effect): Judged;
  /** Sources of the files to which Waymark wrote outputs, by path. */
  readonly outputs: ReadonlyMap<string, readonly string[]>;
  /** Programs with a known address: they are not listed in addition to it. */
  readonly addressed: readonly string[];
}

/**
 * Reports what a call lets in and out, and the categories of its effects. Raises no level itself: policies and the
 * taint analyzer use its result.
 */
export const reachAnalyzer: RiskAnalyzer = {
  name: 'reach',
  async assess({
    call: {
      touches: { reads = [], writes = [], command, types = false, fetches },
    },
    environment,
    history,
  }) {
    const { root, scripts, cutOff } = environment;
    const folders = workspaceFolders(environment);
    const found: Found = {
      untrusted: new Set(),
      secret: new Set(),
      network: new Set(),
      quotes: new Set(),
      categories: new Set(),
    };
    for (const path of reads) noteFileRead(path, folders, found, outputSources(history));
    for (const path of writes) {
      const place = resolvePlace(literal(path), '.', folders);
      noteChange(place, found);
      if (trustOf(pathInFolder(place)) !== 'project' || matchingRules(path, secretReads).length > 0)
        found.quotes.add(place.path);
    }
    if (fetches !== undefined) noteFetched(new URL(fetches), found);
    let looks = false;
    if (command !== undefined) {
      const [{ examineCommand }, { judgeEffect }] = await Promise.all([
        import('../../shell/assessCommand'),
        import('../../shell/verdict/judgeEffect'),
      ]);
      const place = { ...folders, folder: relativeTo(root, shellFolderIn(root, history)) };
      const context: CommandContext = { ...place, ...(cutOff && { cutOff }) };
      const effectsIn = (full: CommandContext): readonly Effect[] => examineCommand(command, full).effects;
      const effects = scripts
        ? ((await (await import('../scripts/assessWithScripts')).withScripts(context, scripts, history, effectsIn))
            ?.answer ?? [])
        : effectsIn(context);
      looks =
        effects.length > 0 &&
        effects.every(
          ({ kind, culprit }) =>
            kind === 'reads' || kind === 'searches' || kind === 'lists' || (kind === 'other' && onlyShows(culprit)),
        );
      const addressed = effects.flatMap((effect) => (effect.kind === 'fetches' ? [effect.culprit] : []));
      const { confined, temporaryFile } = await sandboxFacts(environment, { types });
      const facts: CommandFacts = {
        // Without a network, temporary files of the session are as trustworthy as those of the project.
        judge: (effect) => judgeEffect(effect, confined && temporaryFile ? { temporaryFile } : {}),
        outputs: outputSources(history),
        addressed,
      };
      for (const effect of effects) noteEffect(effect, found, facts);
    }
    return asAssessment(found, looks);
  },
};

/** File tools are confined to the workspace, so only what is inside can be read. */
function noteFileRead(
  path: string,
  folders: WorkspaceFolders,
  { untrusted, secret }: Found,
  outputs: ReadonlyMap<string, readonly string[]>,
): void {
  const place = resolvePlace(literal(path), '.', folders);
  for (const source of outputs.get(path) ?? []) untrusted.add(source);
  if (matchingRules(path, secretReads).length > 0) secret.add(path);
  if (place.where === 'inside' && trustOf(pathInFolder(place)) !== 'project') untrusted.add(place.path);
}

/** Recorded by site, because standing permissions are compared by site. */
function noteFetched({ origin, host }: URL, { untrusted, network, categories }: Found): void {
  untrusted.add(origin);
  network.add(host);
  categories.add('network');
}

function noteChange(place: Place, { categories }: Found): void {
  if (place.where === 'outside' || place.where === 'unknown') categories.add('outside');
  if (
    place.where !== 'stream' &&
    matchingRules(place.path, [...protectedWrites, ...secretReads]).some(({ level }) => level === 'high')
  )
    categories.add('protected');
}

function noteEffect(effect: Effect, found: Found, facts: CommandFacts): void {
  const { untrusted, secret, network, categories } = found;
  switch (effect.kind) {
    case 'fetches':
      if (effect.url !== '' && isLocal(effect.url)) return;
      network.add(effect.culprit);
      untrusted.add(effect.culprit);
      return void categories.add('network');
    case 'lists':
      return effect.place.where === 'outside' ? void categories.add('outside') : undefined;
    case 'reads':
    case 'searches':
      return noteRead(effect, found, facts);
    case 'deletes':
      categories.add('deletes');
      return noteChange(effect.place, found);
    case 'writes':
      return noteChange(effect.place, found);
    case 'runs':
      return;
    case 'other':
      if (reachesNetwork(effect.culprit) && !facts.addressed.some((address) => effect.culprit.includes(address))) {
        network.add(effect.culprit);
        untrusted.add(effect.culprit);
        categories.add('network');
      }
      if (changesPackages(effect.culprit)) categories.add('packages');
      if (changesHistory(effect.culprit)) categories.add('git_history');
      if (effect.level === 'high' && printsVariables(effect.culprit)) secret.add(effect.culprit);
  }
}

function noteRead(
  effect: Extract<Effect, { place: Place }>,
  { untrusted, secret, categories }: Found,
  { judge, outputs }: CommandFacts,
): void {
  const { place, culprit } = effect;
  if (place.where === 'stream') return;
  const known = outputs.get(place.path);
  if (known) return known.forEach((source) => untrusted.add(source));
  if (judge(effect).level === 'high') secret.add(place.path || culprit);
  if (place.where === 'outside') {
    categories.add('outside');
    if (judge(effect).level === 'high') untrusted.add(place.path);
  } else if (trustOf(pathInFolder(place)) !== 'project') untrusted.add(place.path);
}

function asAssessment(
  { untrusted, secret, network, quotes, categories }: Found,
  looks: boolean,
): Assessment | undefined {
  const reach: Reach = {
    ...(untrusted.size > 0 && { untrusted: [...untrusted] }),
    ...(secret.size > 0 && { secret: [...secret] }),
    ...(network.size > 0 && { network: [...network] }),
    ...(quotes.size > 0 && { quotes: [...quotes] }),
    ...(looks && { looks }),
  };
  if (Object.keys(reach).length === 0 && categories.size === 0) return undefined;
  return {
    level: 'low',
    reasons: [],
    ...(Object.keys(reach).length > 0 && { reach }),
    ...(categories.size > 0 && { categories: [...categories] }),
  };
}
