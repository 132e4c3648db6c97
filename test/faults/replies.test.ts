import { strict as assert } from 'node:assert';
import { chatModel } from '../../src/adapters/models/chat/chatModel';
import { maxCalls } from '../../src/core/agent/thinking/actionsFor';
import { statusOf } from '../../src/core/log/status';
import { toMessages } from '../../src/core/model/messages';
import {
  chunksOf,
  raw,
  reply,
  startModelServer,
  stream,
  toolCall,
  toolCalls,
  type Answer,
} from '../support/modelServer';
import type { Environment } from '../../src/core/ports/environment';
import type { Files } from '../../src/core/ports/files';
import { World } from '../conformance/support/world';
import { withSession, type Session, lastText } from './support/session';

const outcomes = ({ of }: Session): string[] => of('observation').map(({ outcome }) => outcome);
const results = ({ of }: Session): string[] => of('observation').map(({ content }) => content);
const files = { 'a.txt': 'hello\n', 'b.txt': 'world\n' };
const done = reply('Done.');
/** Chunks of a stream as some servers send them, with arbitrary fields. */
const call = (fields: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta: { tool_calls: [fields] }, finish_reason: finish }],
});

describe('fault 23: arguments that are not valid JSON', () => {
  const slips: [string, string, string, RegExp][] = [
    ['a trailing comma', '{"path": "a.txt",}', '{"command": "touch ran",}', /character 2\d/],
    ['single quotes', "{'path': 'a.txt'}", "{'command': 'touch ran'}", /character 2\b/],
    ['names without quotes', '{path: "a.txt"}', '{command: "touch ran"}', /character 2\b/],
  ];
  for (const [name, read, run, position] of slips) {
    it(`but have ${name} are repaired for a tool that only reads`, () =>
      withSession(
        [toolCall('read_file', read), done],
        (session) => {
          assert.deepEqual(outcomes(session), ['ok']);
          assert.match(results(session)[0]!, /hello/);
        },
        { files },
      ));

    it(`but have ${name} are reported with their position for a tool that acts, which does not run`, () =>
      withSession(
        [toolCall('run_command', run), toolCall('write_file', run.replace('command', 'content')), done],
        (session) => {
          assert.deepEqual([outcomes(session), session.workspace.names()], [['error', 'error'], []]);
          assert.match(results(session)[0]!, position);
          assert.match(results(session)[0]!, /not JSON.*Nothing was run.*valid JSON/);
        },
      ));
  }

  it('stay in the history as the model wrote them, wrapped for servers that accept only objects', () =>
    withSession(
      [toolCall('run_command', '{"command": "touch ran",'), toolCall('read_file', "{'path': 'a.txt'}"), done],
      (session) => {
        const written = toMessages(session.conversation.history)
          .flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
          .map((call) => call.function.arguments);
        assert.deepEqual(written, ['{"command": "touch ran",', "{'path': 'a.txt'}"]);
        const { messages } = session.server.requests.at(-1)!.body;
        const sent = messages.flatMap(({ tool_calls: calls = [] }) =>
          (calls as { function: { arguments: string } }[]).map(
            (call) => JSON.parse(call.function.arguments) as unknown,
          ),
        );
        assert.deepEqual(sent, [
          { malformed_json: '{"command": "touch ran",' },
          { malformed_json: "{'path': 'a.txt'}" },
        ]);
        assert.match(
          String(messages.at(-1)?.content),
          /hello[^]*\[The arguments were not valid JSON and were read as \{"path":"a\.txt"\}\.\]$/,
        );
      },
      { files },
    ));

  it('at all are reported for any tool', () =>
    withSession(
      [toolCall('read_file', 'a.txt please'), toolCall('run_command', '{"command": "touch ran"} and more'), done],
      (session) => {
        assert.deepEqual([outcomes(session), session.workspace.bytes('ran')], [['error', 'error'], undefined]);
        assert.match(results(session)[1]!, /more text after the value/);
      },
      { files },
    ));
});

