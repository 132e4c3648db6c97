import { strict as assert } from 'node:assert';
import { assessWith, analyzers } from '../../../src/core/security/analyzers';
import type { RiskAnalyzer } from '../../../src/core/ports/analyzer';
import { readFile } from '../../../src/core/tools/native/readFile';
import { withSelfRating } from '../../../src/core/tools/calls/withSelfRating';
import { runCommand } from '../../../src/core/tools/native/runCommand';
import { asksAlways } from '../../../src/core/risk/confirmation';
import { untouched } from '../../support/toolContext';

const environment = { ...untouched, root: '/home/dev/project' };
const says = (name: string, level: 'low' | 'medium' | 'high', culprit?: string): RiskAnalyzer => ({
  name,
  assess: () => ({ level, reasons: [`${name} says ${level}.`], ...(culprit !== undefined && { culprit }) }),
});
const assess = (list: readonly RiskAnalyzer[], timeoutMs?: number) =>
  assessWith(list, { tool: readFile, call: readFile.bind({ path: 'a' }), environment, history: [] }, timeoutMs);

describe('the list of analyzers', () => {
  it('reports the highest level, its culprit and the reasons of all analyzers', async () => {
    assert.deepEqual(await assess([says('one', 'low'), says('two', 'high', 'x'), says('three', 'medium', 'y')]), {
      level: 'high',
      reasons: ['two says high.', 'three says medium.', 'one says low.'],
      culprit: 'x',
    });
  });

  it('reports high risk that waits in every mode if an analyzer throws, rejects or never answers', async () => {
    const silent: RiskAnalyzer = { name: 'silent', assess: () => new Promise(() => undefined) };
    const rejects: RiskAnalyzer = { name: 'rejecting', assess: () => Promise.reject(new Error('It broke.')) };
    const throws: RiskAnalyzer = {
      name: 'throwing',
      assess() {
        throw new Error('It broke.');
      },
    };
    for (const [bad, reason] of [
      [silent, /silent analyzer did not answer within 0.02 s/],
      [rejects, /rejecting analyzer failed \(It broke/],
      [throws, /throwing analyzer failed/],
    ] as const) {
      const risk = await assess([says('one', 'low'), bad], 20);
      assert.equal(risk.level, 'high');
      assert.match(risk.reasons.join(' '), reason);
      assert.ok(asksAlways(risk));
    }
  });

  it('passes the findings of the others to the last analyzer, whose culprit is shown', async () => {
    const last: RiskAnalyzer = {
      name: 'last',
      last: true,
      assess: ({ found }) => ({ level: found!.level, reasons: [`found ${found!.level}`], culprit: 'mine' }),
    };
    const { culprit, reasons } = await assess([last, says('one', 'high', 'theirs')]);
    assert.deepEqual([culprit, reasons[0]], ['mine', 'found high']);
  });

  it('lets the model’s own rating raise the level but never lower it', async () => {
    const tool = withSelfRating(runCommand);
    const rated = async (command: string, security_risk: string) =>
      (await assessWith(analyzers, { tool, call: tool.bind({ command, security_risk }), environment, history: [] }))
        .level;
    assert.equal(await rated('ls', 'LOW'), 'low');
    assert.equal(await rated('ls', 'HIGH'), 'high');
    assert.equal(await rated('rm -rf src', 'LOW'), 'high');
    assert.equal(await rated('touch src/a.ts', 'LOW'), 'medium');
  });
});
