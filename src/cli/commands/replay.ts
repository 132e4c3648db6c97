import fs from 'node:fs';
import path from 'node:path';
import { replayPlace } from '../../adapters/sessions/replayPlace';
import type { SandboxSetting } from '../../adapters/sandbox/sandbox';
import { surroundingsOf } from '../../adapters/sessions/surroundings';
import { secrets } from '../../core/secrets/secrets';
import { replayRun, type ReplayParts } from '../../core/trajectory/replay/replay';
import { replayCounts, replayLines } from '../../core/trajectory/replay/replayLines';
import { Questions } from '../consent/ask';
import { openRun } from './openRun';
import { stderr, stdout, stopsWhenUnread } from '../output/output';
import { riskLines } from '../output/riskLines';
import type { ExitCode } from '../output/exitCodes';
import { escapeForTerminal } from '../output/escapeForTerminal';
import { printMaskedToStderr } from '../output/masked';
import { commandOf } from '../../core/log/eventFacts';

/** Flags of `waymark replay`. `cwd` is copied unless `inPlace` is set. */
export interface ReplayOptions {
  readonly cwd: string;
  readonly inPlace?: boolean;
  readonly keep?: boolean;
  /** Use the current state of the folder, instead of restoring its state at the start of the run. */
  readonly asItIs?: boolean;
  readonly commit?: string;
  readonly sandbox?: SandboxSetting;
  readonly json?: boolean;
  /** Number of the run in a file with several runs, from 1. */
  readonly run?: number;
}

/**
 * Repeats the actions of a run in a copy of a folder. Resolves to the exit code: 0 same results, 1 different ones, 2
 * nothing to compare, 3 same results except for actions that need consent, 130 stopped.
 */
export async function replay(
  named: string,
  {
    cwd,
    inPlace = false,
    keep = false,
    asItIs = false,
    commit,
    sandbox = 'auto',
    json = false,
    run = 1,
  }: ReplayOptions,
): Promise<ExitCode<'replay'>> {
  const source = path.resolve(cwd);
  if (!fs.statSync(source, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(
      `${source} is not a folder. With --cwd, name the folder to replay in, in its state when the run began.`,
    );
  if (commit !== undefined && (inPlace || asItIs))
    throw new Error('Only a copy can be reset to a commit. Remove --commit, or --in-place and --as-it-is.');
  const { events, problems, vouched, place: file } = await openRun(named, run - 1);
  const say = (words: string): void => {
    if (!json) printMaskedToStderr(words);
  };
  for (const { where, words } of problems) say(`${where}: ${words}`);
  const stop = new AbortController();
  const stopped = (): void => stop.abort();
  process.once('SIGINT', stopped).once('SIGTERM', stopped).on('SIGHUP', stopped);
  stopsWhenUnread(stopped);
  const place = await replayPlace(source, events, { inPlace, asItIs, commit, sandbox, onNotice: say });
  try {
    for (const words of place.notes) say(words);
    const { environment, start } = place;
    const actions = await replayRun(events, {
      environment,
      vouched,
      source: fs.realpathSync(source),
      surroundings: surroundingsOf({ root: environment.root }),
      signal: stop.signal,
      child: place.childrenOf(file),
      consent: json || !process.stdin.isTTY || !process.stderr.isTTY ? async () => false : askForConsent(stop.signal),
    });
    const counts = replayCounts(actions);
    const text = json
      ? JSON.stringify({ same: exitCodeOf(counts) === 0, counts, start, actions })
      : replayLines(actions, start).map(escapeForTerminal).join('\n');
    stdout.write(`${secrets.mask(text)}\n`);
    if (keep && !inPlace) say(`The copy is kept: ${environment.root}`);
    return stop.signal.aborted ? 130 : exitCodeOf(counts);
  } finally {
    await place.dispose(keep);
    process.removeListener('SIGINT', stopped).removeListener('SIGTERM', stopped);
  }
}

function exitCodeOf({ same, differs, refused }: ReturnType<typeof replayCounts>): 0 | 1 | 2 | 3 {
  if (differs > 0) return 1;
  if (refused > 0) return 3;
  return same > 0 ? 0 : 2;
}

/** Only a typed "y" counts as consent. */
function askForConsent(signal: AbortSignal): ReplayParts['consent'] {
  const questions = new Questions();
  return async (action, risk) => {
    const input = commandOf(action) ?? JSON.stringify(action.input, null, 2);
    stderr.write(
      `\n${escapeForTerminal(action.summary)}\n${escapeForTerminal(input).replace(/^/gm, '  ')}\n${riskLines(risk).join('\n')}\n`,
    );
    return questions.agrees('Repeat it?', signal);
  };
}
