import type { IPty } from 'node-pty';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { onPath } from '../../../src/adapters/processes/onPath';
import type { FaultKind } from '../kinds';
import { leftBehind, lostEvents, unreadable } from '../laws';
import type { Place, Shown, StartOptions } from '../place';
import { processesOf, processesThatStay } from '../processes';
import { brokenAfterRestart } from './killed';
import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 120_000;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function openPty(...given: Parameters<(typeof import('node-pty'))['spawn']>): IPty {
  const load = createRequire(path.join(process.env['REPOSITORY']!, 'package.json'));
  return (load('node-pty') as typeof import('node-pty')).spawn(...given);
}

/** A terminal with the user's shell, in which Waymark runs. */
class Terminal {
  readonly lines: string[] = [];
  pieces = 0;
  private unended = '';
  private readonly pty: IPty;
  /** The exit code is written there by a second shell, which outlives the first one and Waymark. */
  private readonly codeFile: string;

  constructor(
    private readonly place: Place,
    given: StartOptions,
    searched: string,
  ) {
    const { words, environment } = place.commandOf(given);
    this.codeFile = path.join(this.place.root, 'code');
    this.pty = openPty('bash', ['--noprofile', '--norc', '-i'], {
      cwd: place.workspace,
      env: { ...environment, PATH: searched, TERM: 'dumb', HISTFILE: '' } as Record<string, string>,
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
    this.lines.push(...parts.map((line) => line.replace(/\u001b\[[\d;?]*[a-zA-Z]|\r/g, '')));
  }

  /** Closes the window's side of the terminal. */
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

/** When the terminal is closed: while Waymark starts, tries the sandbox, or works. */
const moments = ['start', 'trial', 'slow trial', 'work'] as const;
type Moment = (typeof moments)[number];

/** Waits for a random time within the moment. */
async function waitFor(moment: Moment, place: Place, terminal: Terminal): Promise<void> {
  const { chance } = place;
  const longest = { start: 1500, trial: 25, 'slow trial': 800, work: 25 };
  const later = chance.below(longest[moment]);
  const pieces = 2 + chance.below(16);
  const isInTrial = (): boolean => processesOf(place.root).some(({ command }) => /\bbwrap --/.test(command));
  const isThere = {
    start: () => true,
    trial: isInTrial,
    'slow trial': isInTrial,
    work: () => terminal.pieces >= pieces,
  };
  while (!terminal.hasEnded && !isThere[moment]()) await pause(1);
  await pause(later);
}

/** Puts a bubblewrap that starts one second late and ignores SIGHUP into the first folder of a PATH. */
function slowBubblewrap({ root }: Place): string | undefined {
  const [real] = onPath('bwrap', []);
  if (real === undefined) return undefined;
  const folder = path.join(root, 'programs');
  fs.mkdirSync(folder);
  const script = `#!/bin/sh\ntrap '' HUP\nsleep 1\nexec ${quoted(real)} "$@"\n`;
  fs.writeFileSync(path.join(folder, 'bwrap'), script, { mode: 0o755 });
  return `${folder}:${process.env['PATH']}`;
}

/** Exit codes: clean exit, stopped by a late signal, or killed by SIGHUP before its handler was installed. */
const mayEndWith: readonly number[] = [0, 130, 129];

export const hungUp: FaultKind = {
  name: 'hang-up',
  what: 'the terminal is closed at a random moment, often while the sandbox is tried out; then another start',
  missing: () => (process.platform === 'linux' ? undefined : 'processes are found by /proc'),
  async try(place) {
    const moment = place.chance.oneOf(moments);
    const isTrial = moment === 'trial' || moment === 'slow trial';
    const options = ['--sandbox', isTrial || place.chance.happens(0.7) ? 'auto' : 'off'];
    const searched = moment === 'slow trial' ? slowBubblewrap(place) : undefined;
    const terminal = new Terminal(place, { options, json: false }, searched ?? process.env['PATH']!);
    await waitFor(moment, place, terminal);
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
