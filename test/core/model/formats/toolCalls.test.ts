import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatFor } from '../../../../src/core/model/formats/formatFor';
import type { ToolSchema } from '../../../../src/core/ports/model';
import { called, replied } from './reply';

const reads = (a: { tool: string }, b: { tool: string }): boolean => a.tool === 'look' && b.tool === 'look';
const tools: readonly ToolSchema[] = [
  {
    name: 'bash',
    description: '',
    parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
];
const lenient = formatFor({ kind: 'tool_calls' }, reads);
const strict = formatFor({ kind: 'tool_calls', strict: true }, () => false, tools);
const argumentsOf = (text: string, finishReason?: string) =>
  lenient.read(replied('', finishReason, [called('look', text)])).groups[0]![0]!;

describe('tool calls', () => {
  it('form groups of neighbours that may run together', () => {
    const calls = ['look', 'look', 'change', 'look'].map((name, index) => called(name, '{}', `c${index}`));
    assert.deepEqual(
      lenient.read(replied('text', 'stop', calls)).groups.map((group) => group.map(({ id }) => id)),
      [['c0', 'c1'], ['c2'], ['c3']],
    );
  });

  it('keep their arguments as written where they are written unusually', () => {
    assert.deepEqual(argumentsOf('{"a":1}'), { id: 'c1', tool: 'look', input: { a: 1 } });
    assert.deepEqual(argumentsOf('{ "a": 1 }'), { id: 'c1', tool: 'look', input: { a: 1 }, rawInput: '{ "a": 1 }' });
  });

  it('may have arguments that a proxy repeated, or after an empty object', () => {
    for (const text of ['{"a":"}{"}{"a":"}{"}', '{}{"a":"}{"}', '{}{"a":"}{"}{"a":"}{"}', ' {}\n{"a":"}{"}'])
      assert.deepEqual(argumentsOf(text), { id: 'c1', tool: 'look', input: { a: '}{' } });
    for (const text of ['{"a":1}{"a":2}', '{"a":1}{"a":1}{"a":1}', '[1][1]'])
      assert.match(argumentsOf(text).problem!, /more text after the value/);
    const strictly = strict.read(replied('', 'stop', [called('bash', '{}{"command":"ls"}')]));
    assert.match(strictly.problem!, /not JSON/);
  });

  it('may have no arguments', () =>
    assert.deepEqual(argumentsOf(' '), { id: 'c1', tool: 'look', input: {}, rawInput: ' ' }));

  it('that are broken have a problem of their own, and the others go on', () => {
    const { groups, problem } = lenient.read(
      replied('', 'stop', [called('change', '{"a"'), called('change', '{"a":1}', 'c2')]),
    );
    assert.equal(problem, undefined);
    assert.deepEqual(
      groups.map(([only]) => [only!.problem !== undefined, only!.input]),
      [
        [true, {}],
        [false, { a: 1 }],
      ],
    );
  });

  for (const [what, text, says, repaired] of [
    ['a comma too many', '{"a": [1, 2,], }', /at character 13, a comma before \]/, { a: [1, 2] }],
    ['single quotes', "{'a': 'it\\'s \"x\"'}", /at character 2, single quotes/, { a: 'it\'s "x"' }],
    ['a line break inside a string', '{"a": "x\ny"}', /at character 9, a line break inside a string/, { a: 'x\ny' }],
    ['a name without quotes', '{\n a: 1}', /at line 2, column 2, a name without quotes/, { a: 1 }],
    ['a missing comma', '{"a": 1 "b": 2}', /at character 9, a missing comma/, { a: 1, b: 2 }],
    ['the words of Python', '{"a": True, "b": None}', /at character 7, True is not JSON/, { a: true, b: null }],
    ['a comment', '{"a": 1 /* one */}', /at character 9, a comment/, { a: 1 }],
    ['an escape that is none', '{"a": "\\d+"}', /at character 8, \\d is not a valid escape/, { a: '\\d+' }],
    ['an end that is missing', '{"a": [1', /at character 9, the text ends before "]"/, undefined],
    ['a text that is not closed', '{"a": "x', /at character 7, a string is not closed/, undefined],
    ['two values', '{"a": 1} {"b": 2}', /at character 10, there is more text after the value/, undefined],
    ['no JSON at all', 'ls -la', /at character 1, a value is expected, not "ls -la"/, undefined],
    ['a number that is none', '{"a": 1.2.3}', /at character 7, a value is expected/, undefined],
  ] as const) {
    it(`with ${what} are not run, and the model is told where`, () => {
      const call = argumentsOf(text);
      assert.match(call.problem!, says);
      assert.deepEqual([call.input, call.rawInput, call.repaired], [{}, text, repaired]);
    });
  }

  it('that were cut at the token limit are not run, not even whole ones', () => {
    for (const text of ['{"a": "x', '{"a":1}']) {
      assert.match(argumentsOf(text, 'length').problem!, /cut off at the token limit/);
      assert.equal(argumentsOf(text, 'length').repaired, undefined);
    }
  });

  it('of a reply that the token limit cut name the call that was cut', () => {
    const calls = [called('change', '{"a":1}', 'c1'), called('change', '{"a": "x', 'c2')];
    const [[first] = [], [second] = []] = lenient.read(replied('', 'length', calls)).groups;
    assert.match(first!.problem!, /after this call, so it was not run either\. Call it again/);
    assert.match(second!.problem!, /in or after this call, so it was not run/);
  });

  it('that are nested too deeply are not run', () => {
    for (const depth of [1_000, 100_000])
      assert.match(argumentsOf('['.repeat(depth) + ']'.repeat(depth)).problem!, /nested too deeply/);
  });

  it('have a problem exactly where JSON has one, and are then repaired to what was damaged', () => {
    /** Typical damage by models, and whether the meaning is preserved even if the strings contain JSON. */
    const damages: readonly [(text: string) => string, boolean][] = [
      [(text) => text, true],
      [(text) => text.replace(/([\]}])$/, ',$1'), true],
      [(text) => text.replace(/^(.)/, '$1 // why\n'), true],
      [(text) => text.replace(/"(\w+)":/g, '$1:'), false],
      [(text) => text.replaceAll('true', 'True'), false],
      [(text) => text.slice(1), false],
    ];
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.constant(true),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string({ unit: 'binary' }),
        tie('list'),
        tie('record'),
      ),
      list: fc.array(tie('value'), { maxLength: 3, minLength: 1 }),
      record: fc.dictionary(fc.stringMatching(/^[a-z_]\w{0,5}$/), tie('value'), { maxKeys: 3, minKeys: 1 }),
    })).record;
    fc.assert(
      fc.property(json, fc.constantFrom(...damages), (value, [damage, exact]) => {
        const whole = JSON.stringify(value);
        const text = damage(whole);
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const call = argumentsOf(text);
        assert.equal(call.problem === undefined, valid);
        if (!valid && exact) assert.deepEqual(call.repaired, JSON.parse(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('are read or refused in words, whatever stands in them', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '{',
            '}',
            '[',
            ']',
            '"',
            "'",
            ',',
            ':',
            '\\',
            '\n',
            'a',
            '1',
            '-',
            'e',
            '.',
            '/',
            '*',
            'null',
            ' ',
            '\u0000',
            '\\u00e9',
          ),
          { maxLength: 30 },
        ),
        (pieces) => {
          const text = pieces.join('');
          const call = argumentsOf(text);
          let parsed: unknown = call;
          // What a proxy repeats is read once.
          const once = text.replace(/^\s*\{\s*\}\s*(?=\{)/, '').replace(/^(\{.*\})\1$/s, '$1');
          try {
            parsed = JSON.parse(once || '{}');
          } catch {
            /* stays what it is */
          }
          if (text.trim() === '') assert.deepEqual(call.input, {});
          else if (parsed === call) assert.match(call.problem!, /Nothing was run/);
          else assert.deepEqual([call.input, call.problem], [parsed, undefined]);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('strict tool calls', () => {
  const problemOf = (...calls: ReturnType<typeof called>[]) => {
    const proposal = strict.read(replied('text', 'tool_calls', calls));
    assert.deepEqual([proposal.groups, proposal.unreadCalls], [[], calls]);
    return proposal.problem!;
  };

  it('run one after the other when all are good', () => {
    const { groups, problem, unreadCalls } = strict.read(
      replied('text', 'stop', [called('bash', '{"command":"ls"}'), called('bash', '{"command":"pwd"}', 'c2')]),
    );
    assert.deepEqual(
      [groups.map((group) => group.map(({ input }) => input)), problem, unreadCalls],
      [[[{ command: 'ls' }], [{ command: 'pwd' }]], undefined, undefined],
    );
  });

  it('are a problem of the reply when there are none', () => {
    assert.equal(problemOf(), 'The reply contains no tool call.');
    assert.match(
      strict.read(replied('I think', 'length')).problem!,
      /no tool call\. It was cut off at the token limit/,
    );
  });

  it('are none of them run when one is bad, and the first bad one is named', () => {
    const problem = problemOf(called('bash', '{"command":"ls"}'), called('bash', '{"command":'), called('rm', '{}'));
    assert.match(problem, /Tool call 2 of 3 \(bash\) is not valid\. The arguments are not JSON: at character 12/);
    assert.doesNotMatch(problem, /rm/);
  });

  it('are told all that is wrong with the bad one', () => {
    assert.match(problemOf(called('run', '{')), /no tool named "run"\. Tools: bash\. The arguments are not JSON/);
    assert.match(problemOf(called('bash', '{"cmd":"ls"}')), /Missing: command/);
    assert.match(problemOf(called('bash', '"ls"')), /not a JSON object/);
    assert.match(problemOf(called('', '{}')), /\(without a name\)/);
  });

  it('do not ask for tools that nobody named', () => {
    assert.equal(
      formatFor({ kind: 'tool_calls', strict: true }, () => false).read(replied('', 'stop', [called('any', '{}')]))
        .problem,
      undefined,
    );
  });

  it('are never run when the reply was cut', () => {
    const proposal = strict.read(replied('', 'length', [called('bash', '{"command":"ls"}')]));
    assert.deepEqual(proposal.groups, []);
    assert.match(proposal.problem!, /cut off at the token limit/);
  });
});