describe('fault 24: arguments that do not match the schema', () => {
  const bad: [string, string][] = [
    ['of the wrong type', '{"command": 7}'],
    ['missing', '{}'],
    ['null', '{"command": null}'],
    ['null altogether', 'null'],
    ['a list', '["touch ran"]'],
    ['a text', '"touch ran"'],
    ['with a number that is too large', '{"command": "touch ran", "timeout": 1e999}'],
    ['nested without end', `{"command": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ];
  for (const [name, input] of bad) {
    it(`${name} are reported and nothing runs`, () =>
      withSession([toolCall('run_command', input), done], (session) => {
        assert.deepEqual(
          [outcomes(session), session.workspace.bytes('ran'), lastText(session)],
          [['error'], undefined, 'Done.'],
        );
        assert.ok(results(session)[0]!.length < 1_000);
      }));
  }

  it('with extra fields cannot pollute the object prototype', () =>
    withSession(
      [toolCall('read_file', { path: 'a.txt', __proto__: { polluted: true }, sudo: true }), done],
      (session) => {
        assert.ok(['ok', 'error'].includes(outcomes(session)[0]!));
        assert.equal(({} as { polluted?: boolean }).polluted, undefined);
      },
      { files },
    ));
});

describe('fault 129: a call that is written as text', () => {
  const written: [string, string][] = [
    [
      'Hermes and Qwen',
      '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "x"}}\n</tool_call>',
    ],
    ['Llama', 'I write it.\n<function=write_file>{"path": "a.txt", "content": "x"}</function>'],
    [
      'Qwen Coder',
      '<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>',
    ],
    ['Mistral', '[TOOL_CALLS][{"name": "write_file", "arguments": {"path": "a.txt", "content": "x"}}]'],
    ['newer Mistral', '[TOOL_CALLS]write_file{"path": "a.txt", "content": "x"}'],
    [
      'Kimi',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>{"path": "a.txt"}<|tool_call_end|>',
    ],
    [
      'DeepSeek',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write_file\n{"path": "a.txt"}\n<｜tool▁calls▁end｜>',
    ],
    [
      'Anthropic',
      '<function_calls>\n<invoke name="write_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</function_calls>',
    ],
  ];
  for (const [name, text] of written)
    it(`as by ${name} does not run; the model is told, and the next call runs`, () =>
      withSession(
        [reply(text), toolCall('write_file', { path: 'b.txt', content: 'x\n' }), done],
        ({ of, workspace }) => {
          assert.match(of('feedback')[0]!.text, /call of write_file that is written as text/);
          assert.deepEqual([workspace.bytes('a.txt'), workspace.bytes('b.txt')?.toString()], [undefined, 'x\n']);
        },
      ));

  const readable: readonly (readonly [string, string])[] = [
    ...written.slice(0, 2),
    [
      'Qwen Coder, without its first tag, after words',
      'I write it.\n\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\nx\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'Qwen Coder, with a parameter that is not closed',
      '<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\nx\n</function>\n</tool_call>',
    ],
    [
      'Anthropic, complete',
      '<function_calls>\n<invoke name="write_file">\n<parameter name="path">a.txt</parameter>\n<parameter name="content">x</parameter>\n</invoke>\n</function_calls>',
    ],
  ];
  for (const [name, text] of readable)
    it(`as by ${name} runs from the second time on, and people are told once`, () =>
      withSession(
        [reply(text), reply(text), reply(text.replace('a.txt', 'b.txt')), done],
        ({ of, workspace, server }) => {
          assert.equal(of('feedback').length, 1);
          assert.deepEqual([workspace.bytes('a.txt'), workspace.bytes('b.txt')].map(String), ['x', 'x']);
          const told = of('notice').filter(({ text }) => text.includes('leaves tool calls in the text'));
          assert.equal(told.length, 1);
          const [, , , sent] = server.requests.map(({ body }) => body.messages as any[]);
          const [second, , third] = sent!.slice(-4);
          assert.doesNotMatch(JSON.stringify([second.content, third.content]), /function|invoke|tool_call/);
          assert.equal(JSON.parse(second.tool_calls[0].function.arguments).content, 'x');
        },
      ));

  it('is not read if it may be quoted from a file', () => {
    const call =
      '<function=write_file>\n<parameter=path>\nb.txt\n</parameter>\n<parameter=content>\nx\n</parameter>\n</function>';
    const shown = `The file contains:\n\n${call}`;
    return withSession(
      [toolCall('read_file', { path: 'a.txt' }), reply(shown), reply(shown), done],
      ({ of, workspace }) => {
        assert.equal(of('feedback').length, 2);
        assert.equal(workspace.bytes('b.txt'), undefined);
      },
      { files: { 'a.txt': `Notes.\n  ${call.replaceAll('\n', '\n  ')}\n` } },
    );
  });

  it('is not read if something is missing or follows', () =>
    withSession(
      [reply(written[0]![1]), reply('<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n</function>'), done],
      ({ of, workspace }) => {
        assert.equal(of('feedback').length, 2);
        assert.equal(workspace.bytes('a.txt'), undefined);
      },
    ));

  it('three times in a form that is not read ends the run and names the server’s setting and a profile', () =>
    withSession(
      [1, 2, 3].map(() => reply(written[3]![1])),
      ({ of }) => {
        const { status, problem } = of('finished')[0]!;
        assert.equal(status, 'failed');
        assert.match(problem!.next, /tool calls in the model server.*mini-text/);
      },
    ));

  it('is an answer if it only explains such a call', () =>
    withSession(
      [reply('Models write <tool_call>{"name": "write_file"}</tool_call>, which the server turns into a call.')],
      ({ of }) => assert.equal(of('feedback').length, 0),
    ));
});

describe('fault 25: a tool that does not exist', () => {
  for (const name of ['readFile', 'READ_FILE', 'read_file ']) {
    it(`named “${name}” runs as the tool it clearly means, and the model is told the right name`, () =>
      withSession(
        [toolCall(name, { path: 'a.txt' }), done],
        (session) => {
          assert.deepEqual(outcomes(session), ['ok']);
          assert.match(
            String(session.server.requests[1]!.body.messages.at(-1)?.content),
            /hello[^]*\[Understood\. Here this call is: read_file \{"path":"a\.txt"\}\]$/,
          );
        },
        { files },
      ));
  }

  for (const name of ['no_such_tool', '']) {
    it(`named “${name}” is reported with the available tools`, () =>
      withSession(
        [toolCall(name, { path: 'a.txt' }), done],
        (session) => {
          assert.deepEqual(outcomes(session), ['error']);
          assert.match(results(session)[0]!, /There is no tool named.*Tools: .*read_file.*run_command/);
        },
        { files },
      ));
  }
});

describe('fault 26: duplicate call ids', () => {
  it('in one reply are replaced, and each result belongs to its call', () =>
    withSession(
      [
        toolCalls([
          { id: 'same', tool: 'read_file', input: { path: 'a.txt' } },
          { id: 'same', tool: 'read_file', input: { path: 'b.txt' } },
        ]),
        done,
      ],
      (session) => {
        assert.equal(new Set(session.of('agent_response')[0]!.actions.map(({ id }) => id)).size, 2);
        assert.match(results(session).join(), /hello.*world/s);
        const { messages } = session.server.requests[1]!.body;
        const wanted = (messages[2]!.tool_calls as { id: string; function: { arguments: string } }[]).map(
          ({ id, function: { arguments: input } }) => [id, (JSON.parse(input) as { path: string }).path],
        );
        for (const [id, path] of wanted)
          assert.match(
            String(messages.find(({ tool_call_id: of }) => of === id)?.content),
            path === 'a.txt' ? /hello/ : /world/,
          );
      },
      { files },
    ));

  it('from an earlier reply are replaced, and each call runs once', () =>
    withSession(
      [1, 2, 3]
        .map(() => toolCalls([{ id: 'call_0', tool: 'run_command', input: { command: 'echo ran >> ran' } }]))
        .concat(done),
      (session) => {
        assert.equal(session.workspace.bytes('ran')?.toString(), 'ran\nran\nran\n');
        assert.equal(
          new Set(session.of('agent_response').flatMap(({ actions }) => actions.map(({ id }) => id))).size,
          3,
        );
      },
    ));

  it('from before the log was reopened run as new calls', async () => {
    const first = toolCalls([{ id: 'call_0', tool: 'run_command', input: { command: 'echo ran >> ran' } }]);
    const world = new World();
    try {
      const place = world.place();
      await withSession(
        [first, done],
        async ({ conversation }) => {
          const saved = structuredClone(conversation.history);
          const server = await startModelServer([first, done]);
          world.after(() => server.stop());
          const again = await world.begin({
            profile: 'waymark',
            model: chatModel({ baseUrl: server.baseUrl, name: 'test-model' }),
            saved,
            place,
          });
          again.conversation.say('Once more.');
          await again.conversation.rested();
          assert.equal(place.workspace.bytes('ran')?.toString(), 'ran\nran\n');
          assert.equal(statusOf(again.conversation.history), 'idle');
        },
        { place },
      );
    } finally {
      await world.end();
    }
  });
});

describe('fault 27: calls without an id or an index', () => {
  const shapes: [string, Answer][] = [
    [
      'no id',
      stream([
        call({ index: 0, type: 'function', function: { name: 'read_file', arguments: '{"path":"a.txt"}' } }),
        call({ index: 0, function: { arguments: '' } }, 'tool_calls'),
        '[DONE]',
      ]),
    ],
    [
      'an empty id',
      stream([
        call({ index: 0, id: '', type: 'function', function: { name: 'read_file', arguments: '{"path":' } }),
        call({ index: 0, id: '', function: { arguments: '"a.txt"}' } }, 'tool_calls'),
        '[DONE]',
      ]),
    ],
    [
      'no index',
      stream([
        call({ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":' } }),
        call({ function: { arguments: '"a.txt"}' } }, 'tool_calls'),
        '[DONE]',
      ]),
    ],
    [
      'neither',
      stream([call({ function: { name: 'read_file', arguments: '{"path":"a.txt"}' } }, 'tool_calls'), '[DONE]']),
    ],
    [
      'an id of null',
      stream([
        call({ index: 0, id: null, function: { name: 'read_file', arguments: '{"path":"a.txt"}' } }, 'tool_calls'),
        '[DONE]',
      ]),
    ],
  ];
  for (const [name, answer] of shapes) {
    it(`(${name}) work`, () =>
      withSession(
        [answer, done],
        (session) => {
          assert.deepEqual([outcomes(session), lastText(session)], [['ok'], 'Done.']);
          assert.match(results(session)[0]!, /hello/);
        },
        { files },
      ));
  }
});

describe('fault 28: an empty reply', () => {
  it('is prompted once, and the run continues', () =>
    withSession([reply(''), done], (session) => {
      assert.deepEqual(
        session.of('feedback').map(({ cause }) => cause),
        ['empty_reply'],
      );
      assert.equal(lastText(session), 'Done.');
    }));

  for (const [name, empty] of [
    ['text nor call', reply('')],
    ['anything but white space', reply(' \n\n ')],
    ['anything but thoughts', reply('', { reasoning: 'Hm.' })],
    ['a single chunk', raw('data: [DONE]\n\n')],
  ] as const) {
    it(`without ${name} a second time ends the run with a message; resuming asks again`, () =>
      withSession([empty, empty], async (session) => {
        assert.match(session.problem().what, /returned empty replies/);
        assert.equal(session.server.requests.length, 2);
        session.server.push(done);
        session.conversation.resume();
        await session.conversation.rested();
        assert.equal(lastText(session), 'Done.');
      }));
  }
});

describe('fault 29: a reply cut off at the token limit', () => {
  for (const [name, input] of [
    ['in the middle', '{"command": "touch ran; touch'],
    ['where it happens to be whole', '{"command": "touch ran"}'],
  ] as const) {
    it(`inside a call, ${name}, does not run it and asks to split the work`, () =>
      withSession([toolCall('run_command', input, { finish: 'length' }), done], (session) => {
        assert.deepEqual([outcomes(session), session.workspace.bytes('ran')], [['error'], undefined]);
        assert.match(results(session)[0]!, /cut off at the token limit.*Split the work/);
      }));
  }

  it('inside a text is continued', () =>
    withSession([reply('The roof is', { finish: 'length' }), reply(' mended.')], (session) => {
      assert.deepEqual(
        session.of('agent_response').map(({ text }) => text),
        ['The roof is', ' mended.'],
      );
      assert.match(String(session.server.requests[1]!.body.messages.at(-1)!.content), /exactly where it stopped/);
    }));

  it('every time is continued three times and then stops', () =>
    withSession(
      [1, 2, 3, 4].map((part) => reply(`Part ${part}.`, { finish: 'length' })),
      (session) => {
        assert.deepEqual([session.of('agent_response').length, statusOf(session.conversation.history)], [4, 'idle']);
        assert.match(session.of('notice').at(-1)!.text, /cut off at the token limit, so it is incomplete/);
      },
    ));
});

describe('fault 30: forty calls in one reply', () => {
  const names = Array.from({ length: 40 }, (_, index) => `file-${index}.txt`);
  const texts = Object.fromEntries(names.map((name) => [name, `content of ${name}\n`]));

  it('that read run eight at a time, with results in the order of the calls', async () => {
    const world = new World();
    try {
      const { workspace, environment } = world.place();
      let [running, most] = [0, 0];
      const read: Files['read'] = async (path) => {
        most = Math.max(most, ++running);
        // Later calls finish first.
        await new Promise((resolve) => setTimeout(resolve, 40 - Number(/\d+/.exec(path)![0])));
        return environment.files.read(path).finally(() => running--);
      };
      const slow: Environment = {
        ...environment,
        files: new Proxy(environment.files, {
          get: (real, name) => (name === 'read' ? read : (Reflect.get(real, name) as unknown)),
        }),
      };
      await withSession(
        [toolCalls(names.map((path) => ({ tool: 'read_file', input: { path } }))), done],
        (session) => {
          assert.ok(most > 1 && most <= 8, `${most} at once`);
          const answers = session.server.requests[1]!.body.messages.filter(({ role }) => role === 'tool').map(
            ({ content }) => /content of (\S+)/.exec(String(content))?.[1],
          );
          assert.deepEqual(answers, names);
        },
        { place: { workspace, environment: slow }, files: texts },
      );
    } finally {
      await world.end();
    }
  });

  it('that run commands run one after another', () =>
    withSession(
      [
        toolCalls(names.map((_, index) => ({ tool: 'run_command', input: { command: `echo ${index} >> order` } }))),
        done,
      ],
      (session) => {
        assert.equal(session.workspace.bytes('order')?.toString(), names.map((_, index) => `${index}\n`).join(''));
      },
    ));

  it('that write one path write in order, even if all calls run in parallel', () =>
    withSession(
      [
        toolCalls(names.map((_, index) => ({ tool: 'write_file', input: { path: 'one.txt', content: `${index}` } }))),
        done,
      ],
      (session) => {
        assert.equal(session.of('observation').length, 40);
        assert.equal(session.workspace.bytes('one.txt')?.toString(), '39');
      },
      { profile: 'hermes', toolsets: ['default'] },
    ));
});

describe('fault 31: the same call again and again', () => {
  it('gets a hint, then stops with the repeated pattern', () =>
    withSession(
      Array.from({ length: 4 }, () => toolCall('read_file', { path: 'a.txt' })),
      (session) => {
        const { what, why, next } = session.problem();
        assert.match(`${what} ${why}`, /stuck in a loop.*same call with the same result/);
        assert.match(next, /what to do differently/);
        assert.deepEqual(
          [session.of('feedback').map(({ cause }) => cause), session.server.requests.length],
          [['going_in_circles'], 4],
        );
      },
      { files },
    ));

  it('is also detected with different ids and white space, and if it fails each time', () =>
    withSession(
      [' ', '  ', '\n', '\t'].map((gap) => toolCall('read_file', `{"path":${gap}"gone.txt"}`)),
      (session) => {
        assert.match(session.problem().why, /failed each time/);
      },
    ));
});

describe('fault 32: an excessively long reply', () => {
  const endless = ({
    pieces,
    size,
    fields,
    before = [],
    after = [],
  }: {
    readonly pieces: number;
    readonly size: number;
    readonly before?: readonly object[];
    readonly after?: readonly object[];
    fields(piece: string): object;
  }): Answer =>
    stream([...before, ...Array.from({ length: pieces }, () => fields('x'.repeat(size))), ...after, '[DONE]']);
  const text = (piece: string): object => ({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] });
  const most = 2 * 1024 * 1024 + 64 * 1024;
  /** Large enough that nothing is condensed. */
  const unboundedWindow = { model: { contextWindow: 100_000_000 } };

  it('of ten million characters is truncated and not continued endlessly', () =>
    withSession(
      Array.from({ length: 4 }, () => endless({ pieces: 160, size: 64 * 1024, fields: text })),
      (session) => {
        for (const { text: kept } of session.of('agent_response'))
          assert.ok(kept.length <= most, `${kept.length} characters`);
        assert.equal(statusOf(session.conversation.history), 'idle');
        assert.ok(JSON.stringify(session.conversation.history).length < 5 * most);
      },
      unboundedWindow,
    )).timeout(60_000);

  it('of reasoning is truncated too', () =>
    withSession(
      [
        endless({
          pieces: 160,
          size: 64 * 1024,
          fields: (piece) => ({
            choices: [{ index: 0, delta: { reasoning_content: piece }, finish_reason: null }],
          }),
        }),
        done,
      ],
      (session) => {
        assert.ok(session.of('agent_response')[0]!.reasoning!.text.length <= most);
        assert.equal(lastText(session), 'Done.');
      },
    )).timeout(60_000);

  it('in the arguments of a call is truncated, and the call does not run', () =>
    withSession(
      [
        endless({
          pieces: 160,
          size: 64 * 1024,
          fields: (piece) => call({ index: 0, function: { arguments: piece } }),
          before: [
            call({
              index: 0,
              id: 'c1',
              type: 'function',
              function: { name: 'run_command', arguments: '{"command":"touch ran; echo ' },
            }),
          ],
          after: [call({ index: 0, function: { arguments: '"}' } }, 'tool_calls')],
        }),
        done,
      ],
      (session) => {
        assert.deepEqual(
          [outcomes(session), session.workspace.bytes('ran'), lastText(session)],
          [['error'], undefined, 'Done.'],
        );
        assert.ok(JSON.stringify(session.conversation.history).length < 2 * most);
      },
      unboundedWindow,
    )).timeout(60_000);

  it('of a million characters in one file is written completely', () =>
    withSession(
      [
        stream([
          ...chunksOf({ calls: [{ tool: 'write_file', input: '' }], finish: null, usage: null }),
          call(
            { index: 0, function: { arguments: JSON.stringify({ path: 'big.txt', content: 'y'.repeat(1_000_000) }) } },
            'tool_calls',
          ),
          '[DONE]',
        ]),
        done,
      ],
      (session) => {
        assert.equal(session.workspace.bytes('big.txt')?.length, 1_000_000);
        assert.deepEqual(outcomes(session), ['ok']);
      },
    )).timeout(60_000);

  it('of ten thousand calls is truncated to the maximum number, and the model is told', () =>
    withSession(
      [toolCalls(Array.from({ length: 10_000 }, (_, index) => ({ tool: 'nope', input: {}, id: `n${index}` }))), done],
      (session) => {
        assert.equal(session.of('observation').length, maxCalls);
        const results = session.server.requests[1]!.body.messages.filter(({ role }) => role === 'tool');
        assert.equal(results.length, maxCalls);
        assert.match(
          String(results.at(-1)!.content),
          /9872 more calls in this reply were skipped: a reply may contain 128/,
        );
        assert.doesNotMatch(String(results.at(-2)!.content), /left out/);
        assert.equal(lastText(session), 'Done.');
      },
    )).timeout(120_000);
});
