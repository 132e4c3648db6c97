import { neverCutOff } from '../../ports/cutOff';
import type { CommandContext } from '../../shell/effects/context';
import type { Assessment, Reach } from '../../../protocol/events/event';
import type { Plant } from '../../../protocol/events/risk';
import { shellFolderIn } from '../../log/shellState';
import type { History } from '../../log/projection';
import type { Environment } from '../../ports/environment';
import type { Touches } from '../../ports/tool';
import type { RiskAnalyzer } from '../../ports/analyzer';
import { harmless, worst } from '../../risk/assessment';
import type { StartedProgram } from '../../shell/effects/context';
import type { Effect } from '../../shell/effects/effect';
import { resolvePlace } from '../../shell/syntax/place';
import { literal } from '../../shell/syntax/value';
import { relativeTo } from '../../text/relativeTo';
import { significantParts, type CommandToken } from './significantParts';
import { mayRunLater, mayRunWorkspace, plantedIn } from './planted';
import { workspaceFolders } from '../commandAnalyzer';
import { changedFilesIn, meterOf, originOf, plantsOf, type Mark, type WordOrigin } from './taint';
import { trustOf } from './trust';

/**
 * Judges a call by what the session has read. An attacker who steers the agent by a text needs three things: the text,
 * something worth stealing, and a way out. A call that completes the three is high in any case. A command that contains
 * words of an untrusted text is raised to high.
 */
export const taintAnalyzer: RiskAnalyzer = {
  name: 'taint',
  last: true,
  harm: 'sends',
  async assess({ call: { touches }, environment, history, found = harmless }) {
    const { command } = touches;
    const third = thirdBit(found.reach ?? {}, history);
    const borrowed =
      command === undefined || found.level === 'low'
        ? undefined
        : await borrowedWords(command, found, environment, history);
    const plants = await plantsIn(touches, environment, found, history);
    const runs =
      command === undefined || found.reach?.looks === true
        ? undefined
        : await runsPlanted(command, environment, history);
    const all = [third, borrowed, plants, runs].filter((one) => one !== undefined);
    return all.length > 0 ? all.reduce(worst) : undefined;
  },
};

/**
 * Returns an assessment if the call would add the last of the three bits (untrusted content, a secret, the network), or
 * reach the network again after all three.
 */
function thirdBit(reach: Reach, history: History): Assessment | undefined {
  const meter = meterOf(history);
  const [untrusted, secret, network] = [meter.untrusted.length > 0, meter.secret.length > 0, meter.network.length > 0];
  const sends = reach.network !== undefined && untrusted && (secret || reach.secret !== undefined);
  const takes = reach.secret !== undefined && !secret && untrusted && network;
  const listens = reach.untrusted !== undefined && !untrusted && secret && network;
  if (!sends && !takes && !listens) return undefined;
  const read = nameSources(meter.untrusted, reach.untrusted);
  const taken = nameSources(meter.secret, reach.secret);
  const used = `used the network: ${nameSources(meter.network, undefined)}`;
  const steers = `text from ${read} that may steer the agent`;
  const tainted = (reason: string, [culprit]: readonly string[] = []): Assessment => ({
    level: 'high',
    reasons: [reason],
    tainted: true,
    ...(culprit !== undefined && { culprit }),
  });
  if (sends)
    return tainted(
      taken === read
        ? `Uses the network after this session read ${read}: secrets, and text that may steer the agent.`
        : `Uses the network after this session read ${taken}, and ${steers}.`,
      reach.network,
    );
  if (takes) return tainted(`Reads ${taken} after this session read ${steers}, and ${used}.`, reach.secret);
  return tainted(`Reads ${steers} after this session read ${taken}, and ${used}.`, reach.untrusted);
}

/** Names the latest sources, each with its step. If there are none, names what the call itself brings. */
function nameSources(marks: readonly Mark[], brought: readonly string[] | undefined): string {
  const latest = new Map<string, Mark>();
  for (const mark of marks.toReversed()) if (!latest.has(mark.source) && latest.size < 3) latest.set(mark.source, mark);
  if (latest.size === 0) return (brought ?? []).slice(0, 3).join(', ');
  return [...latest.values()]
    .map(({ source, step }) => `${source} (${step === 0 ? when(step) : `step ${step}`})`)
    .join(', ');
}

const when = (step: number): string => (step === 0 ? 'before this session began' : `in step ${step}`);

async function borrowedWords(
  command: string,
  found: Assessment,
  { cutOff = neverCutOff }: Environment,
  history: History,
): Promise<Assessment | undefined> {
  const { examineCommand } = await import('../../shell/assessCommand');
  const { effects } = examineCommand(command, { cutOff });
  const borrowed = cutOff(command, () => borrowedIn(command, effects, history));
  const [first] = borrowed;
  if (!first) return undefined;
  const reasons = [...new Set(borrowed.map(({ carried, origin }) => sentence(carried, origin)))].slice(0, 5);
  // Medium is raised to high. So is anything that could not be judged.
  return { level: 'high', reasons, culprit: first.carried.written, ...(found.level !== 'high' && { tainted: true }) };
}

