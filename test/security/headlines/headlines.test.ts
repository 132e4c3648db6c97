import assert from 'node:assert/strict';
import fc from 'fast-check';
import fs from 'node:fs';
import path from 'node:path';
import { asksAlways, confirmationPolicies } from '../../../src/core/risk/confirmation';
import type { Assessment } from '../../../src/protocol/events/event';
import { manyLanguages, manyWalks, smallProject, thisRepository, worldOf, type World } from './world';

/*
 * Judges the words on approval cards by tables that were written apart from the analyser: what a true headline of a
 * command is, which part of the command it is about, what no reason may say, and what is asked about at all.
 *   HEADLINES_SHOW=1 node scripts/unit.mjs security/headlines    prints every row that does not hold, and the shares
 */

/** Maximum failure rate of each kind. */
const bars = {
  headline: 0.01,
  part: 0.01,
  never: 0.01,
  weight: 0.01,
  everydayAsked: 0.03,
  /** Rate for commands that were written after the analyser was fixed: 7.9 % at first measurement. */
  unseenAsked: 0.03,
  /** First measurement: 26.9 % of the first walks asked, 22.6 % of the second ones and 9.6 % of the third ones. */
  walksAsked: 0.03,
  taskPrompts: 2,
  missed: 0.005,
  calledLow: 0,
  compositions: 0.01,
};

interface Headline {
  readonly command: string;
  /** The most dangerous part, exactly as written in the command. */
  readonly part: string;
  /** Other correct highlights: the object that makes it dangerous, such as the file that is read. */
  readonly or?: readonly string[];
  /** Text of a correct headline. */
  readonly says: string;
  /** Text that no reason on the card may contain, because it is false or contradicts the headline. */
  readonly never?: string;
  readonly weight?: 'danger' | 'caution';
  readonly shell?: string;
}
interface Everyday {
  readonly command: string;
  readonly ask: boolean;
  readonly why?: string;
}

