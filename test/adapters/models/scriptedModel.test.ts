import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { parseScript, scriptedModel, type ScriptLine } from '../../../src/adapters/models/scriptedModel';
import type { ChatMessage, ModelReply } from '../../../src/core/ports/model';
import { ask, problemFrom, question } from '../../support/ask';

const script: ScriptLine[] = [
  { say: 'First a look.', reasoning: 'The test fails; why?', call: { tool: 'read_file', input: { path: 'add.js' } } },
  {
    expect: 'return a - b',
    calls: [
      { tool: 'edit_file', input: { path: 'add.js' } },
      { tool: 'run_command', input: { command: 'npm test' } },
    ],
  },
  { expect: ['edited', '1 passed'], say: 'It works.' },
];

const after = (messages: ChatMessage[], reply: ModelReply, ...observations: string[]): ChatMessage[] => [
  ...messages,
  { role: 'assistant', content: reply.text, tool_calls: [...reply.toolCalls] },
  ...reply.toolCalls.map(({ id }, index) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: observations[index] ?? '',
  })),
];

describe('a scripted model', () => {
  it('plays its lines in the order of the conversation', async () => {
    const model = scriptedModel(script);
    const first = (await ask(model)).reply;
    assert.deepEqual(
      [first.text, first.reasoning?.text, first.toolCalls[0]!.function],
      ['First a look.', 'The test fails; why?', { name: 'read_file', arguments: '{"path":"add.js"}' }],
    );
    const seen = after(question, first, 'function add(a, b) { return a - b; }');
    const second = (await ask(model, { messages: seen })).reply;
    assert.deepEqual(
      second.toolCalls.map(({ function: { name } }) => name),
      ['edit_file', 'run_command'],
    );
    const third = (await ask(model, { messages: after(seen, second, 'edited', '1 passed') })).reply;
    assert.deepEqual([third.text, third.finishReason], ['It works.', 'stop']);
  });

  it('is stateless: another instance continues in the middle, and the same one can be asked again', async () => {
    const first = (await ask(scriptedModel(script))).reply;
    const seen = after(question, first, 'return a - b');
    const model = scriptedModel(script);
    const second = (await ask(model, { messages: seen })).reply;
    assert.equal(second.toolCalls[0]!.function.name, 'edit_file');
    assert.deepEqual((await ask(model, { messages: seen })).reply.toolCalls, second.toolCalls);
    assert.deepEqual((await ask(model)).reply.toolCalls, first.toolCalls);
  });

  it('of the tutorial says so if its deletion was refused, and asks again after a message', async () => {
    const file = path.join(process.env['REPOSITORY']!, 'examples/first-run/script.jsonl');
    const lines = parseScript(fs.readFileSync(file, 'utf8')).map((line) => ({ ...line, pauseMs: 0 }));
    const deletion = lines.findIndex(({ call }) => call?.input?.['command'] === 'rm -rf .kept');
    const model = scriptedModel(lines.slice(deletion));
    const asks = (await ask(model, { messages: [{ role: 'user', content: '1470' }] })).reply;
    const refused = after(question, asks, 'The user refused this action: Keep it.');
    const says = (await ask(model, { messages: refused })).reply;
    assert.match(says.text, /^Not deleted\./);
    assert.deepEqual(says.toolCalls, []);
    const goesOn: ChatMessage[] = [...after(refused, says), { role: 'user', content: 'Go on.' }];
    const again = (await ask(model, { messages: goesOn })).reply;
    assert.equal(again.toolCalls[0]!.function.arguments, asks.toolCalls[0]!.function.arguments);
    assert.notEqual(again.toolCalls[0]!.id, asks.toolCalls[0]!.id);
    const deleted = after(goesOn, again, 'exit 0');
    assert.match((await ask(model, { messages: deleted })).reply.text, /^Deleted\./);
  });

  it('uses ids that are unique in the whole script', async () => {
    const model = scriptedModel(script);
    const first = (await ask(model)).reply;
    const second = (await ask(model, { messages: after(question, first, 'return a - b') })).reply;
    assert.equal(new Set([...first.toolCalls, ...second.toolCalls].map(({ id }) => id)).size, 3);
  });

  it('streams its text in small pieces that make up the whole', async () => {
    const text = '  Two  spaces,\nlines and an end \n';
    const { reply, deltas } = await ask(scriptedModel([{ say: text, reasoning: 'a b' }]));
    assert.equal(reply.text, text);
    assert.equal(deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join(''), text);
    assert.ok(deltas.filter(({ kind }) => kind === 'text').length > 4);
    assert.deepEqual(deltas.filter(({ kind }) => kind === 'reasoning').length, 2);
  });

  it('says that it is scripted, costs nothing and counts no tokens', async () => {
    const model = scriptedModel(script, { name: 'tutorial' });
    assert.deepEqual(
      [model.info.scripted, /scripted/.test(model.info.name), /scripted/.test(model.info.provider)],
      [true, true, true],
    );
    const { reply } = await ask(model);
    assert.deepEqual(reply.usage, { inputTokens: null, outputTokens: null, cachedTokens: null, cost: 0 });
    assert.match(reply.model, /scripted/);
  });

  it('fails if the observation is not what the script expects', async () => {
    const first = (await ask(scriptedModel(script))).reply;
    const problem = await problemFrom(
      ask(scriptedModel(script, { source: 'script.jsonl' }), { messages: after(question, first, 'return a * b') }),
    );
    assert.equal(problem.kind, 'script');
    assert.match(problem.message, /Line 2 of script\.jsonl.*“return a - b”.*“return a \* b”/);
  });

  it('checks everything after its last reply, and only that', async () => {
    const first = (await ask(scriptedModel(script))).reply;
    const early: ChatMessage[] = [question[0]!, { role: 'user', content: 'return a - b' }];
    assert.equal(
      (await problemFrom(ask(scriptedModel(script), { messages: after(early, first, 'nothing') }))).kind,
      'script',
    );
    const noted: ChatMessage[] = [...after(question, first, 'return a - b'), { role: 'user', content: 'go on please' }];
    assert.equal((await ask(scriptedModel(script), { messages: noted })).reply.toolCalls.length, 2);
  });

  it('fails if one of several expectations is missing', async () => {
    const problem = await problemFrom(ask(scriptedModel([{ say: 'x', expect: ['What', 'absent'] }])));
    assert.match(problem.message, /“absent”/);
  });

  it('fails when the script has ended', async () => {
    const problem = await problemFrom(ask(scriptedModel([])));
    assert.deepEqual(
      [problem.kind, /only 0 lines/.test(problem.message), /real model/.test(problem.next)],
      ['script', true, true],
    );
    const twice: ChatMessage[] = [...question, { role: 'assistant', content: 'x' }, { role: 'user', content: 'on' }];
    const oneLine = await problemFrom(ask(scriptedModel([{ say: 'x' }]), { messages: twice }));
    assert.match(oneLine.message, /only 1 line;/);
  });

  it('can be stopped during a pause', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(
      ask(scriptedModel([{ say: 'never said', pauseMs: 3_600_000 }]), {}, controller.signal),
      (error) => error === reason,
    );
  });
});

