import assert from 'node:assert/strict';
import { readHookFile } from '../../../src/core/hooks/hookFile';
import { hooksFor } from '../../../src/core/hooks/matcher';
import { verdictOf, type HookEnd } from '../../../src/core/hooks/outcome';
import type { Action } from '../../../src/protocol/events/event';

const read = (text: string) => readHookFile(text, '.agent/hooks.json');
const told = (text: string): string[] =>
  read(text).problems.map(({ severity, code, from }) => `${severity} ${code} ${from.line}:${from.column}`);
const commands = (text: string): string[] => read(text).hooks.map(({ on, command }) => `${on} ${command}`);

describe('a hooks file', () => {
  it('is read in order, with defaults for missing fields', () => {
    const text = JSON.stringify({
      hooks: {
        PreToolUse: [
          {
            matcher: 'run_command',
            hooks: [
              { type: 'command', command: 'a', timeout: 5 },
              { command: ' b ', async: true },
            ],
          },
        ],
        Stop: [{ hooks: [{ command: 'c' }] }],
      },
    });
    assert.deepEqual(read(text), {
      problems: [],
      hooks: [
        {
          on: 'PreToolUse',
          matcher: 'run_command',
          command: 'a',
          timeout: 5,
          async: false,
          path: '.agent/hooks.json',
          place: 'PreToolUse/0/0',
          hash: '',
        },
        {
          on: 'PreToolUse',
          matcher: 'run_command',
          command: 'b',
          timeout: 60,
          async: true,
          path: '.agent/hooks.json',
          place: 'PreToolUse/0/1',
          hash: '',
        },
        {
          on: 'Stop',
          matcher: '*',
          command: 'c',
          timeout: 60,
          async: false,
          path: '.agent/hooks.json',
          place: 'Stop/0/0',
          hash: '',
        },
      ],
    });
  });

  it('may have its events at the top level and in snake case', () => {
    assert.deepEqual(
      commands('{"pre_tool_use": [{"hooks": [{"command": "a"}]}], "SessionEnd": [{"hooks": [{"command": "b"}]}]}'),
      ['PreToolUse a', 'SessionEnd b'],
    );
    assert.deepEqual(told('{"pre_tool_use": []}'), []);
  });

  it('reports fields that look like a known one, and no fields of other products', () => {
    const hook = { type: 'command', command: 'a', timeut: 10, statusMessage: 'x', if: 'Bash(git *)' };
    const text = JSON.stringify({ hooks: { PreToolUse: [{ matchers: 'Bash', hooks: [hook] }] } });
    const { hooks, problems } = read(text);
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, message]),
      [
        ['warning', 'Waymark does not read the field "matchers". Did you mean "matcher"?'],
        ['warning', 'Waymark does not read the field "timeut". Did you mean "timeout"?'],
      ],
    );
    assert.equal(hooks.length, 1);
  });

  it('reports problems at their positions, and uses the valid hooks', () => {
    const text =
      '{\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{"matcher": "(", "hooks": [{"type": "prompt", "prompt": "?"}, {"command": ""}, {"command": "kept", "timeout": 10}, {"command": "x", "timeout": -1}]},\n\t\t\t7\n\t\t],\n\t\t"Notification": []\n\t}\n}\n';
    assert.deepEqual(told(text), [
      'warning hook-matcher 4:16',
      'error hook-type 4:31',
      'error hook-shape 4:78',
      'error hook-shape 4:147',
      'error hook-shape 5:4',
      'warning hook-event 7:19',
    ]);
    assert.deepEqual(commands(text), ['PreToolUse kept']);
  });

  for (const [text, problem] of [
    ['', 'error json 1:1'],
    ['{"hooks": {', 'error json 1:12'],
    ['{\n  "hooks": {},,\n}', 'error json 2:15'],
    ['[]', 'error hook-shape 1:1'],
    ['{"hooks": []}', 'error hook-shape 1:1'],
    ['{"other": {}}', 'error hook-shape 1:1'],
  ] as const) {
    it(`that is ${JSON.stringify(text)} has one error and no hooks`, () =>
      assert.deepEqual([told(text), commands(text)], [[problem], []]));
  }
});

