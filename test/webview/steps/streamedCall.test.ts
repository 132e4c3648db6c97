import assert from 'node:assert/strict';
import type { Delta } from '../../../src/protocol/panel/panel';
import { log, page, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');

describe('the row of a call that is being written', function () {
  const { panel, byId } = usePanel(this);
  const row = () => byId('card-stream').locator('.step-row');
  const box = () => byId('card-stream').locator('.written pre');
  const stream = (...deltas: Delta[]) => panel().send({ type: 'deltas', deltas });
  const call = (place: number, tool: string, path?: string): Delta => ({
    kind: 'tool',
    tool,
    bytes: 2048,
    call: place,
    ...(path !== undefined && { path }),
  });

  beforeEach(() => panel().send(page(log(task('Write it.')), { running: true, status: 'ready' })));

  it('names the tool, the file once it is known, and the size so far', async () => {
    await stream(call(0, 'write_file'));
    assert.equal(await row().locator('.target').count(), 0);
    assert.equal(await box().count(), 0);
    await stream(call(0, 'write_file', 'src/parse.ts'));
    assert.match((await row().innerText()).replace(/\s+/g, ' '), /write_file.* src\/parse\.ts 2\.0 kB/);
  });

  it('shows the last lines in a box that stops growing when it is full', async () => {
    await stream(call(0, 'write_file', 'a.md'), { kind: 'written', call: 0, text: lines(1, 8) });
    const before = await box().boundingBox();
    await stream({ kind: 'written', call: 0, text: `${lines(9, 40)}${'wide '.repeat(500)}\nlast` });
    const shown = (await box().innerText()).split('\n');
    assert.deepEqual([shown.length, shown[0], shown.at(-1)], [8, 'line 35', 'last']);
    const after = await box().boundingBox();
    assert.deepEqual([after!.height, after!.width], [before!.height, before!.width]);
    const isWhole = await box().evaluate((one) => one.scrollHeight <= one.clientHeight);
    assert.ok(isWhole, 'the last line is in sight');
  });

  it('shows one call at a time, and disappears if the reply is discarded', async () => {
    await stream(call(0, 'write_file', 'a.md'), { kind: 'written', call: 0, text: 'of the first' });
    await stream(call(1, 'edit_file'), { kind: 'written', call: 0, text: 'too late' });
    assert.match(await row().innerText(), /edit_file/);
    assert.doesNotMatch(await byId('card-stream').innerText(), /a\.md|of the first|too late/);
    await stream({ kind: 'written', call: 1, text: 'of the second' }, { kind: 'discard' });
    assert.doesNotMatch(await byId('card-stream').innerText(), /edit_file|of the second/);
  });

  it('shows text of the model as plain text, and invisible characters by their names', async () => {
    const text = '<img src=x onerror="window.hacked = 1">\n**no Markdown** \u202egnp.exe';
    await stream(call(0, 'write_file', 'a\u200b.ts'), { kind: 'written', call: 0, text });
    assert.equal(await box().locator('img, strong').count(), 0);
    assert.match(
      await box().innerText(),
      /<img src=x onerror="window\.hacked = 1">\n\*\*no Markdown\*\* .*202E.*gnp\.exe/,
    );
    assert.match(await row().locator('.target').innerText(), /200B/);
    assert.equal(await panel().page.evaluate('window.hacked'), undefined);
  });
});
