import { strict as assert } from 'node:assert';
import type { Diagnostics, NewProblems } from '../../../../src/core/ports/environment';
import { begin, call, partsFor, plays, says } from '../story';

/** A language service that says each of these once, too late for any edit. */
function lateService(...words: string[]): Diagnostics & { readonly asked: boolean[] } {
  const asked: boolean[] = [];
  const none: NewProblems = { lines: [], more: 0, gone: 0 };
  return {
    asked,
    watch: () => ({ since: () => Promise.resolve(none), dispose: () => undefined }),
    late: (atEnd) => {
      asked.push(atEnd);
      const line = words.shift();
      return Promise.resolve(line === undefined ? undefined : { ...none, lines: [line] });
    },
  };
}

function story(diagnostics: Diagnostics, ...calls: ReturnType<typeof call>[]) {
  const model = plays(...calls.map((each) => says('', each)), says('bye'));
  const { environment } = partsFor(model);
  return begin(model, { parts: { environment: { ...environment, diagnostics } } });
}

describe('what language services say too late for an edit', () => {
  it('stands beside the next result, whatever that is of', async () => {
    const conversation = story(lateService('a.ts:1:1 error: late'), call('look', { name: 'a' }));
    await conversation.go();
    const observation = conversation.history.find((event) => event.type === 'observation');
    assert.equal(
      observation?.content,
      'look a done\n\nProblems that the editor shows since earlier edits:\na.ts:1:1 error: late',
    );
  });

  it('is asked for before the run may finish, and keeps it from that once', async () => {
    const service = lateService('a.ts:1:1 error: late');
    const conversation = story(service, call('finish', { summary: 'first' }), call('finish', { summary: 'second' }));
    await conversation.go();
    assert.equal(service.asked[0], true);
    const first = conversation.history.find((event) => event.type === 'observation');
    assert.equal(first?.outcome, 'error');
    assert.match(first?.content ?? '', /^The task is not finished yet\. .*\na\.ts:1:1 error: late\n\nLook at them/);
    const ends = conversation.history.filter((event) => event.type === 'finished');
    assert.deepEqual(
      ends.map(({ summary }) => summary),
      ['second'],
    );
  });
});
