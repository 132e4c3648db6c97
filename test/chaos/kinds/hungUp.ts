import type { IPty } from 'node-pty';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import type { FaultKind } from '../kinds';
import { leftBehind, lostEvents, unreadable } from '../laws';
import type { Place, Shown, StartOptions } from '../place';
import { processesOf, processesThatStay } from '../processes';
import { brokenAfterRestart } from './killed';

const patienceMs = 120_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function openPty(...given: Parameters<(typeof import('node-pty'))['spawn']>): IPty {
  const load = createRequire(path.join(process.env['REPOSITORY']!, 'package.json'));
  return (load('node-pty') as typeof import('node-pty')).spawn(...given);
}

/** A terminal in which a person's shell runs Waymark. */
class Terminal {
  readonly lines: string[] = [];
  pieces = 0;
  private unended = '';
  private readonly pty: IPty;
  /** A second shell, which outlives the first and Waymark, writes the exit code there. */
  private readonly codeFile: string;

  constructor(
    private readonly place: Place,
    given: StartOptions,
  ) {
    const { words, environment } = place.commandOf(given);
    this.codeFile = path.join(this.place.root, 'code');
    this.pty = openPty('bash', ['--noprofile', '--norc', '-i'], {
      cwd: place.workspace,
      env: { ...environment, TERM: 'dumb', HISTFILE: '' } as Record<string, string>,
      cols: 200,
      rows: 50,
    });
    this.pty.onData((text) => this.take(text));
    const line = `trap ':' HUP; "$@"; echo $? > ${quoted(this.codeFile)}`;
    this.pty.write(`${['bash', '-c', line, 'bash', ...words].map(quoted).join(' ')}\r`);
  }

  get hasEnded(): boolean {
    return fs.existsSync(this.codeFile) && fs.readFileSync(this.codeFile, 'utf8').endsWith('\n');
  }

  private take(text: string): void {
    this.pieces++;
    const parts = (this.unended + text).split('\n');
    this.unended = parts.pop()!;
    // eslint-disable-next-line no-control-regex
    this.lines.push(...parts.map((line) => line.replace(/\u001b\[[\d;?]*[a-zA-Z]|\r/g, '')));
  }

  /** Closes the side of the terminal that a window holds. */
  hangUp(): void {
    (this.pty as unknown as { _socket: { destroy(): void } })._socket.destroy();
  }

  async exitCode(): Promise<number> {
    const deadline = Date.now() + patienceMs;
    while (!this.hasEnded) {
      if (Date.now() > deadline) {
        const alive = processesOf(this.place.root).map(({ pid, command }) => `${pid} ${command}`);
        throw new Error(`the run did not end after the terminal was closed: ${alive.join('; ')}`);
      }
      await pause(10);
    }
    return Number(fs.readFileSync(this.codeFile, 'utf8'));
  }
}

/** Waits for a random moment: of the start, of the trial of the sandbox, or of the work. */
async function randomMoment(place: Place, terminal: Terminal): Promise<string> {
  const { chance } = place;
  const moment = chance.oneOf(['start', 'trial', 'trial', 'work'] as const);
  const later = chance.below(moment === 'start' ? 1500 : 25);
  const pieces = 2 + chance.below(16);
  const isInTrial = (): boolean =>
    processesOf(place.root).some(({ command }) => /^\S*bwrap\b/.test(command) && command.includes('--proc'));
  const isThere = { start: () => true, trial: isInTrial, work: () => terminal.pieces >= pieces };
  while (!terminal.hasEnded && !isThere[moment]()) await pause(1);
  await pause(later);
  return moment;
}

/** In order, at its end by a signal that came late, or before it had begun to listen. */
const mayEndWith: readonly number[] = [0, 130, 129];

export const hungUp: FaultKind = {
  name: 'hang-up',
  what: 'the terminal is closed at a random moment, often while the sandbox is tried out; then another start',
  missing: () => (process.platform === 'linux' ? undefined : 'processes are found by /proc'),
  async try(place) {
    const options = ['--sandbox', place.chance.happens(0.85) ? 'auto' : 'off'];
    const given = { options, json: false };
    const terminal = new Terminal(place, given);
    const moment = await randomMoment(place, terminal);
    terminal.hangUp();
    const code = await terminal.exitCode();
    const stay = await processesThatStay(place.root);
    const run: Shown = { json: false, lines: terminal.lines, stderr: () => '' };
    if (process.env['CHAOS_TELL']) console.log(`${place.seed} ${moment}: exit code ${code}`);
    const inOrder = code === 130 || code === 0;
    const broken = [
      ...stay.map(({ pid, command }) => `still at work: ${pid} ${command}`),
      ...(mayEndWith.includes(code) ? [] : [`it ended with ${code}: ${terminal.lines.slice(-10).join('\n')}`]),
      ...(inOrder ? [...lostEvents(run, place.log), ...unreadable(place.log), ...leftBehind(place)] : []),
    ];
    place.runs.push(run);
    const after = await brokenAfterRestart(place, { options });
    return { hit: code !== 0, broken: [...broken, ...after].map((words) => `${moment}, exit ${code}: ${words}`) };
  },
};
