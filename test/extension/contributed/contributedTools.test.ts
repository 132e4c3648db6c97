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
const made = (more: Partial<GivenTool> = {}) => contributedTools({ all: [{ by, value: tool(more) }] }).tools()[0]!;
const context = (signal = new AbortController().signal, heard: string[] = []) =>
  ({
    environment: { root: '/work' },
    signal,
    progress: (text: string) => void heard.push(text),
    versionSeen: () => undefined,
  }) as unknown as ToolContext;

describe('a tool of another extension', () => {
  it('names its extension to the person and in the log', () => {
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
    it(`that declares ${JSON.stringify(declared)} is judged as ${level}, with untrusted output and network access`, () => {
      const { risk } = made(declared).bind({ word: 'hello' });
      assert.equal(risk.level, level);
      assert.deepEqual(risk.reach, {
        untrusted: ['the extension Reviewer (a.reviewer)'],
        network: ['the extension Reviewer (a.reviewer)'],
      });
    });
  }

  it('receives a copy of its input, and only if the input fits its schema', async () => {
    let calls = 0;
    const counting = made({
      run: async (input) => {
        calls++;
        (input as { word: string }).word = 'changed';
        return 'done';
      },
    });
    const input = { word: 'hello' };
    await assert.rejects(counting.bind({ word: 'x' }).run(context()), /Invalid input for/);
    assert.throws(() => counting.bind({}), /word is missing/);
    assert.equal(calls, 0);
    assert.equal((await counting.bind(input).run(context())).content, 'done');
    assert.deepEqual(input, { word: 'hello' });
  });

  it('receives the folder and reports progress', async () => {
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

  it('does not delay a stop if it never answers', async () => {
    const stop = new AbortController();
    const running = made({ run: () => new Promise(() => undefined) })
      .bind({ word: 'hello' })
      .run(context(stop.signal));
    stop.abort(new Error('Stopped.'));
    await assert.rejects(running, /Stopped\./);
  });

  it('is no longer offered after it is unregistered, and a waiting call says so', async () => {
    const all = [{ by, value: tool() }];
    const source = contributedTools({ all });
    const call = source.tools()[0]!.bind({ word: 'hello' });
    all.pop();
    assert.deepEqual(source.tools(), []);
    await assert.rejects(call.run(context()), /say is no longer available.*Continue without it/);
  });

  it('has a one-line summary even if its own fails or has several lines', () => {
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

  it('fails if it returns no text, and a long text is cut', async () => {
    await assert.rejects(
      made({ run: async () => 7 as unknown as string })
        .bind({ word: 'hello' })
        .run(context()),
      /returned no text/,
    );
    const { content } = await made({ run: async () => 'x'.repeat(60_000) })
      .bind({ word: 'hello' })
      .run(context());
    assert.match(content, /15,000 characters are omitted here\. Request less at a time\./);
  });
});