describe('a matcher', () => {
  const file = (matcher: string, on = 'PreToolUse'): string =>
    `{"hooks": {"${on}": [\n  {"matcher": ${JSON.stringify(matcher)}, "hooks": [{"command": "a"}]}\n]}}`;
  const problems = (matcher: string, on?: string) => read(file(matcher, on)).problems;

  for (const [matcher, instead, words] of [
    ['bash', 'Bash', /"bash" is a tool of only one profile; "Bash" matches all tools that do the same\./],
    ['BASH', 'Bash', /No tool is called "BASH".+guards nothing.+Did you mean "Bash"\?/],
    ['Bash, Write', 'Bash|Write', /"Bash, Write" is not a list of names: separate names with "\|"\./],
    ['Bash,bash', undefined, /not a list/],
    ['Wriet', 'Write', /"Wriet"/],
    ['Edit|Wriet', 'Edit|Write', /"Wriet"/],
    ['write_fil', 'write_file', /"write_fil"/],
    ['run_commands', 'run_command', /"run_commands"/],
    ['WebFetch', undefined, /^No tool is called "WebFetch", so this hook guards nothing there\.$/],
    ['edit$', undefined, /"edit\$" does not match the whole name of any tool/],
    ['mcp__github', 'mcp_github_.*', /mcp_SERVER_TOOL/],
    ['mcp:github:search', 'mcp_github_search', /mcp_SERVER_TOOL/],
    ['mcp-github-search', undefined, /mcp_SERVER_TOOL/],
  ] as const) {
    it(`that is ${matcher} matches no tool and is reported${instead === undefined ? '' : ` with the fix ${instead}`}`, () => {
      const [problem, ...more] = problems(matcher);
      assert.deepEqual(
        [more, problem?.severity, problem?.code, problem?.from],
        [[], 'warning', 'hook-matcher-fits-nothing', { line: 2, column: 15 }],
      );
      assert.match(problem!.message, words);
      const { fix } = problem!;
      assert.equal(fix?.title, instead === undefined ? undefined : `Change it to "${instead}"`);
      if (!fix) return;
      const lines = file(matcher).split('\n');
      lines[1] = lines[1]!.slice(0, fix.from.column - 1) + fix.text + lines[1]!.slice(fix.to.column - 1);
      assert.deepEqual([read(lines.join('\n')).problems, read(lines.join('\n')).hooks[0]!.matcher], [[], instead]);
    });
  }

  for (const matcher of [
    '([a-z_]+)+!',
    '(([a-z_]+)+)+!',
    '(a|a)*b',
    '(?:x{1,9}){9}',
    `${'.*'.repeat(9)}!`,
    `${'(?:[a-z]|_|.)'.repeat(40)}!`,
    `${'.?'.repeat(60)}!`,
  ]) {
    it(`that is too complex is an error, and its hooks are ignored: ${matcher.slice(0, 20)}`, () => {
      assert.deepEqual(read(file(matcher)).hooks, []);
      assert.deepEqual(
        problems(matcher).map(({ severity, code, from }) => [severity, code, from.line, from.column]),
        [['error', 'hook-matcher-involved', 2, 15]],
      );
    });
  }

  for (const matcher of [
    'mcp_a_.*|mcp_b_.*|mcp_c_.*|mcp_d_.*|mcp_e_.*|mcp_f_.*',
    'mcp_(github|gitlab)_.*(read|list).*',
    '*',
    '',
    '.*',
    'Bash',
    'Edit|Write',
    'MultiEdit',
    'run_command',
    'term.*',
    '/read_.+/',
    '(Edit|Write)',
    '^Bash$',
    'task',
    'terminal',
    'patch',
    'use_skill',
    'mcp_github_search',
    'mcp_github_.*',
    'mcp_github.*',
    'mcp__github__search',
    'mcp__.*__write.*',
    'mcp__github__.*|Bash',
    '^mcp_.*',
    'ext_deploy',
    'lm_search_.*',
    'Notebook.*',
  ]) {
    it(`that is ${matcher || 'empty'} is accepted`, () => assert.deepEqual(problems(matcher), []));
  }

  it('is not checked for events without a tool', () => assert.deepEqual(problems('startup', 'SessionStart'), []));
});

