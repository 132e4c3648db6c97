import { strict as assert } from 'node:assert';
import { slowWorkCutOff } from '../../../src/adapters/processes/cutOff';
import { TookTooLong } from '../../../src/core/ports/cutOff';
import { projection } from '../../../src/core/log/projection';
import { analyzers, assessWith } from '../../../src/core/security/analyzers';
import type { RiskAnalyzer } from '../../../src/core/ports/analyzer';
import { asksAlways } from '../../../src/core/risk/confirmation';
import { assessCommand } from '../../../src/core/shell/assessCommand';
import { writeFile } from '../../../src/core/tools/native/writeFile';
import type { Event } from '../../../src/protocol/events/event';

const longText = 'a'.repeat(1000);

/** Never comes to an end. */
function endless(): never {
  for (;;);
}

/** A regular expression that tries more ways than anybody can count. */
const endlessRegex = (): boolean => /^(?:(?:a+)+)+$/.test(`${'a'.repeat(60)}!`);

describe('work on a text that others wrote', () => {
  it('is stopped where it takes too long, also inside of a regular expression', () => {
    for (const work of [endless, endlessRegex]) {
      assert.throws(() => slowWorkCutOff(100)(longText, work), TookTooLong);
    }
  });

  it('is refused at once where the same text took too long before, and other texts are not', () => {
    const cutOff = slowWorkCutOff(100);
    assert.throws(() => cutOff(longText, endless), TookTooLong);
    assert.throws(() => cutOff(longText, () => 'an answer'), TookTooLong);
    assert.equal(
      cutOff(`${longText}b`, () => 'an answer'),
      'an answer',
    );
  });

  it('may do other work of the kind, and what goes wrong in it goes wrong outside', () => {
    const cutOff = slowWorkCutOff();
    assert.equal(
      cutOff(longText, () => cutOff(`${longText}b`, () => 1) + 1),
      2,
    );
    assert.throws(
      () =>
        cutOff(longText, () => {
          throw new TypeError('broken');
        }),
      TypeError,
    );
  });

  it('leaves no half of an event in what is known of a log', () => {
    let stops = true;
    const count = projection<{ events: number }>(
      () => ({ events: 0 }),
      (state) => {
        state.events++;
        if (stops && state.events === 2) endless();
      },
    );
    const log = [1, 2, 3].map((seq) => ({ seq, at: 0, type: 'resumed' })) as unknown as Event[];
    assert.throws(() => slowWorkCutOff(100)(longText, () => count(log)), TookTooLong);
    stops = false;
    assert.equal(count(log).events, 3);
  });
});

describe('an action that takes too long to judge', () => {
  const environment = {
    root: '/home/dev/project',
    files: null!,
    search: null!,
    terminal: null!,
    cutOff: slowWorkCutOff(100),
  };
  const hangs: RiskAnalyzer = { name: 'hanging', assess: endless };

  it('counts as high and is asked about in every mode', async () => {
    const call = writeFile.bind({ path: 'a.ts', content: longText });
    const risk = await assessWith([hangs], writeFile, call, environment, []);
    assert.equal(risk.level, 'high');
    assert.match(risk.reasons[0]!, /^The hanging analyzer did not answer within 5 s, so this counts as high\.$/);
    assert.ok(asksAlways(risk));
  });

  it('does so where a command keeps its analyser busy', () => {
    const command = `bash s.sh ${longText}`;
    const risk = assessCommand(command, { cutOff: slowWorkCutOff(100), lookUp: endless, leadsTo: endless });
    assert.equal(risk.level, 'high');
    assert.deepEqual(risk.reasons, ['The command takes too long to judge.']);
    assert.ok(asksAlways(risk));
  });

  it('is none where analyzers answer', async () => {
    const call = writeFile.bind({ path: 'a.ts', content: longText });
    const asked = analyzers.filter(({ name }) => name === 'path');
    assert.ok(asked.length > 0);
    const risk = await assessWith(asked, writeFile, call, { ...environment, cutOff: slowWorkCutOff() }, []);
    assert.equal(risk.guarded, undefined);
  });
});
