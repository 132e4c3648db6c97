import { strict as assert } from 'node:assert';
import type { Tool as GivenTool } from '../../../api/waymark';
import { contributedTools } from '../../../src/extension/contributed/contributedTools';
import type { ToolContext } from '../../../src/core/ports/tool';

const by = { id: 'a.reviewer', name: 'Reviewer' };
const parameters = { type: 'object', properties: { word: { type: 'string', minLength: 2 } }, required: ['word'] };
const tool = (more: Partial<GivenTool> = {}): GivenTool => ({
  name: 'say',
  description: 'Says it.',
  parameters,
  run: async ({ word }) => `said ${String(word)}`,
  ...more,
});
const made = (more: Partial<GivenTool> = {}) => contributedTools({ all: [{ by, thing: tool(more) }] }).tools()[0]!;
const context = (signal = new AbortController().signal, heard: string[] = []) =>
  ({
    environment: { root: '/work' },
    signal,
    progress: (text: string) => void heard.push(text),
    versionSeen: () => undefined,
  }) as unknown as ToolContext;

describe('a tool of another extension', () => {
  it('says by whom it is, to the person and to the log', () => {
    const { name, from, bind } = made();
    assert.equal(name, 'ext_say');
    assert.equal(from?.source, 'the extension Reviewer (a.reviewer)');
    assert.equal(bind({ word: 'hello' }).summary, 'Call say of the extension Reviewer (a.reviewer)');
  });

  const levels: [Partial<GivenTool>, string][] = [
    [{}, 'unknown'],
    [{ risk: 'low' }, 'medium'],
    [{ risk: 'medium' }, 'medium'],
    [{ risk: 'high' }, 'high'],
    [{ effect: 'writes' }, 'unknown'],
    [{ effect: 'writes', risk: 'low' }, 'medium'],
    [{ effect: 'reads' }, 'low'],
    [{ effect: 'reads', risk: 'high' }, 'high'],
    [{ effect: 'reads', risk: 'medium' }, 'medium'],
  ];
  for (const [declared, level] of levels) {
    it(`that declares ${JSON.stringify(declared)} is judged as ${level}, with untrusted answers and a way out`, () => {
      const { risk } = made(declared).bind({ word: 'hello' });
      assert.equal(risk.level, level);
      assert.deepEqual(risk.reach, {
        untrusted: ['the extension Reviewer (a.reviewer)'],
        network: ['the extension Reviewer (a.reviewer)'],
      });
    });
  }

  it('gets only input that fits its schema, and what it is given is its own', async () => {
    let calls = 0;
    const counting = made({
      run: async (input) => {
        calls++;
        (input as { word: string }).word = 'changed';
        return 'done';
      },
    });
    const input = { word: 'hello' };
    await assert.rejects(counting.bind({ word: 'x' }).run(context()), /does not fit/);
    assert.throws(() => counting.bind({}), /word is missing/);
    assert.equal(calls, 0);
    assert.equal((await counting.bind(input).run(context())).content, 'done');
    assert.deepEqual(input, { word: 'hello' });
  });

  it('is told the folder and shows what it does meanwhile', async () => {
    const heard: string[] = [];
    const { content, failed } = await made({
      run: async (_input, { folder, progress }) => {
        progress('half');
        return { content: `in ${folder}`, failed: true };
      },
    })
      .bind({ word: 'hello' })
      .run(context(undefined, heard));
    assert.deepEqual({ content, failed, heard }, { content: 'in /work', failed: true, heard: ['half'] });
  });

  it('that never answers does not keep a run that is stopped', async () => {
    const stop = new AbortController();
    const running = made({ run: () => new Promise(() => undefined) })
      .bind({ word: 'hello' })
      .run(context(stop.signal));
    stop.abort(new Error('Stopped.'));
    await assert.rejects(running, /Stopped\./);
  });

  it('that is taken back while a call waits answers in words, and is offered no more', async () => {
    const all = [{ by, thing: tool() }];
    const source = contributedTools({ all });
    const call = source.tools()[0]!.bind({ word: 'hello' });
    all.pop();
    assert.deepEqual(source.tools(), []);
    await assert.rejects(call.run(context()), /say is not there any more.*Go on without it/);
  });

  it('whose summary fails or spreads over lines has one line all the same', () => {
    assert.equal(
      made({
        summarize: () => {
          throw new Error('no');
        },
      }).bind({ word: 'hello' }).summary,
      '(say of the extension Reviewer (a.reviewer))',
    );
    assert.equal(
      made({ summarize: ({ word }) => `Say\n\n${String(word)}` }).bind({ word: 'hello' }).summary,
      'Say hello (say of the extension Reviewer (a.reviewer))',
    );
  });

  it('that answers with no text, or with far too much, is an error or is cut', async () => {
    await assert.rejects(
      made({ run: async () => 7 as unknown as string })
        .bind({ word: 'hello' })
        .run(context()),
      /answered with no text/,
    );
    const { content } = await made({ run: async () => 'x'.repeat(60_000) })
      .bind({ word: 'hello' })
      .run(context());
    assert.match(content, /15,000 characters are left out here\. Ask for less at a time\./);
  });
});
