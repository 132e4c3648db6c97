import assert from 'node:assert/strict';
import { StreamedCalls } from '../../../../src/core/agent/thinking/streamedCalls';
import { MaskedDeltas } from '../../../../src/core/secrets/masking';
import { Secrets } from '../../../../src/core/secrets/secrets';
import { dialectNamed, dialects } from '../../../../src/core/tools/dialects/dialects';
import { offeredForm } from '../../../../src/core/tools/dialects/dialect';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { toolsets } from '../../../../src/core/tools/toolsets';
import type { Delta } from '../../../../src/protocol/panel/panel';

const tools = [...toolsets.default, ...toolsets.notebook];

/** Everything users are told about a call that arrives in pieces of a few characters. */
function told(dialect: string, name: string, input: object, size = 3): Delta[] {
  const calls = new StreamedCalls({ tools, dialect: dialectNamed(dialect) });
  const text = JSON.stringify(input);
  const found: Delta[] = [];
  for (let at = 0; at < text.length; at += size) {
    const piece = text.slice(at, at + size);
    found.push(...calls.deltasFor({ kind: 'tool', tool: name, bytes: at + piece.length, call: 0, piece }));
  }
  return found;
}

const writtenIn = (deltas: readonly Delta[]): string =>
  deltas.map((delta) => (delta.kind === 'written' ? delta.text : '')).join('');
const pathIn = (deltas: readonly Delta[]): string | undefined =>
  deltas.flatMap((delta) => (delta.kind === 'tool' && delta.path !== undefined ? [delta.path] : []))[0];

describe('a streamed call', () => {
  it('shows the file and its new text, in each dialect', () => {
    for (const { name: dialect } of dialects) {
      const form = offeredForm(editFile, dialectNamed(dialect), tools);
      if (!form) continue; // Edits by patches.
      const edit = { path: 'src/a.ts', edits: [{ old_text: 'gone', new_text: 'one\n"two"' }] };
      const input = 'write' in form ? form.write(edit) : edit;
      const deltas = told(dialect, form.name, input);
      assert.equal(pathIn(deltas), 'src/a.ts', dialect);
      assert.equal(writtenIn(deltas), 'one\n"two"', dialect);
    }
  });

  it('shows a whole file, a patch and the cells of a notebook', () => {
    const file = told('waymark', 'write_file', { path: 'b.md', content: '# é\n' });
    assert.deepEqual([pathIn(file), writtenIn(file)], ['b.md', '# é\n']);
    const patch = '*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch';
    assert.equal(writtenIn(told('codex', 'apply_patch', { input: patch })), patch);
    const edits = [
      { cell: 1, do: 'replace', source: 'x = 1' },
      { cell: 2, do: 'insert', source: 'y' },
    ];
    assert.equal(writtenIn(told('waymark', 'edit_notebook', { path: 'a.ipynb', edits })), 'x = 1\ny');
  });

  it('shows nothing of calls that write no file', () => {
    const command = told('waymark', 'run_command', { command: 'echo hi', path: 'x', content: 'y' });
    assert.deepEqual([pathIn(command), writtenIn(command)], [undefined, '']);
    assert.equal(
      command.every(({ kind }) => kind === 'tool'),
      true,
    );
    const unknown = told('waymark', 'no_such_tool', { path: 'x', content: 'y' });
    assert.deepEqual([pathIn(unknown), writtenIn(unknown)], [undefined, '']);
  });

  it('sends at most two messages per piece, none longer than the piece', () => {
    const deltas = told('waymark', 'write_file', { path: 'a', content: 'x'.repeat(30_000) }, 30);
    assert.ok(deltas.length <= 2 * Math.ceil(30_030 / 30) + 2);
    assert.ok(deltas.every((delta) => delta.kind !== 'written' || delta.text.length <= 30));
  });

  it('keeps two calls of a reply apart, and forgets discarded calls', () => {
    const calls = new StreamedCalls({ tools, dialect: dialectNamed('waymark') });
    const add = (call: number, piece: string): Delta[] =>
      calls.deltasFor({ kind: 'tool', tool: 'write_file', bytes: 0, call, piece });
    const first = add(0, '{"path":"one","content":"first');
    const second = add(1, '{"path":"two","content":"second');
    const rest = add(0, ' more"}');
    assert.deepEqual([first, second, rest].map(writtenIn), ['first', 'second', ' more']);
    assert.deepEqual([pathIn(second), pathIn(rest)], ['two', 'one']);
    calls.discard();
    assert.equal(writtenIn(add(0, '{"path":"again","content":"new')), 'new');
  });

  it('shows no secret, even if it arrives in pieces', () => {
    const secrets = new Secrets();
    const secret = 'tr0ub4dor-and-three';
    secrets.learn(secret);
    const shown: Delta[] = [];
    const masked = new MaskedDeltas(secrets, (delta) => shown.push(delta));
    const input = { path: `${secret}.ts`, content: `key = "${secret}"\nnext line\n${'more '.repeat(100)}` };
    for (const delta of told('waymark', 'write_file', input)) masked.add(delta);
    assert.match(writtenIn(shown), /next line/);
    assert.equal(JSON.stringify(shown).includes(secret), false);
    assert.equal(writtenIn(shown).includes('tr0ub4dor'), false);
  });

  it('shows no leftover text of a call that was cut off before', () => {
    for (const end of ['paused', 'finished', 'agent_response'] as const) {
      const shown: Delta[] = [];
      const masked = new MaskedDeltas(new Secrets(), (delta) => shown.push(delta));
      // The last word is held back, because it may be the start of a secret.
      masked.add({ kind: 'written', call: 0, text: 'const heldBack' });
      masked.add({ kind: 'reasoning', text: 'thinking of heldBack' });
      masked.endedBy({ type: end });
      const before = shown.length;
      masked.add({ kind: 'written', call: 0, text: 'next = 1;\n' });
      masked.add({ kind: 'reasoning', text: 'The next thought. ' });
      const after = shown.slice(before).map((delta) => ('text' in delta ? delta.text : ''));
      assert.deepEqual(after, ['next = 1;\n', 'The next thought. '], end);
    }
  });
});
