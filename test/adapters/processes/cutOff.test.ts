import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { slowWorkCutOff } from '../../../src/adapters/processes/cutOff';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { programsBehind } from '../../../src/adapters/scripts/programsBehind';
import { neverCutOff, TookTooLong, type CutOff } from '../../../src/core/ports/cutOff';
import { projection } from '../../../src/core/log/projection';
import { analyzers, assessWith } from '../../../src/core/security/analyzers';
import type { RiskAnalyzer } from '../../../src/core/ports/analyzer';
import { asksAlways } from '../../../src/core/risk/confirmation';
import { assessCommand } from '../../../src/core/shell/assessCommand';
import { runCommand } from '../../../src/core/tools/native/runCommand';
import { writeFile } from '../../../src/core/tools/native/writeFile';
import type { Assessment, Event } from '../../../src/protocol/events/event';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { untouched } from '../../support/toolContext';

const longText = 'a'.repeat(1000);

/** Never returns. */
function endless(): never {
  for (;;);
}

/** A regular expression with exponential backtracking. */
const endlessRegex = (): boolean => /^(?:(?:a+)+)+$/.test(`${'a'.repeat(60)}!`);

describe('work on untrusted text', () => {
  it('is stopped if it takes too long, even inside a regular expression', () => {
    for (const work of [endless, endlessRegex]) {
      assert.throws(() => slowWorkCutOff(100)(longText, work), TookTooLong);
    }
  });

  it('is refused at once for a text that took too long before; other texts are accepted', () => {
    const cutOff = slowWorkCutOff(100);
    assert.throws(() => cutOff(longText, endless), TookTooLong);
    assert.throws(() => cutOff(longText, () => 'an answer'), TookTooLong);
    assert.equal(
      cutOff(`${longText}b`, () => 'an answer'),
      'an answer',
    );
  });

  it('may contain further limited work, and its errors are thrown to the caller', () => {
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

  it('that is stopped leaves no partial event in a projection of the log', () => {
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

describe('an action that takes too long to assess', () => {
  const environment = {
    root: '/home/dev/project',
    files: null!,
    search: untouched.search,
    terminal: untouched.terminal,
    cutOff: slowWorkCutOff(100),
  };
  const hangs: RiskAnalyzer = { name: 'hanging', assess: endless };

  it('counts as high risk and needs approval in every mode', async () => {
    const call = writeFile.bind({ path: 'a.ts', content: longText });
    const risk = await assessWith([hangs], { tool: writeFile, call, environment, history: [] });
    assert.equal(risk.level, 'high');
    assert.match(risk.reasons[0]!, /^The hanging analyzer did not answer within 5 s, so this counts as high\.$/);
    assert.ok(asksAlways(risk));
  });

  it('counts as high risk if the command keeps the command analyzer busy', () => {
    const command = `bash s.sh ${longText}`;
    const risk = assessCommand(command, { cutOff: slowWorkCutOff(100), lookUp: endless, linkTargets: endless });
    assert.equal(risk.level, 'high');
    assert.deepEqual(risk.reasons, ['Takes too long to judge.']);
    assert.ok(asksAlways(risk));
  });

  it('is not assumed if the analyzers answer', async () => {
    const call = writeFile.bind({ path: 'a.ts', content: longText });
    const asked = analyzers.filter(({ name }) => name === 'path');
    assert.ok(asked.length > 0);
    const risk = await assessWith(asked, {
      tool: writeFile,
      call,
      environment: { ...environment, cutOff: slowWorkCutOff() },
      history: [],
    });
    assert.equal(risk.guarded, undefined);
  });
});

describe('files that a short command runs', () => {
  const slowPart = 'slow'.repeat(100);
  /** Stops work as soon as it reaches a text with that part, as a timer would. */
  const stopsThere: CutOff = (text, work) => {
    if (text.includes(slowPart)) throw new TookTooLong(5);
    return work();
  };
  const files: Readonly<Record<string, readonly [text: string, command: string]>> = {
    's.sh': [`echo ${slowPart}\n`, 'bash s.sh'],
    Makefile: [`a:\n\techo ${slowPart}\n`, 'make a'],
    justfile: [`a:\n  echo ${slowPart}\n`, 'just a'],
    'package.json': [JSON.stringify({ scripts: { a: `echo ${slowPart}` } }), 'npm run a'],
    'a.py': [`print("${slowPart}")\n`, 'python3 a.py'],
    'compose.yml': [`services: {a: {image: ${slowPart}}}\n`, 'docker compose up'],
    '.git/config': [`[core]\n\tfsmonitor = ${slowPart}\n`, 'git status'],
  };

  for (const [file, [text, command]] of Object.entries(files)) {
    it(`are assessed within the time limit: ${file}`, async () => {
      const workspace = temporaryWorkspace();
      try {
        if (file.startsWith('.git')) execFileSync('git', ['init', '-q', workspace.root]);
        workspace.place(file, text);
        const { root } = workspace;
        const environment = { ...untouched, root, scripts: diskScripts(root) };
        const judged = (cutOff: CutOff): Promise<Assessment> =>
          assessWith(analyzers, {
            tool: runCommand,
            call: runCommand.bind({ command }),
            environment: { ...environment, cutOff },
            history: [],
          });
        const stopped = await judged(stopsThere);
        assert.equal(stopped.level, 'high');
        assert.match(stopped.reasons.join('\n'), /^The command analyzer did not answer within 5 s/m);
        assert.ok(asksAlways(stopped));
        const told = (await judged(neverCutOff)).reasons.join('\n');
        assert.doesNotMatch(told, /did not answer/);
      } finally {
        workspace.stop();
      }
    });
  }

  it('of a hook or server are reported as unknown if reading its scripts takes too long', async () => {
    const workspace = temporaryWorkspace();
    try {
      workspace.place('s.sh', 'echo a\n');
      const { byName, hasUnknownPrograms } = await programsBehind([{ command: 'bash s.sh' }], workspace.root);
      assert.deepEqual([[...byName.keys()], hasUnknownPrograms], [['s.sh'], false]);
      const cutOff = (): never => {
        throw new TookTooLong(5);
      };
      const stopped = await programsBehind([{ command: 'bash s.sh' }], workspace.root, cutOff);
      assert.deepEqual([[...stopped.byName.keys()], stopped.hasUnknownPrograms], [[], true]);
    } finally {
      workspace.stop();
    }
  });
});
