import { strict as assert } from 'node:assert';
import { seededRandom } from '../../../../src/core/model/sampling/seededRandom';
import { formatOf, formats, writtenFormats } from '../../../../src/core/trajectory/formats/formats';
import { writeAtOnce, type TrajectoryFile } from '../../../../src/core/trajectory/format';
import { Event } from '../../../../src/protocol/events/event';
import { randomRun } from '../randomRun';

const context = { version: '1.2.3', session: 'session' };
const rounds = Number(process.env['TRAJECTORY_RUNS'] ?? 60);

/** Values that no field expects. */
const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  'x',
  [],
  [null],
  {},
  { role: 'user' },
  [[[]]],
  '\ud800',
  { __proto__: null, toString: 1 },
  'constructor',
  '__proto__',
];

function damaged(files: readonly TrajectoryFile[], random: () => number): TrajectoryFile[] {
  const one = (count: number): number => Math.floor(random() * count);
  const copy = files.map((file) => ({ ...file }));
  const victim = copy[one(copy.length)]!;
  const kind = one(6);
  if (kind === 0) victim.text = victim.text.slice(0, one(victim.text.length));
  else if (kind === 1)
    for (let more = 0; more < 3; more++)
      victim.text =
        victim.text.slice(0, one(victim.text.length)) +
        String.fromCharCode(one(300)) +
        victim.text.slice(one(victim.text.length));
  else if (kind === 2)
    victim.text = victim.text
      .split('\n')
      .filter(() => random() >= 0.2)
      .flatMap((line) => (random() < 0.2 ? [line, line] : [line]))
      .join('\n');
  else if (kind === 3 && copy.length > 1) copy.splice(copy.indexOf(victim), 1);
  else
    victim.text = victim.text
      .trimEnd()
      .split(victim.path.endsWith('.jsonl') ? '\n' : '\0')
      .map((line) => JSON.stringify(changed(JSON.parse(line), random)) ?? '')
      .join('\n');
  return copy;
}

/** Returns a value in which some places are replaced or removed. */
function changed(value: unknown, random: () => number): unknown {
  if (random() < 0.03) return strange[Math.floor(random() * strange.length)];
  if (Array.isArray(value)) return value.filter(() => random() > 0.02).map((item) => changed(item, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => random() > 0.02)
      .map(([key, item]) => [random() < 0.01 ? `${key}_` : key, changed(item, random)]),
  );
}

describe('a trajectory that is cut off', () => {
  for (const format of writtenFormats.filter(
    ({ reader, name }) => reader && name !== 'waymark' && name !== 'openhands',
  )) {
    it(`in ${format.name} is known, opens with every turn before the cut, and says where that is`, async () => {
      for (let seed = 0; seed < 6; seed++) {
        const [file] = writeAtOnce(format, await randomRun(seed), context);
        const { events: all } = format.reader!.read([file!]);
        let most = 0;
        for (let share = 1; share < 40; share++) {
          const cut = {
            path: 'run.json',
            text: file!.text.slice(0, Math.floor((file!.text.trimEnd().length * share) / 40)),
          };
          const { events, problems } = format.reader!.read([cut]);
          assert.notDeepEqual(problems, [], `seed ${seed}, ${share}/40`);
          // A truncated id may point to nothing.
          assert.ok(
            events.length >= most - 1 || events.length >= all.length - 2,
            `seed ${seed}, ${share}/40: ${events.length} events after ${most}`,
          );
          most = Math.max(most, events.filter(({ type }) => type !== 'finished').length);
          if (events.length > 2) assert.equal(formatOf([cut])?.name, format.name, `seed ${seed}, ${share}/40`);
        }
        assert.ok(
          most >= all.filter(({ type }) => type !== 'finished').length - 2,
          `seed ${seed}: ${most} of ${all.length}`,
        );
      }
    });
  }
});

describe('a damaged trajectory', () => {
  for (const format of writtenFormats.filter(({ reader }) => reader)) {
    it(`in ${format.name} is read as far as it can be: nothing throws, what is read fits, and can be written in every format`, async () => {
      let whole = 0;
      for (let seed = 0; seed < rounds; seed++) {
        const random = seededRandom(seed);
        const files = damaged(writeAtOnce(format, await randomRun(seed % 15), context), random);
        const { events, problems } = format.reader!.read(files);
        for (const event of events) assert.ok(Event.safeParse(event).success, `seed ${seed}: ${JSON.stringify(event)}`);
        assert.deepEqual(
          events.map(({ seq }) => seq),
          events.map((_, index) => index),
        );
        for (const { where, words } of problems)
          assert.ok(typeof where === 'string' && /[.:]|fit/.test(words), `seed ${seed}: ${where} ${words}`);
        for (const other of writtenFormats) writeAtOnce(other, events, context);
        for (const { reader } of formats) reader?.read(files);
        if (problems.length === 0 && events.length > 0) whole++;
      }
      assert.ok(whole < rounds, 'no damage was ever found');
    });
  }
});