describe('a script', () => {
  it('is one JSON object per line, with empty lines and comments between', () => {
    assert.deepEqual(
      parseScript('// remark\n{"say":"a"}\r\n\n{"call":{"tool":"ls","input":{"p":1}},"expect":"x","pauseMs":5}\n'),
      [{ say: 'a' }, { call: { tool: 'ls', input: { p: 1 } }, expect: 'x', pauseMs: 5 }],
    );
  });

  it('may say nothing beside a call', () => {
    const calls = [{ tool: 'ls', input: {} }];
    assert.deepEqual(parseScript(JSON.stringify({ say: '', calls })), [{ say: '', calls }]);
  });

  for (const [name, line] of [
    ['broken JSON', '{"say":'],
    ['an unknown field', '{"say":"a","typo":1}'],
    ['nothing to say or do', '{"expect":"x"}'],
    ['a call without a tool', '{"call":{"input":{}}}'],
    ['something that is no object', '"say"'],
  ] as const) {
    it(`with ${name} names the line`, async () => {
      const problem = await problemFrom(
        (async () => parseScript(`{"say":"a"}\n\n${line}`, 'first-run/script.jsonl'))(),
      );
      assert.equal(problem.kind, 'script');
      assert.match(problem.message, /Line 3 of first-run\/script\.jsonl/);
    });
  }
});
