import { strict as assert } from 'node:assert';
import type { Diagnostics, NewProblems } from '../../../../src/core/ports/diagnostics';
import { begin, call, partsFor, plays, says } from '../story';

/** A language service that reports each of these problems once, too late for any edit. */
function lateService(...words: string[]): Diagnostics & { readonly asked: boolean[] } {
  const asked: boolean[] = [];
  const none: NewProblems = { lines: [], more: 0, gone: 0 };
  return {
    asked,
    watch: () => ({ since: () => Promise.resolve(none), dispose: () => undefined }),
    late: ({ atEnd }) => {
      asked.push(atEnd);
      const line = words.shift();
      return Promise.resolve(line === undefined ? undefined : { ...none, lines: [line] });
    },
  };
}

function story(diagnostics: Diagnostics, ...calls: ReturnType<typeof call>[]) {
  return told(diagnostics, ...calls.map((each) => says('', each)), says('bye'));
}

function told(diagnostics: Diagnostics, ...replies: ReturnType<typeof says>[]) {
  const model = plays(...replies);
  const { environment } = partsFor(model);
  return begin(model, { parts: { environment: { ...environment, diagnostics } } });
}

describe('late problems from language services', () => {
  it('are appended to the next result of any tool', async () => {
    const conversation = story(lateService('a.ts:1:1 error: late'), call('look', { name: 'a' }));
    await conversation.go();
    const observation = conversation.history.find((event) => event.type === 'observation');
    assert.equal(
      observation?.content,
      'look a done\n\nNew problems in the editor since earlier edits:\na.ts:1:1 error: late',
    );
  });

  it('are requested before the run finishes, and delay its end once', async () => {
    const service = lateService('a.ts:1:1 error: late');
    const conversation = story(service, call('finish', { summary: 'first' }), call('finish', { summary: 'second' }));
    await conversation.go();
    assert.equal(service.asked[0], true);
    const first = conversation.history.find((event) => event.type === 'observation');
    assert.equal(first?.outcome, 'error');
    assert.match(first?.content ?? '', /^The task is not finished yet\. .*\na\.ts:1:1 error: late\n\nFix them/);
    const ends = conversation.history.filter((event) => event.type === 'finished');
    assert.deepEqual(
      ends.map(({ summary }) => summary),
      ['second'],
    );
  });

  it('are reported after an answer without calls, before the run becomes idle', async () => {
    const conversation = told(lateService('a.ts:1:1 error: late'), says('done'), says('done again'));
    await conversation.go();
    const heard = conversation.history.flatMap((event) => {
      if (event.type === 'agent_response') return [event.text];
      return event.type === 'feedback' ? [event.cause, event.text] : [];
    });
    const [first, cause, words, second] = heard;
    assert.deepEqual([first, cause, second], ['done', 'late_problems', 'done again']);
    assert.match(words ?? '', /^The task is not finished yet\. .*\na\.ts:1:1 error: late\n/);
  });

  it('delay the end of a run twice at most if they differ each time', async () => {
    const words = Array.from({ length: 8 }, (_, time) => `a.ts:1:1 error: late ${time}`);
    const conversation = told(lateService(...words), ...words.map((_, time) => says(`done ${time}`)));
    await conversation.go();
    const feedback = conversation.history.filter((event) => event.type === 'feedback');
    const replies = conversation.history.filter((event) => event.type === 'agent_response');
    assert.deepEqual([feedback.length, replies.length], [2, 3]);
  });

  it('do not delay the end of a run if problems only disappeared', async () => {
    const service = lateService();
    const gone: Diagnostics = { ...service, late: () => Promise.resolve({ lines: [], more: 0, gone: 1 }) };
    const conversation = story(gone, call('finish', { summary: 'first' }));
    await conversation.go();
    const ends = conversation.history.filter((event) => event.type === 'finished');
    assert.deepEqual(
      ends.map(({ summary }) => summary),
      ['first'],
    );
  });
});
