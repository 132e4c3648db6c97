import { strict as assert } from 'node:assert';
import { analyse } from 'scslre';
import { attackText, attacksOn, type Attack } from './attacks';
import { foundRegexes, unusedSamples, type FoundRegex } from './foundRegexes';
import { cutOff, growsTooFast, leastCpu, leastTime } from './growth';

const root = process.env.REPOSITORY!;

/** Length of the first texts. Expensive ones are tried at four times the length. */
const shortLength = Number(process.env.LINEAR_LENGTH ?? 4000);

/** Patterns for texts with a maximum length: their cost at that length is the maximum cost. */
const bounded: Readonly<Record<string, number>> = {
  'src/core/risk/pathRules.ts': 4096,
  'src/core/skills/locations.ts': 4096,
};

/** Reported by the analysis, but linear for a reason that it cannot detect. The attacks are tried on these as well. */
const linearAllTheSame: Readonly<Record<string, string>> = {
  'src/core/skills/commandInputs.ts':
    'What a name or a quote does not begin is a word: a search begins behind the last.',
};

/** Runs a regular expression as the product would: over the whole text if it is global. */
function run({ source, flags }: FoundRegex, text: string): unknown {
  const regex = new RegExp(source, flags);
  return regex.global ? text.replace(regex, '') : regex.test(text);
}

/** Time for a short text that needs no closer look, in ms. */
const suspiciousMs = 0.5;
/** Maximum acceptable time for a short text. */
const hopelessMs = 2000;
/** Up to this length the growth is not checked as long as the cost stays small. */
const longest = Number(process.env.LINEAR_LONGEST ?? 500_000);

function isSlow(regex: FoundRegex, attack: Attack, measurableMs?: number): boolean {
  const work = (length: number): (() => unknown) => {
    const text = attackText(attack, length);
    return () => run(regex, text);
  };
  // 26 repetitions reveal exponential time.
  const few = work(attack.pump.length * 26);
  if (leastTime(few) > hopelessMs / 20 && leastCpu(few) > hopelessMs / 20) return true;
  const most = bounded[regex.place.replace(/:\d+$/, '')];
  if (most !== undefined) return leastTime(work(most)) > hopelessMs / 20 && leastCpu(work(most)) > hopelessMs / 20;
  const time = leastTime(work(shortLength), 1);
  if (time < suspiciousMs || leastTime(work(shortLength)) < suspiciousMs) return false;
  return (
    (time > hopelessMs && leastCpu(work(shortLength)) > hopelessMs) ||
    growsTooFast(work, shortLength, longest, measurableMs)
  );
}

/**
 * Describes the text that a regular expression is slow on, or returns undefined if there is none. `measurableMs` as in
 * `growsTooFast`.
 */
function slowOn(regex: FoundRegex, measurableMs?: number): string | undefined {
  const attacks = attacksOn(regex.source, regex.flags);
  let tried: Attack | undefined;
  const found = cutOff(() =>
    attacks.some((attack) => {
      tried = attack;
      return isSlow(regex, attack, measurableMs);
    }),
  );
  return found === false ? undefined : JSON.stringify(tried);
}

describe('regular expressions', function () {
  this.timeout(0);

  it('are found in the source, and every sample is used', () => {
    assert.ok(foundRegexes(root).length > 1500, 'too few were found to believe it');
    assert.deepEqual(unusedSamples(root), []);
  });

  it('are readable: long ones are written as lists', () => {
    const readable = 140;
    const long = foundRegexes(root).filter(({ source, isLiteral }) => isLiteral && source.length > readable);
    assert.deepEqual(
      long.map(({ place }) => place),
      [],
      'write these with src/core/text/alternatives.ts',
    );
  });

  it('are recognized as slow if they are', () => {
    for (const source of ['\\/+$', '^(a+)+$', '"(?:[^"\\\\]|\\\\.)*"', '<li\\b[^>]*>', '\\s*\\n\\s*x']) {
      const known = { source, flags: '', place: 'this test', isLiteral: true };
      // Other work on the machine can hide how the time grows.
      const isSeen = Array.from({ length: 5 }).some(() => slowOn(known, 20) !== undefined);
      assert.ok(isSeen, `nobody sees that /${source}/ is slow`);
    }
  });

  it('are linear according to a grammar analysis', () => {
    const causes = { Trade: true, Self: true, Move: true };
    const reported = foundRegexes(root).flatMap(({ source, flags, place }) =>
      analyse({ source, flags }, { reportTypes: causes, assumeRejectingSuffix: false }).reports.map(
        ({ type, character }) => `${place} /${source}/${flags} ${type} on ${JSON.stringify(character.pick)}`,
      ),
    );
    const isExplained = (report: string, file: string): boolean => report.startsWith(`${file}:`);
    const explained = Object.keys(linearAllTheSame);
    const unexplained = reported.filter((report) => !explained.some((file) => isExplained(report, file)));
    assert.deepEqual(unexplained, []);
    const outdated = explained.filter((file) => !reported.some((report) => isExplained(report, file)));
    assert.deepEqual(outdated, [], 'nothing of these is reported any more');
  });

  it('take linear time', () => {
    const slow: string[] = [];
    const seen = new Set<string>();
    for (const regex of foundRegexes(root)) {
      const key = `/${regex.source}/${regex.flags}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const attack = slowOn(regex);
      if (attack !== undefined) slow.push(`${regex.place} ${key} on ${attack}`);
    }
    assert.deepEqual(slow, []);
  });
});
