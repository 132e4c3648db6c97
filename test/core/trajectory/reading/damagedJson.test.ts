import { strict as assert } from 'node:assert';
import { seededRandom } from '../../../../src/core/model/sampling/seededRandom';
import { readDamagedJson } from '../../../../src/core/trajectory/reading/damagedJson';

const told = (text: string): string[] => readDamagedJson(text).problems.map(({ where, words }) => `${where}: ${words}`);
const document = {
  info: { cost: 1.5, note: 'a "quoted" \\ word\n' },
  messages: Array.from({ length: 6 }, (_, index) => ({
    role: index % 2 ? 'user' : 'assistant',
    content: `words ${index}`,
    tool_calls: [{ id: `c${index}`, function: { arguments: '{"a": 1}' } }],
  })),
  version: '1.1',
};

describe('damaged JSON', () => {
  it('that is cut off is read up to there, wherever that is', () => {
    for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
      let most = 0;
      for (let end = 1; end < text.length; end++) {
        const { value, problems } = readDamagedJson(text.slice(0, end));
        assert.equal(problems.length, 1, `${end}: ${JSON.stringify(problems)}`);
        const count = (value as Partial<typeof document> | undefined)?.messages?.length ?? 0;
        assert.ok(count >= most, `at ${end} there are ${count} messages, and there were ${most}`);
        most = count;
      }
      assert.equal(most, 6);
    }
  });

  it('names the place where it ends, and keeps the words before it', () => {
    assert.deepEqual(readDamagedJson('{"messages": [{"role": "user", "content": "Do th').value, {
      messages: [{ role: 'user', content: 'Do th' }],
    });
    assert.deepEqual(told('{"messages": [{"role": "user", "content": "Do th'), [
      'messages[0].content: The file ends in the middle of this, so the rest is missing.',
    ]);
    assert.deepEqual(readDamagedJson('{"a": "b\\').value, { a: 'b' });
    assert.deepEqual(readDamagedJson('{"a": "b\\\\').value, { a: 'b\\' });
    assert.deepEqual(readDamagedJson('{"a": "b\\u00').value, { a: 'b' });
    assert.deepEqual(readDamagedJson('{"a": 12').value, {});
    assert.deepEqual(readDamagedJson('[1, 2, {"a": tr\0\0\0').value, [1, 2, {}]);
  });

  it('goes on with the next entry of its list, and with the list of the run behind a damage beside it', () => {
    const text = JSON.stringify(document);
    const contents = (damaged: string): string[] =>
      (readDamagedJson(damaged).value as typeof document).messages.map(({ content }) => content);
    const all = document.messages.map(({ content }) => content);
    assert.deepEqual(contents(text.replace('"words 2"', '"words 2')), [
      'words 0',
      'words 1',
      'words 2,',
      'words 3',
      'words 4',
      'words 5',
    ]);
    assert.deepEqual(
      contents(text.replace('},{"role":"assistant","content":"words 2"', '}{"role":"assistant","content":"words 2"')),
      all,
    );
    assert.deepEqual(
      contents(text.replace('{"role":"user","content":"words 3"', '"role":"user","content":"words 3"')).filter(
        (words) => words !== undefined,
      ),
      all.filter((words) => words !== 'words 3'),
    );
    assert.deepEqual(contents(text.replace('1.5', '?')), all);
    assert.equal((readDamagedJson(text.replace('1.5', '?')).value as typeof document).version, '1.1');
    assert.deepEqual(told(text.replace('1.5', '?')), [
      'info.cost: The text at character 17 is not JSON, so everything up to the next readable part is skipped.',
    ]);
  });

  it('may hold what Python and careless programs write', () => {
    assert.deepEqual(
      readDamagedJson('{"a": NaN, "b": [1, -Infinity], "c": "line\nbreak", "d": "\\x", "e": 007}').value,
      {
        a: null,
        b: [1, null],
        c: 'line\nbreak',
        d: '\\x',
        e: 7,
      },
    );
    assert.deepEqual(told('{"a": NaN}'), ['a: NaN is not a JSON number, so it is treated as unknown.']);
    assert.deepEqual(told('{"a": 1} {"b": 2}'), [': The text after its end is skipped.']);
    assert.deepEqual(readDamagedJson('{"a": 1, }').value, { a: 1 });
  });

  it('is always told of, never throws, and takes little time', () => {
    const random = seededRandom(7);
    const text = JSON.stringify(document, null, 1);
    for (let round = 0; round < 2000; round++) {
      const at = Math.floor(random() * text.length);
      const damaged =
        text.slice(0, at) + '{}[]",:\\x1\n\0'[Math.floor(random() * 12)]! + text.slice(at + Math.floor(random() * 3));
      let whole = true;
      try {
        JSON.parse(damaged);
      } catch {
        whole = false;
      }
      const { value, problems } = readDamagedJson(damaged);
      JSON.stringify(value);
      if (!whole && value !== undefined && problems.length === 0)
        assert.match(damaged, /,\s*[}\]]|[\0-\x1f]|\\|: 0\d/, `nothing was told of ${damaged}`);
    }
    readDamagedJson('['.repeat(200_000));
    readDamagedJson('{"a":'.repeat(200_000));
    readDamagedJson(`{"messages":[{"role":"user"},${'{"role":"x",'.repeat(20_000)}`);
    readDamagedJson(`[{"a":1} ${'{"a":1}x'.repeat(50_000)}`);
  });
});