const repository = process.env.REPOSITORY!;
function rows<Row>(name: string): Row[] {
  const text = fs.readFileSync(path.join(repository, 'test/security/headlines', name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
const headlines = rows<Headline>('headlines.jsonl');
const everyday = rows<Everyday>('everyday.jsonl');
const unseen = rows<{ command: string }>('unseen.jsonl');
/**
 * Everyday commands of thirteen kinds of work. `isCode`: the command contains a program, which needs approval if there
 * is no sandbox.
 */
interface Walked {
  readonly command: string;
  readonly shell?: string;
  readonly ask?: true;
  readonly why?: string;
  readonly isCode?: true;
}
const walks = ['walks.jsonl', 'walks2.jsonl', 'walks3.jsonl'].map((name) => ({ name, commands: rows<Walked>(name) }));
const walksDangerous = rows<Walked>('walksDangerous.jsonl');
const task = rows<{ command: string }>('task.jsonl');

const asks = (assessment: Assessment): boolean =>
  confirmationPolicies.risky(assessment) === 'ask' || asksAlways(assessment);
/** A line in the list of failed rows. */
const told = (command: string, { level, reasons }: Assessment): string =>
  `${shown(command)} → ${level}: ${JSON.stringify(reasons)}`;
const fits = (pattern: string, text: string): boolean => new RegExp(pattern, 'i').test(text);
const weightOf = ({ weight, level }: Assessment): string => weight ?? (level === 'high' ? 'danger' : 'caution');

/**
 * True if the highlighted part occurs in the command as written and contains the dangerous part. It covers at most its
 * own simple command: highlighting a whole line of several commands highlights nothing.
 */
function isHighlighted({ command, part, or = [] }: Headline, culprit: string | undefined): boolean {
  if (culprit === undefined || !command.includes(culprit)) return false;
  if (culprit === part || or.includes(culprit)) return true;
  const hasOtherCommands = separator.test(command.replace(part, ''));
  return culprit.includes(part) && !(hasOtherCommands && separator.test(culprit.replace(part, '')));
}

const separator = /&&|\|\||;\s|\n/;

/** Fails if more rows are wrong than the limit allows, and names them. */
function hold(what: string, wrong: readonly string[], all: number, bar: number): void {
  const share = wrong.length / all;
  const measured = `${what}: ${wrong.length} of ${all} (${(share * 100).toFixed(1)} %)`;
  if (process.env.HEADLINES_SHOW) console.log([measured, ...wrong].join('\n    '));
  assert.ok(share <= bar, [`${measured}, at most ${(bar * 100).toFixed(1)} %`, ...wrong].join('\n'));
}

const shown = (command: string): string => JSON.stringify(command).slice(1, -1);

describe('the text of an approval card', function () {
  this.timeout(600_000);
  let world: World;
  const judged = new Map<Headline, Assessment>();
  before(async () => {
    world = await worldOf(smallProject);
    for (const row of headlines) judged.set(row, await world.judge(row.command, row.shell ? { shell: row.shell } : {}));
  });
  after(() => world.stop());

  /** `isWrong` returns what is wrong with a row, or false. */
  function wrongOnes(isWrong: (row: Headline, assessment: Assessment) => string | false): string[] {
    return [...judged].flatMap(([row, assessment]) => {
      const found = isWrong(row, assessment);
      const shell = row.shell ? `(${row.shell}) ` : '';
      return found === false ? [] : [`${shell}${shown(row.command)} → ${found}`];
    });
  }

  it('starts with a true headline about the greatest danger', () => {
    const wrong = wrongOnes(
      ({ says }, { reasons }) => !fits(says, reasons[0] ?? '') && JSON.stringify(reasons.slice(0, 2)),
    );
    hold('headline is not true', wrong, headlines.length, bars.headline);
  });

  it('is about the highlighted part', () => {
    const wrong = wrongOnes(
      (row, { culprit }) =>
        !isHighlighted(row, culprit) && `highlights ${JSON.stringify(culprit)}, not ${JSON.stringify(row.part)}`,
    );
    hold('another part is highlighted', wrong, headlines.length, bars.part);
  });

  it('never says anything false about the command', () => {
    const wrong = wrongOnes(({ never }, { reasons }) => {
      const lie = never === undefined ? undefined : reasons.find((reason) => fits(never, reason));
      return lie !== undefined && JSON.stringify(lie);
    });
    hold('a reason is false', wrong, headlines.filter(({ never }) => never !== undefined).length, bars.never);
  });

  it('starts each reason with a verb, after the name of a script', () => {
    const verb = /^(?:[^:]+: )?(?!This |Its |Scripts )(?:May|Can|Has|Is|[A-Z][a-z]+s)[ ,]/;
    const wrong = wrongOnes((_, { reasons, grounds = [] }) => {
      const found = [...reasons, ...grounds].find((reason) => !verb.test(reason));
      return found !== undefined && JSON.stringify(found);
    });
    assert.deepEqual(wrong, []);
  });

  it('is as alarming as the command is harmful', () => {
    const wrong = wrongOnes(
      ({ weight }, assessment) =>
        weight !== undefined && weight !== weightOf(assessment) && `${weightOf(assessment)}, not ${weight}`,
    );
    hold('weight is wrong', wrong, headlines.filter(({ weight }) => weight !== undefined).length, bars.weight);
  });
});

describe('everyday commands', function () {
  this.timeout(600_000);
  let world: World;
  before(async () => {
    world = await worldOf(manyLanguages);
  });
  after(() => world.stop());

  const harmless = everyday.filter(({ ask }) => !ask);
  const sets = [
    ['everyday commands', harmless, bars.everydayAsked],
    ['more everyday commands', unseen, bars.unseenAsked],
  ] as const;
  for (const [where, confined] of [
    ['without a sandbox', false],
    ['in the sandbox', true],
  ] as const) {
    for (const [what, commands, bar] of sets) {
      it(`${where} are rarely asked about: ${what}`, async () => {
        const wrong: string[] = [];
        for (const { command } of commands) {
          const assessment = await world.judge(command, { confined });
          if (asks(assessment)) wrong.push(told(command, assessment));
        }
        hold(`${what} ${where} that ask`, wrong, commands.length, bar);
      });
    }
  }

  it('that do harm are asked about', async () => {
    const harmful = everyday.filter(({ ask }) => ask);
    const [missed, low]: [string[], string[]] = [[], []];
    for (const { command, why } of harmful) {
      const assessment = await world.judge(command);
      if (asks(assessment)) continue;
      missed.push(`${why}: ${told(command, assessment)}`);
      if (assessment.level === 'low') low.push(shown(command));
    }
    hold('commands that run unasked and should not', missed, harmful.length, bars.missed);
    hold('of these called low', low, harmful.length, bars.calledLow);
  });
});

describe('commands of many kinds of work', function () {
  this.timeout(600_000);
  let world: World;
  before(async () => {
    world = await worldOf(manyWalks);
  });
  after(() => world.stop());
  const shellOf = ({ shell }: Walked): { shell?: string } => (shell === undefined ? {} : { shell });

  for (const [where, confined] of [
    ['without a sandbox', false],
    ['in the sandbox', true],
  ] as const) {
    for (const { name, commands } of walks) {
      it(`${where} are rarely asked about: ${name}`, async () => {
        const harmless = commands.filter(({ ask, isCode }) => !ask && (confined || !isCode));
        const wrong: string[] = [];
        for (const row of harmless) {
          const assessment = await world.judge(row.command, { confined, ...shellOf(row) });
          if (asks(assessment)) wrong.push(told(row.command, assessment));
        }
        hold(`${name} ${where} that ask`, wrong, harmless.length, bars.walksAsked);
      });
    }
  }

  it('that look like these and do harm are asked about', async () => {
    const [missed, low]: [string[], string[]] = [[], []];
    for (const row of walksDangerous) {
      const assessment = await world.judge(row.command, shellOf(row));
      if (asks(assessment)) continue;
      missed.push(told(row.command, assessment));
      if (assessment.level === 'low') low.push(shown(row.command));
    }
    hold('commands that run unasked and should not', missed, walksDangerous.length, bars.missed);
    hold('of these called low', low, walksDangerous.length, bars.calledLow);
  });
});

describe('a task of forty commands in this repository', function () {
  this.timeout(600_000);
  let world: World;
  before(async () => {
    world = await worldOf(thisRepository(repository));
  });
  after(() => world.stop());

  for (const [where, confined] of [
    ['without a sandbox', false],
    ['in the sandbox', true],
  ] as const) {
    it(`${where} asks at most twice`, async () => {
      const asked: string[] = [];
      for (const { command } of task) {
        const assessment = await world.judge(command, { confined });
        if (asks(assessment)) asked.push(told(command, assessment));
      }
      hold(`prompts of the task ${where}`, asked, task.length, bars.taskPrompts / task.length);
    });
  }
});

/** Pairs that contradict each other on one card. */
const exclusions: readonly (readonly [RegExp, RegExp])[] = [
  [/(does|do|is|are) not declare|not declared|undeclared/i, /already declare|the project declares/i],
  [/throws? .*away|discard|cannot be undone|for good|unsaved|uncommitted/i, /git can undo|can be undone|can undo/i],
  [/deletes? files that no build creates|cannot be made again/i, /files that a build makes|(?<!not )build output/i],
  [/unknown option (--?force|-f)\b/i, /force|overwrites? (the )?(remote )?histor/i],
  [/no network|without a network/i, /(over|from|to) the network|sends|uploads/i],
  [/only (reads|looks)|changes nothing/i, /deletes|overwrites|changes (files|the repository)|throws/i],
  [/\bperl\b/i, /\bpython\b/i],
  [/replaces the shell/i, /installs|deletes|sends/i],
  [/more arguments than it takes/i, /installs|adds a package|publishes/i],
];

const contradictionIn = ({ reasons }: Assessment): string | undefined => {
  for (const [one, other] of exclusions) {
    const first = reasons.find((reason) => one.test(reason));
    const second = reasons.find((reason) => reason !== first && other.test(reason));
    if (first !== undefined && second !== undefined) return `${JSON.stringify(first)} beside ${JSON.stringify(second)}`;
  }
  return undefined;
};

describe('lines with several commands', function () {
  this.timeout(600_000);
  /** A fixed seed, so that a failure can be reproduced. Set another seed for other lines. */
  const seed = Number(process.env.HEADLINES_SEED ?? 12);
  const numRuns = Number(process.env.HEADLINES_RUNS ?? 600);
  // Other shells join commands differently. A heredoc, a comment and a background command end their line.
  const joinable = (command: string): boolean => !/\n|&$|^#|:\(\)/.test(command);
  interface Row {
    readonly command: string;
    readonly headline?: Headline;
  }
  const plain: readonly Row[] = everyday
    .filter(({ ask, command }) => !ask && joinable(command))
    .map(({ command }) => ({ command }));
  const dangerous: readonly Row[] = headlines
    .filter(({ shell, command }) => shell === undefined && joinable(command))
    .map((headline) => ({ command: headline.command, headline }));
  const row = fc.oneof(fc.constantFrom(...plain), fc.constantFrom(...dangerous));
  const join = fc.constantFrom(' && ', '; ', ' | ');
  const line = fc.record({
    rows: fc.array(row, { minLength: 2, maxLength: 4 }),
    joins: fc.array(join, { minLength: 3, maxLength: 3 }),
  });
  const lines = fc.sample(line, { seed, numRuns });
  let world: World;
  before(async () => {
    world = await worldOf(manyLanguages);
  });
  after(() => world.stop());

  it('never show two contradictory reasons, and highlight the subject of the headline', async () => {
    const wrong: string[] = [];
    for (const { rows: parts, joins } of lines) {
      const command = parts.map((part, at) => (at === 0 ? part.command : `${joins[at - 1]}${part.command}`)).join('');
      const assessment = await world.judge(command);
      const found = contradictionIn(assessment) ?? wrongPart(parts, command, assessment);
      if (found !== undefined) wrong.push(`${shown(command)} → ${found}`);
    }
    hold('lines with a contradiction or another part highlighted', wrong, lines.length, bars.compositions);
  });

  /**
   * Returns what is wrong with the highlighted part: it belongs to a harmless command, or is not what the headline is
   * about.
   */
  function wrongPart(parts: readonly Row[], command: string, assessment: Assessment): string | undefined {
    const {
      culprit,
      reasons: [headline = ''],
    } = assessment;
    if (!asks(assessment) || parts.every((part) => part.headline === undefined)) return undefined;
    if (culprit === undefined || !command.includes(culprit)) return `highlights ${JSON.stringify(culprit)}`;
    const owners = parts.filter((part) => part.command.includes(culprit));
    const holdsOne = parts.some((part) => culprit.includes(part.command));
    const isPipe = owners.length === 0 && culprit.includes('|') && holdsOne;
    if (isPipe) return undefined;
    if (owners.length === 0) return `highlights more than one command: ${JSON.stringify(culprit)}`;
    const dangers = owners.flatMap((owner) => owner.headline ?? []);
    const highlighted = JSON.stringify(culprit);
    if (dangers.length === 0) return `highlights a harmless command: ${highlighted}`;
    const isLesser = dangers.every(({ weight }) => weight === 'caution');
    const hasDanger = parts.some((part) => part.headline?.weight === 'danger');
    if (isLesser && hasDanger) return `highlights the lesser: ${highlighted}`;
    const isTrue = dangers.some(({ says }) => fits(says, headline));
    return isTrue ? undefined : `says ${JSON.stringify(headline)} of ${highlighted}`;
  }
});
