import { strict as assert } from 'node:assert';
import { expectedLastingEffects, lastingEffectLines, lastingEffectsOf } from '../../../src/core/changes/lastingEffects';
import { changesGitInternals } from '../../../src/protocol/plain/riskWords';
import type { Action, Event, NewEvent } from '../../../src/protocol/events/event';
import { agentResponse, leastUsage } from '../../support/newEvents';

const ran = (id: string, command: string, risk: Partial<Action['risk']> = {}): NewEvent[] => [
  agentResponse('', {
    readUpTo: 1,
    actions: [
      {
        id,
        tool: 'run_command',
        input: { command },
        summary: command,
        group: 0,
        effect: 'executes',
        risk: { level: 'low', reasons: [], ...risk },
      },
    ],
    usage: leastUsage,
    finishReason: 'tool_calls',
  }),
  { type: 'action_started', actionId: id },
  { type: 'observation', actionId: id, outcome: 'ok', content: '', durationMs: 1 },
];

const logOf = (...events: NewEvent[]): Event[] => events.map((event, seq) => ({ ...event, seq, at: seq }) as Event);

const kinds = (command: string, risk: Partial<Action['risk']> = {}): string[] =>
  lastingEffectsOf(logOf(...ran('a', command, risk)))
    .map(({ kind }) => kind)
    .sort();

describe('lasting effects', () => {
  it('come from the risk categories of a command', () => {
    assert.deepEqual(kinds('curl x', { categories: ['network'], reach: { network: ['example.org'] } }), ['network']);
    assert.deepEqual(kinds('git push', { categories: ['network', 'git_history'] }), ['git', 'network']);
    assert.deepEqual(kinds('npm install -g x', { categories: ['outside', 'packages'] }), ['outside', 'packages']);
    assert.deepEqual(kinds('ls'), []);
  });

  it('do not include a failed call of a file tool, which changes nothing', () => {
    const [response, begun, observation] = ran('a', '', { categories: ['outside'] });
    if (response?.type !== 'agent_response' || observation?.type !== 'observation') throw new Error('not so');
    const writes = {
      ...response,
      actions: response.actions.map((action) => ({ ...action, effect: 'writes' as const })),
    };
    const ended = (outcome: 'ok' | 'error') => logOf(writes, begun!, { ...observation, outcome });
    assert.deepEqual(lastingEffectsOf(ended('error')), []);
    assert.equal(lastingEffectsOf(ended('ok'))[0]!.kind, 'outside');
  });

  it('include a `.git` folder that a command changes, because it has no copy', () => {
    assert.deepEqual(kinds('rm -rf lib', { categories: ['deletes'], grounds: [changesGitInternals] }), ['git']);
    assert.deepEqual(kinds('rm -rf lib', { categories: ['deletes'] }), []);
  });

  it('are only those that the sandbox lets a command have', () => {
    const [response, begun, observation] = ran('a', 'npm install x; cp -p ~/a .', {
      categories: ['outside', 'network', 'packages'],
    });
    if (observation?.type !== 'observation') throw new Error('not so');
    const kindsIn = (facts: object, ...first: readonly NewEvent[]): string[] => {
      const details = {
        kind: 'command' as const,
        end: 'exited' as const,
        exitCode: 1,
        durationMs: 1,
        cwd: '/',
        tty: false,
      };
      const event = { ...observation, details: { ...details, outputBytes: 0, outputCharacters: 0, ...facts } };
      return lastingEffectsOf(logOf(...first, response!, begun!, event as NewEvent))
        .map(({ kind }) => kind)
        .sort();
    };
    assert.deepEqual(kindsIn({}), ['network', 'outside', 'packages']);
    assert.deepEqual(kindsIn({ sandbox: 'outside' }), ['network', 'outside', 'packages']);
    assert.deepEqual(kindsIn({ sandbox: 'inside' }), ['network', 'packages'], 'a domain may be allowed');
    assert.deepEqual(kindsIn({ sandbox: 'inside', offline: true }), ['packages']);
    assert.deepEqual(kindsIn({ sandbox: 'inside', denied: 'network', offline: true }), ['packages']);
    const denied = kindsIn({ sandbox: 'inside', denied: 'network' });
    assert.deepEqual(denied, ['network', 'packages'], 'it may have reached an allowed domain before');
    const container = { engine: 'docker', image: 'node' };
    const moved: NewEvent = { type: 'settings_changed', container };
    assert.deepEqual(kindsIn({ sandbox: 'inside' }, moved), ['network', 'outside', 'packages'], 'of what is mounted');
    assert.deepEqual(kindsIn({ sandbox: 'inside', offline: true }, moved, { ...moved, container: null }), ['packages']);
  });

  it('are one line per action', () => {
    const effects = lastingEffectsOf(logOf(...ran('a', 'nohup curl x &', { categories: ['network'] })));
    assert.equal(effects.length, 2);
    assert.deepEqual(lastingEffectLines(effects), [
      'step 1: Reached the network. May have left a process running. (nohup curl x &)',
    ]);
  });

  it('are predicted with the same kinds', () => {
    for (const command of ['curl x', 'npm ci && git commit -qm x', 'nohup ./serve &', 'ls']) {
      const [action] = ran('a', command).flatMap((event) => (event.type === 'agent_response' ? event.actions : []));
      assert.deepEqual(expectedLastingEffects(action as Action).sort(), kinds(command), command);
    }
  });

  it('include harmless commands, by their programs', () => {
    assert.deepEqual(kinds('git commit -qm x'), ['git']);
    assert.deepEqual(kinds('git -C sub checkout -b other'), ['git']);
    assert.deepEqual(kinds('curl -s http://127.0.0.1:9/'), ['network']);
    assert.deepEqual(kinds('npm ci'), ['packages']);
    assert.deepEqual(kinds('git log --oneline'), []);
    const judged = { categories: ['network' as const], reach: { network: ['example.org'] } };
    const [entry] = lastingEffectsOf(logOf(...ran('a', 'curl x', judged)));
    assert.equal(entry!.words, 'Reached the network: example.org.');
  });

  it('include databases and processes, by their programs', () => {
    const databases = [
      'psql -c "drop table t"',
      'npx prisma migrate deploy',
      'bin/rails db:migrate',
      'redis-cli flushall',
    ];
    for (const command of databases) assert.deepEqual(kinds(command), ['database'], command);
    const processes = ['npm run dev &', 'nohup ./server > out', '(sleep 100 &)', 'docker compose up -d', 'a & b'];
    for (const command of processes) assert.deepEqual(kinds(command), ['running'], command);
  });

  it('exclude commands that only look similar', () => {
    const harmless = [
      'make 2>&1 | tail',
      'test -f a && echo b',
      'echo "http://localhost/?a=1&b=2"',
      'cat src/psql.ts',
      'grep mysql-client package.json',
      'make &> log',
    ];
    for (const command of harmless) assert.deepEqual(kinds(command), [], command);
  });

  it('appear once per step and kind, without rejected commands', () => {
    const log = logOf(
      ...ran('a', 'psql -f a.sql && psql -f b.sql'),
      ...ran('b', 'curl x', { categories: ['network'] }).slice(0, 1),
      { type: 'observation', actionId: 'b', outcome: 'rejected', content: '', durationMs: 1 },
    );
    assert.deepEqual(lastingEffectLines(lastingEffectsOf(log)), [
      'step 1: May have changed a database. (psql -f a.sql && psql -f b.sql)',
    ]);
    assert.deepEqual(
      lastingEffectsOf(log, () => false),
      [],
    );
  });
});