/** Returns the parts of a command that come from untrusted texts. */
function borrowedIn(command: string, effects: readonly Effect[], history: History): Borrowed[] {
  const borrowed: Borrowed[] = [];
  for (const carried of significantParts(command, effects)) {
    const origin = carried.looked.map((word) => originOf(word, history)).find((one) => one !== undefined);
    if (origin && !isExpected(carried, origin, history)) borrowed.push({ carried, origin });
  }
  return borrowed;
}

interface Borrowed {
  readonly carried: CommandToken;
  readonly origin: WordOrigin;
}

/** Documentation of a project commonly mentions its own files. Files changed by this session are excluded. */
const isExpected = ({ isOfProject, looked }: CommandToken, { trust }: WordOrigin, history: History): boolean =>
  isOfProject && trust === 'prose' && !looked.some((word) => changedFilesIn(history).has(word));

const sentence = ({ kind, written }: CommandToken, origin: WordOrigin): string =>
  `Uses the ${kind} ${written}, which came from ${originInWords(origin)}.`;

/** Records untrusted content that the call writes into files that may run later. It needs no approval yet. */
async function plantsIn(
  { writes = [], adds, command }: Touches,
  environment: Environment,
  { reach }: Assessment,
  history: History,
): Promise<Assessment | undefined> {
  const { files, text } =
    command === undefined
      ? { files: writes, text: adds ?? '' }
      : { files: await filesWrittenBy(command, environment, history), text: command };
  const { cutOff = neverCutOff } = environment;
  const paths = [
    ...new Set(
      files
        .map((file) => resolvePlace(literal(file), '.', workspaceFolders(environment)))
        .filter(({ where }) => where === 'inside')
        .map(({ path }) => path),
    ),
  ]
    .filter(mayRunLater)
    .slice(0, 20);
  if (paths.length === 0) return undefined;
  const words =
    meterOf(history).untrusted.length > 0
      ? cutOff(text, () => paths.flatMap((path) => plantedIn(path, text, history)))
      : [];
  // A command that downloads or copies untrusted content fills the whole file with it.
  const source = command === undefined ? undefined : reach?.untrusted?.find((name) => isOthers(name));
  const whole: Plant[] = source === undefined ? [] : paths.map((path) => ({ path, source, step: 0 }));
  const plants = [...whole, ...words];
  if (plants.length === 0) return undefined;
  const reasons = command === undefined ? [...new Set(words.map(writtenSentence))].slice(0, 5) : [];
  return { level: 'low', reasons, reach: { plants } };
}

/** Returns the files that a command writes, relative to the workspace folder. */
async function filesWrittenBy(command: string, environment: Environment, history: History): Promise<string[]> {
  const { examineCommand } = await import('../../shell/assessCommand');
  const { effects } = examineCommand(command, placeIn(environment, history));
  return effects.flatMap((effect) =>
    effect.kind === 'writes' && effect.place.where === 'inside' ? [effect.place.path] : [],
  );
}

function placeIn(environment: Environment, history: History): CommandContext {
  const { root, cutOff = neverCutOff } = environment;
  return { ...workspaceFolders(environment), folder: relativeTo(root, shellFolderIn(root, history)), cutOff };
}

const isOthers = (name: string): boolean => /^[~/]|\s|:\/\//.test(name) || trustOf(name) === 'others';

/** A command that may run untrusted content in a file is treated like one that contains its words. */
async function runsPlanted(
  command: string,
  environment: Environment,
  history: History,
): Promise<Assessment | undefined> {
  const planted = plantsOf(history);
  if (planted.size === 0 || !(await mayRunFiles(command, environment, history))) return undefined;
  const { scripts, cutOff = neverCutOff } = environment;
  const there: Plant[] = [];
  for (const [path, plants] of planted) {
    const text = (await scripts?.read(path))?.toLowerCase();
    // If the file cannot be read, its untrusted content is assumed to be still there.
    const isThere = ({ word }: Plant): boolean =>
      word === undefined || text === undefined || text.includes(word.toLowerCase());
    there.push(...cutOff(text ?? '', () => plants.filter(isThere)));
  }
  if (there.length === 0) return undefined;
  return {
    level: 'high',
    tainted: true,
    culprit: command,
    reasons: [...new Set(there.map(runSentence))].slice(0, 5),
    reach: { runsPlanted: [...new Set(there.map(({ path }) => path))] },
  };
}

async function mayRunFiles(command: string, environment: Environment, history: History): Promise<boolean> {
  const { examineCommand } = await import('../../shell/assessCommand');
  let runs = false;
  const started = ({ words: [program] }: StartedProgram): void => {
    runs ||= program !== undefined && mayRunWorkspace(program.text);
  };
  examineCommand(command, { ...placeIn(environment, history), started });
  return runs;
}

const writtenSentence = (plant: Plant): string =>
  `Writes ${plant.word} into ${plant.path}, which may run later. It came from ${originInWords(plant)}.`;

const runSentence = (plant: Plant): string =>
  plant.word === undefined
    ? `May run ${plant.path}, which came from ${plant.source} ${when(plant.step)}.`
    : `May run ${plant.path}, into which this session wrote ${plant.word}. That came from ${originInWords(plant)}.`;

function originInWords({ source, line, step }: Pick<Plant, 'source' | 'line' | 'step'>): string {
  const place = line === undefined ? source : `${source}, line ${line}`;
  return `${place}, ${step === 0 ? 'read before this session began' : `read in step ${step}`}`;
}
