import assert from 'node:assert/strict';
import { toToolResult, resultText } from '../../../src/core/mcp/resultText';

const nowhere = async (): Promise<undefined> => undefined;

describe('the answer of an MCP server', () => {
  it('is text whatever it holds', () => {
    assert.equal(
      resultText({
        content: [
          { type: 'text', text: 'a' },
          { type: 'resource', resource: { uri: 'x:1', text: 'b' } },
          { type: 'resource', resource: { uri: 'x:2', blob: 'AAAA', mimeType: 'a/b' } },
          { type: 'new' },
        ],
      }),
      'a\n\nb\n\n[The resource x:2, a/b, 3 bytes. It is not text, so it is not shown.]\n\n[Content of type new. It is not shown.]',
    );
    assert.equal(
      resultText({ content: [{ type: 'resource_link', uri: 'x:3', name: 'Third', description: 'What it is' }] }),
      '[A resource: x:3 (Third: What it is)]',
    );
    assert.equal(resultText({}), '[The result is empty.]');
  });

  it('has its data told once, beside words that do not say it', () => {
    assert.equal(resultText({ structuredContent: { a: 1 } }), '{\n  "a": 1\n}');
    assert.equal(
      resultText({ content: [{ type: 'text', text: '{ "a": 1 }' }], structuredContent: { a: 1 } }),
      '{ "a": 1 }',
    );
    assert.equal(
      resultText({ content: [{ type: 'text', text: 'One was found.' }], structuredContent: { a: 1 } }),
      'One was found.\n\n{\n  "a": 1\n}',
    );
  });

  for (const [what, texts, data] of [
    ['the reference server for files: {content: same}', ['line 1\nline 2'], { content: 'line 1\nline 2' }],
    ['FastMCP: {result: same}', ['Found it.'], { result: 'Found it.' }],
    ['a number under result', ['5'], { result: 5 }],
    ['a list under result, one text each', ['a', '{"b":1}'], { result: ['a', { b: 1 }] }],
    ['a list under result, in one text', ['["a","b"]'], { result: ['a', 'b'] }],
    ['lines of several texts', ['a', 'b'], { content: 'a\nb' }],
    ['the same keys in another order', ['{"b":{"d":2,"c":1},"a":0}'], { a: 0, b: { c: 1, d: 2 } }],
  ] as const) {
    it(`has its data told once: ${what}`, () => {
      assert.equal(
        resultText({ content: texts.map((text) => ({ type: 'text', text })), structuredContent: data }),
        texts.join('\n\n'),
      );
    });
  }

  for (const [what, text, data] of [
    ['another key beside the same', 'Found it.', { result: 'Found it.', more: true }],
    ['a key that means something', '5', { deleted: 5 }],
    ['other words', 'Found it.', { result: 'Found 2.' }],
    ['a list that says more', '["a"]', { result: ['a', 'b'] }],
  ] as const) {
    it(`keeps data that its words do not say: ${what}`, () => {
      assert.equal(
        resultText({ content: [{ type: 'text', text }], structuredContent: data }),
        `${text}\n\n${JSON.stringify(data, null, 2)}`,
      );
    });
  }

  it('does not have a picture told again as data', async () => {
    const content = [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }];
    const { text, images } = await toToolResult(
      { content, structuredContent: { content: [{ mimeType: 'image/png', type: 'image', data: 'iVBORw0KGgo=' }] } },
      nowhere,
    );
    assert.equal(text, '[Image 1, image/png, 8 bytes: shown after the results.]');
    assert.equal(images.length, 1);
  });

  it('has pictures that models take shown, and what else is no text kept where a person can open it', async () => {
    const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
    const kept: string[] = [];
    const keep = async (base64: string, mediaType: string): Promise<string> => {
      kept.push(`${mediaType} ${base64}`);
      return `there/${kept.length}`;
    };
    const { text, images } = await toToolResult(
      {
        content: [
          picture,
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
          { ...picture, mimeType: 'image/svg+xml' },
          { type: 'resource', resource: { uri: 'x:1', blob: 'AAAA', mimeType: 'application/pdf' } },
        ],
      },
      keep,
    );
    assert.deepEqual(images, [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }]);
    assert.deepEqual(text.split('\n\n'), [
      '[Image 1, image/png, 8 bytes: shown after the results.]',
      '[An audio clip, audio/wav, 3 bytes. It is saved in there/1, which a person can open.]',
      '[An image, image/svg+xml, 8 bytes. It is saved in there/2, which a person can open.]',
      '[The resource x:1, application/pdf, 3 bytes. It is saved in there/3, which a person can open.]',
    ]);
    assert.deepEqual(kept, ['audio/wav AAAA', 'image/svg+xml iVBORw0KGgo=', 'application/pdf AAAA']);
    const many = await toToolResult(
      { content: [...Array.from({ length: 6 }, () => picture), { ...picture, data: '"><script>' }] },
      nowhere,
    );
    assert.equal(many.images.length, 5);
    assert.equal(many.text.split('It is not shown.').length, 3);
  });

  it('has at most 50 of its parts saved', async () => {
    let kept = 0;
    const part = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
    const { text } = await toToolResult(
      { content: Array.from({ length: 60 }, () => part) },
      async () => `there/${++kept}`,
    );
    assert.equal(kept, 50);
    assert.equal(text.split('It is not shown.').length - 1, 10);
  });
});
