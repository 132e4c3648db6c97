import { strict as assert } from 'node:assert';
import { stepFacts, type StepConsent } from '../../../../src/core/trajectory/provenance/stepFacts';
import { knownTool } from '../../../../src/core/tools/toolsets';
import type { Action, Event, EventOf, NewEvent } from '../../../../src/protocol/events/event';
import { task } from '../../agent/story';
import { calls, logOf, person, result } from '../../condense/logs';

const command = (id: string, text: string, level: 'low' | 'high' = 'high'): Action => ({
  id,
  tool: 'run_command',
  input: { command: text },
  summary: `Run ${text}`,
  group: 0,
  risk: { level, reasons: [] },
  effect: 'executes',
});
const reply = (actions: Action[], more: Partial<EventOf<'agent_response'>> = {}) =>
  calls([], { actions, text: 'Because it is needed.', ...more });
const asked: NewEvent = { type: 'confirmation_requested', actionIds: ['c'] };
const resolved = (by: 'person' | 'rule', comment?: string): NewEvent => ({
  type: 'confirmation_resolved',
  actionIds: ['c'],
  approved: true,
  by,
  ...(comment && { comment }),
});
const consentIn = (log: Event[]): StepConsent => stepFacts(log, 'c', knownTool)!.consent;

describe('the facts about the step of a line', () => {
  it('are which step it was, of which task, with what reason and by which model', () => {
    const log = logOf(
      task,
      calls(['a']),
      result('a'),
      person('Go on.'),
      calls(['b'], { text: '  ', reasoning: { text: 'I think so.' }, model: 'other' }),
      result('b'),
    );
    const facts = stepFacts(log, 'b', knownTool)!;
    assert.deepEqual(
      [facts.step, facts.seq, facts.title, facts.reason, facts.model, facts.outcome, facts.typed],
      [2, 4, 'Do it.', 'I think so.', 'other', 'ok', false],
    );
    assert.equal(stepFacts(log, 'a', knownTool)!.reason, 'Next.');
    assert.equal(stepFacts(log, 'never', knownTool), undefined);
    assert.equal(stepFacts([], 'a', knownTool), undefined);
  });

  it('are known while the action still runs, and of one that a person typed', () => {
    const facts = stepFacts(logOf(task, calls(['a'], { by: 'person' })), 'a', knownTool)!;
    assert.deepEqual([facts.outcome, facts.typed], [undefined, true]);
  });

  it('are the person who approved it, with the words that were said', () => {
    assert.deepEqual(
      consentIn(logOf(task, reply([command('c', 'rm -rf dist')]), asked, resolved('person', 'fine'), result('c'))),
      { kind: 'person', at: 0, comment: 'fine' },
    );
  });

  it('are the rule that allowed it: the same call in the same folder, or a pattern', () => {
    const rule = { tool: 'run_command', key: 'npm test', cwd: '/' };
    const log = (...rules: NewEvent[]): Event[] =>
      logOf(task, ...rules, reply([command('c', 'npm test', 'low')]), resolved('rule'), result('c'));
    assert.deepEqual(
      consentIn(
        log({ type: 'allow_rule_added', rule: { ...rule, key: 'npm run lint' } }, { type: 'allow_rule_added', rule }),
      ),
      { kind: 'rule', at: 0, rule },
    );
    const pattern = { tool: '*', key: 'npm ', pattern: true };
    assert.deepEqual(consentIn(log({ type: 'allow_rule_added', rule: pattern })), {
      kind: 'rule',
      at: 0,
      rule: pattern,
    });
    assert.deepEqual(consentIn(log()), { kind: 'rule', at: 0 }, 'a rule that cannot be told any more');
    assert.deepEqual(
      consentIn(
        logOf(
          task,
          reply([command('c', 'npm test', 'low')]),
          resolved('rule'),
          { type: 'allow_rule_added', rule },
          result('c'),
        ),
      ),
      { kind: 'rule', at: 0 },
      'a rule that came later',
    );
  });

  it('are that nothing was asked, because of the mode or because of the risk', () => {
    assert.deepEqual(consentIn(logOf(task, reply([command('c', 'ls', 'low')]), result('c'))), {
      kind: 'not_asked',
      why: 'risk',
    });
    assert.deepEqual(
      consentIn(logOf({ ...task, mode: 'auto' } as NewEvent, reply([command('c', 'rm -rf dist')]), result('c'))),
      { kind: 'not_asked', why: 'mode' },
    );
    assert.deepEqual(
      consentIn(
        logOf(
          task,
          reply([command('c', 'rm -rf dist')]),
          asked,
          { type: 'settings_changed', mode: 'auto' },
          resolved('rule'),
          result('c'),
        ),
      ),
      { kind: 'not_asked', why: 'mode' },
    );
  });
});