describe('a hook', () => {
  const guarding = (
    matcher: string,
    tool: string,
    effect?: 'reads' | 'writes' | 'executes',
    from?: Action['from'],
  ): boolean =>
    hooksFor(
      read(JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [{ command: 'a' }] }] } })).hooks,
      'PreToolUse',
      { tool, effect, from },
    ).length === 1;

  it('matches all tools, one tool, or full names by pattern', () => {
    for (const [matcher, tool, expected] of [
      ['*', 'x', true],
      ['', 'x', true],
      ['edit_file', 'edit_file', true],
      ['edit', 'edit_file', false],
      ['edit.*', 'edit_file', true],
      ['edit_file|write_file', 'write_file', true],
      ['/read_.+/', 'read_file', true],
      ['/read/', 'read_file', false],
      ['(', 'x', false],
      ['(', '(', true],
    ] as const)
      assert.equal(guarding(matcher, tool), expected, `${matcher} and ${tool}`);
  });

  it('matches tools by their names in other products', () => {
    for (const [matcher, tool, effect, expected] of [
      ['Bash', 'run_command', 'executes', true],
      ['terminal', 'run_command', 'executes', true],
      ['Edit|Write', 'write_file', 'writes', true],
      ['Bash', 'read_file', 'reads', false],
      ['Read', 'search_text', 'reads', true],
    ] as const)
      assert.equal(guarding(matcher, tool, effect), expected, `${matcher} and ${tool}`);
  });

  it('matches MCP tools by their names in other products', () => {
    for (const [matcher, expected] of [
      ['mcp_notes_lookup', true],
      ['mcp__notes__lookup', true],
      ['mcp__notes__.*', true],
      ['mcp__.*__lookup', true],
      ['Write|mcp__notes__lookup', true],
      ['mcp__note__lookup', false],
      ['mcp__notes', false],
    ] as const)
      assert.equal(guarding(matcher, 'mcp_notes_lookup'), expected, matcher);
  });

  it('matches a tool of an MCP server or extension by its own name only', () => {
    const from = { source: 'notes', tool: 'lookup' };
    for (const [matcher, effect, expected] of [
      ['Bash', 'executes', false],
      ['Edit|Write', 'writes', false],
      ['Read', 'reads', false],
      ['mcp__notes__.*', 'executes', true],
      ['*', 'executes', true],
    ] as const)
      assert.equal(guarding(matcher, 'mcp_notes_lookup', effect, from), expected, `${matcher} and ${effect}`);
  });

  const end = (exit: number | null, stdout = '', stderr = '', cut = false): HookEnd => ({
    exit,
    stdout,
    stderr,
    cut,
    durationMs: 1,
  });

  it('decides nothing with exit code 0, blocks with 2, and fails otherwise', () => {
    assert.deepEqual(verdictOf(end(0)), { decision: 'none' });
    assert.deepEqual(verdictOf(end(0, 'plain words')), { decision: 'none' });
    assert.deepEqual(verdictOf(end(2, '', 'Not here.\n')), { decision: 'block', reason: 'Not here.' });
    assert.deepEqual(verdictOf(end(2, 'Not here.')), { decision: 'block', reason: 'Not here.' });
    for (const other of [1, 3, 127, null])
      assert.deepEqual(verdictOf(end(other, '{"decision":"block"}')), { decision: 'failed' });
  });

  it('may return its decision as JSON', () => {
    assert.deepEqual(verdictOf(end(0, '{"decision":"allow","reason":"fine"}')), { decision: 'allow', reason: 'fine' });
    assert.deepEqual(verdictOf(end(0, '{"decision":"deny","reason":"no"}')), { decision: 'block', reason: 'no' });
    assert.deepEqual(verdictOf(end(0, '{"continue":false}')), { decision: 'block' });
    assert.deepEqual(verdictOf(end(2, '{"decision":"allow"}')), { decision: 'block' });
    assert.deepEqual(verdictOf(end(0, '{"additionalContext":"Mind \u200bthe gap."}')), {
      decision: 'none',
      context: 'Mind the gap.',
    });
    assert.deepEqual(verdictOf(end(0, '["block"]')), { decision: 'none' });
    assert.deepEqual(verdictOf(end(0, '\uFEFF{"decision":"deny"}\n')), { decision: 'block' });
  });

  it('blocks if its answer starts like JSON but is invalid, and not for plain text', () => {
    for (const [stdout, cut, why] of [
      [`{"decision":"deny","reason":"${'x'.repeat(100)}`, true, /longer than 64 KB/],
      ['\n {"decision":"deny",}', false, /not a JSON object/],
      ['{"decision":"allow"}\n{"decision":"deny"}', false, /not a JSON object/],
    ] as const) {
      const { decision, reason } = verdictOf(end(0, stdout, '', cut));
      assert.equal(decision, 'block');
      assert.match(reason!, why);
    }
    assert.deepEqual(verdictOf(end(0, 'plain words', '', true)), { decision: 'none' });
    assert.deepEqual(verdictOf(end(1, '{"decision"')), { decision: 'failed' });
  });

  it('written for Claude Code may put its decision into hookSpecificOutput', () => {
    const said = (fields: object): string =>
      JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
    const denied = said({ permissionDecision: 'deny', permissionDecisionReason: 'Not here.' });
    assert.deepEqual(verdictOf(end(0, denied)), { decision: 'block', reason: 'Not here.' });
    assert.deepEqual(verdictOf(end(0, said({ permissionDecision: 'ask' }))), { decision: 'block' });
    assert.deepEqual(verdictOf(end(0, said({ permissionDecision: 'allow' }))), { decision: 'allow' });
    assert.deepEqual(verdictOf(end(0, said({ additionalContext: 'Mind.' }))), { decision: 'none', context: 'Mind.' });
    assert.deepEqual(verdictOf(end(0, '{"decision":"block","hookSpecificOutput":{"additionalContext":"x"}}')), {
      decision: 'block',
      context: 'x',
    });
    assert.deepEqual(verdictOf(end(0, '{"decision":"deny","hookSpecificOutput":{"permissionDecision":"allow"}}')), {
      decision: 'block',
    });
  });

  it('that asks for approval blocks the action', () =>
    assert.equal(verdictOf(end(0, '{"decision":"ask"}')).decision, 'block'));
});
