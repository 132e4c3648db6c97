import assert from 'node:assert/strict';
import { FromPanel, type Completion } from '../../../src/protocol/panel/panel';
import { axeViolations } from '../support/panelSite';
import { log, page, reply, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const items: Completion[] = [
  { label: '@file', detail: 'A file', insert: '@file:', icon: 'file', goesOn: true },
  { label: 'add.ts', detail: 'src', insert: '@src/add.ts', icon: 'file' },
  { label: 'my file.ts', detail: '', insert: '@"my file.ts"', icon: 'file' },
];

describe('completion in the composer', function () {
  const { panel, byId } = usePanel(this);
  const keys = async (...names: string[]): Promise<void> => {
    for (const name of names) await panel().page.keyboard.press(name);
  };
  const value = (): Promise<string> => byId('composer').inputValue();

  async function offer(text = 'Look at @', length = 1): Promise<void> {
    await panel().send(page(log(task('t'))));
    await byId('composer').focus();
    await panel().page.keyboard.type(text);
    const { id, text: asked } = (await panel().postedOf('complete')).at(-1)!;
    assert.equal(asked, text);
    await panel().send({ type: 'completions', id, length, items });
  }

  it('is a list for arrow keys and Enter, while the composer keeps the focus', async () => {
    await offer();
    assert.equal(await byId('composer').getAttribute('aria-controls'), 'completions');
    assert.equal(await byId('composer').getAttribute('aria-activedescendant'), 'completion-0');
    assert.deepEqual(
      (await axeViolations(panel().page)).map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
      [],
    );
    await keys('ArrowUp', 'ArrowUp');
    assert.equal(await panel().page.locator('[role=option][aria-selected=true]').innerText(), 'add.ts\nsrc');
    await keys('Enter');
    assert.equal(await value(), 'Look at @src/add.ts ');
    assert.equal(await byId('completions').count(), 0);
    assert.equal(await byId('composer').getAttribute('aria-activedescendant'), null);
    await panel().page.keyboard.type('now');
    assert.equal(await value(), 'Look at @src/add.ts now');
    assert.deepEqual(await panel().postedOf('send'), []);
  });

  it('inserts the choice, with the cursor after it, before the next key', async () => {
    await offer();
    await keys('ArrowDown');
    const [words, cursor] = await byId('composer').evaluate((element) => {
      const box = element as HTMLTextAreaElement;
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      return [box.value, box.selectionStart];
    });
    assert.equal(words, 'Look at @src/add.ts ');
    assert.equal(cursor, words.length);
  });

  it('waits on Enter for the list that matches the typed text, and replaces all of it', async () => {
    await offer('Look at @a', 2);
    await panel().page.keyboard.type('dd');
    await keys('Enter');
    assert.equal(await value(), 'Look at @add');
    const { id } = (await panel().postedOf('complete')).at(-1)!;
    await panel().send({ type: 'completions', id, length: 4, items: [items[1]!] });
    assert.equal(await value(), 'Look at @src/add.ts ');
    assert.deepEqual(await panel().postedOf('send'), []);
  });

  it('continues if more must be typed, and accepts Tab', async () => {
    await offer();
    const before = (await panel().postedOf('complete')).length;
    await keys('Tab');
    await panel().send();
    assert.equal(await value(), 'Look at @file:');
    assert.equal((await panel().postedOf('complete')).slice(before).at(-1)?.text, 'Look at @file:');
  });

  it('closes on Esc without stopping the run, and accepts a mouse click', async () => {
    await offer();
    await keys('Escape');
    assert.equal(await byId('completions').count(), 0);
    assert.deepEqual(await panel().postedOf('stop'), []);
    await panel().page.keyboard.type('a');
    const { id } = (await panel().postedOf('complete')).at(-1)!;
    await panel().send({ type: 'completions', id, length: 2, items });
    await panel().page.getByText('my file.ts').click();
    assert.equal(await value(), 'Look at @"my file.ts" ');
  });

  it('replaces text in the middle of a message', async () => {
    await offer('@a');
    await keys('Escape');
    await byId('composer').fill('See @ad now');
    await byId('composer').evaluate((box) => (box as HTMLTextAreaElement).setSelectionRange(7, 7));
    await panel().page.keyboard.type('d');
    const { id, text } = (await panel().postedOf('complete')).at(-1)!;
    assert.equal(text, 'See @add');
    await panel().send({ type: 'completions', id, length: 4, items: [items[1]!] });
    await keys('Enter');
    assert.equal(await value(), 'See @src/add.ts now');
  });

  it('ignores answers to older requests', async () => {
    await offer();
    await panel().page.keyboard.type('a');
    const ids = (await panel().postedOf('complete')).map(({ id }) => id);
    await keys('Escape');
    await panel().send({ type: 'completions', id: ids.at(-1)!, length: 1, items });
    assert.equal(await byId('completions').count(), 0);
  });

  it('sends no request for words without @ or /', async () => {
    await panel().send(page(log(task('t'))));
    await byId('composer').fill('nothing here');
    assert.deepEqual(await panel().postedOf('complete'), []);
  });
});

describe('the open editor', function () {
  const { panel, byId } = usePanel(this);

  it('is sent with a message until it is left out, and can be added again', async () => {
    await panel().send(page(log(task('t'))), { type: 'editor', label: 'src/add.ts:3-5' });
    assert.equal(await byId('editor-chip').innerText(), 'src/add.ts:3-5');
    const send = async (): Promise<boolean | undefined> => {
      await byId('composer').fill('go');
      await byId('send').click();
      return (await panel().postedOf('send')).at(-1)!.editor;
    };
    assert.equal(await send(), true);
    await byId('editor-chip').click();
    assert.equal(await byId('editor-chip').getAttribute('aria-pressed'), 'false');
    assert.equal(await send(), undefined);
    await byId('editor-chip').click();
    assert.equal(await send(), true);
    await panel().send({ type: 'editor' });
    assert.equal(await byId('editor-chip').count(), 0);
    assert.equal(await send(), undefined);
  });

  const names = ['src/sum.ts', 'docs/a name that is far too long for the width of a narrow panel.md', 'c.ts'];
  const sentWith = async (): Promise<[boolean | undefined, boolean | undefined]> => {
    await byId('composer').fill('go');
    await byId('send').click();
    const { editor, others } = (await panel().postedOf('send')).at(-1)!;
    return [editor, others];
  };

  it('has a separate chip for the other open editors, which names all of them', async () => {
    await panel().send(page(log(task('t'))), { type: 'editor', label: 'src/add.ts', others: names });
    assert.equal(await byId('others-chip').innerText(), '+3 open editors');
    assert.equal(await byId('others-chip').getAttribute('aria-label'), `+3 open editors: ${names.join(', ')}`);
    assert.deepEqual(await sentWith(), [true, true]);
    await byId('editor-chip').focus();
    await panel().page.keyboard.press('Tab');
    await panel().page.keyboard.press('Space');
    assert.equal(await byId('others-chip').getAttribute('aria-pressed'), 'false');
    assert.deepEqual(await sentWith(), [true, undefined]);
    assert.deepEqual(
      (await axeViolations(panel().page)).map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
      [],
    );
    await panel().send({ type: 'editor', others: ['c.ts'] });
    assert.equal(await byId('others-chip').innerText(), '1 open editor');
  });

  it('is left out per session; a new session starts with the last choice', async () => {
    const editor = { type: 'editor', label: 'src/add.ts', others: names } as const;
    const session = (id: string | undefined) =>
      page(id === undefined ? [] : log(task('t')), { sessionId: id } as never);
    await panel().send(session('one'), editor, session('two'), editor);
    await byId('others-chip').click();
    assert.deepEqual(await sentWith(), [true, undefined]);
    await panel().send(session('one'));
    assert.deepEqual(await sentWith(), [true, true]);
    await panel().send(session('three'));
    assert.deepEqual(await sentWith(), [true, undefined]);
    await byId('others-chip').click();
    await panel().send(session('two'));
    assert.deepEqual(await sentWith(), [true, undefined]);
  });
});

describe('pictures in the composer', function () {
  const { panel, byId } = usePanel(this);
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const put = (how: 'paste' | 'drop', type = 'image/png', beside: readonly string[] = []): Promise<unknown> =>
    panel().page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const each of ${JSON.stringify(beside)}) data.setData(each, 'words');
    data.items.add(new File([Uint8Array.from(atob('${dot}'), letter => letter.charCodeAt(0))], 'a', { type: '${type}' }));
    const options = { bubbles: true, cancelable: true };
    const event = '${how}' === 'paste'
      ? new ClipboardEvent('paste', { clipboardData: data, ...options })
      : new DragEvent('drop', { dataTransfer: data, ...options });
    return document.getElementById('composer').dispatchEvent(event);
  })()`);
  const shown = () => byId('pictures').getByRole('listitem');

  it('can be pasted, dropped and removed, and are sent with the message once', async () => {
    await panel().send(page(log(task('t'))));
    await put('paste');
    await put('drop');
    await shown().nth(1).waitFor();
    await panel().page.getByLabel('Remove picture 2').click();
    assert.equal(await shown().count(), 1);
    await byId('composer').fill('What is this?');
    await byId('send').click();
    assert.deepEqual((await panel().postedOf('send')).at(-1)!.images, [{ mediaType: 'image/png', data: dot }]);
    assert.equal(await byId('pictures').count(), 0);
    await byId('composer').fill('And?');
    await byId('send').click();
    assert.equal((await panel().postedOf('send')).at(-1)!.images, undefined);
  });

  it('are not taken from copied text that comes with a picture of it', async () => {
    await panel().send(page(log(task('t'))));
    assert.equal(await put('paste', 'image/png', ['text/plain', 'text/html']), true, 'the browser pastes the text');
    assert.equal(await put('paste', 'image/png', ['text/html']), false);
    await shown().first().waitFor();
    assert.equal(await shown().count(), 1);
  });

  it('are restored with a message that was rejected', async () => {
    await panel().send(page(log(task('t'))));
    await put('paste');
    await shown().first().waitFor();
    await byId('composer').fill('Look');
    await byId('send').click();
    await panel().send({ type: 'compose', text: 'Look', problem: 'Not sent.' });
    assert.equal(await shown().count(), 1);
  });

  const many = (count: number, data = dot) =>
    ({
      type: 'insert',
      text: '',
      images: Array.from({ length: count }, () => ({ mediaType: 'image/png', data })),
    }) as const;
  /** Waits until the last draft that the panel reported has this number of pictures and this text. */
  const reportsPictures = (pictures: number, text = ''): Promise<unknown> =>
    panel().page.waitForFunction(
      (wanted) => {
        const all = (window as unknown as { posted: FromPanel[] }).posted;
        const told = all.findLast((message) => message.type === 'draft');
        return told?.text === wanted.text && told.images?.length === wanted.pictures;
      },
      { text, pictures },
    );
  /** Waits until the host knows the text and the number of pictures. It can read every message up to there. */
  const understood = async (text: string, pictures: number): Promise<void> => {
    await reportsPictures(pictures, text);
    for (const message of await panel().posted()) assert.ok(FromPanel.safeParse(message).success, message.type);
  };

  it('are limited to eight, with a notice; the text is kept and sent with them', async () => {
    await panel().send(page(log(task('t'))));
    await panel().send({ ...many(9), text: 'Which one?' });
    await panel().page.getByRole('alert').getByText('at most 8').waitFor();
    assert.equal(await shown().count(), 8);
    await understood('Which one?', 8);
    await byId('send').click();
    await understood('', 0);
    assert.equal((await panel().postedOf('send'))[0]!.images?.length, 8);
  });

  it('are limited to eight if another session is shown while a message with pictures is edited', async () => {
    const session = (sessionId: string) => page(log(task('t'), reply('Seen.', [])), { sessionId, status: 'idle' });
    await panel().send(session('s1'), many(8));
    await shown().nth(7).waitFor();
    await byId('edit-message').first().click();
    await byId('cancel-edit').waitFor();
    await panel().send(many(8));
    await shown().nth(7).waitFor();
    await panel().send(session('s2'));
    await panel().page.getByRole('alert').getByText('at most 8').waitFor();
    assert.equal(await shown().count(), 8);
    await understood('', 8);
  });

  it('are reported to the host even if they are large in total', async () => {
    await panel().send(page(log(task('t'))));
    await panel().send(many(4, 'A'.repeat(6_000_000)));
    await shown().nth(3).waitFor();
    await reportsPictures(4);
  });

  it('cause a notice if the model does not support pictures, and unsupported formats are rejected', async () => {
    await panel().send(page(log(task('t')), { sees: false }));
    await put('paste');
    await panel().page.getByText('qwen3-coder cannot read images').waitFor();
    await put('paste', 'image/tiff');
    await panel().page.getByRole('alert').getByText('PNG, JPEG, GIF and WebP').waitFor();
    assert.equal(await shown().count(), 1);
  });

  it('cause the same notice for a model that never gets images, whoever provides it', async () => {
    const model = { name: 'cheap', provider: 'someone', scripted: false, textOnly: true, contextWindow: null };
    await panel().send(page(log(task('t')), { model }));
    await put('paste');
    await panel().page.getByText('cheap cannot read images').waitFor();
  });

  it('are shown with their message', async () => {
    await panel().send(
      page(
        log(
          task('t'),
          { type: 'user_message', text: 'See', images: [{ mediaType: 'image/png', data: dot }] },
          reply('I see.', [], { readUpTo: 2 }),
        ),
      ),
    );
    assert.equal(
      await byId('sent-pictures')
        .getByRole('img')
        .evaluate((img) => (img as HTMLImageElement).naturalWidth),
      1,
    );
  });
});
