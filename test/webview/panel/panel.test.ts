import assert from 'node:assert/strict';
import { action, facts, log, page, reply, started, task } from '../support/events';
import { hostile } from '../support/hostile';
import type { ToPanel } from '../../../src/protocol/panel/panel';
import { usePanel } from '../support/usePanel';
import { scenes } from '../gallery/scenes';

const asking = log(
  task('Clean up.'),
  reply('', [
    action('a1', 'run_command', { command: 'rm -rf dist' }, 'Run rm -rf dist', {
      risk: { level: 'high', reasons: ['Deletes a folder'], culprit: 'rm -rf' },
    }),
  ]),
  { type: 'confirmation_requested', actionIds: ['a1'] },
);
const waiting = { running: true, status: 'waiting_for_confirmation' as const };

describe('the panel in Chromium, under its content security policy', function () {
  const { site, panel, byId } = usePanel(this, 500);

  it('is small', () => {
    assert.ok(site().sizes['panel.js']! <= 345_500, `panel.js has ${site().sizes['panel.js']} bytes`);
  });

  it('reports that it is ready, with the events it has', async () => {
    assert.deepEqual(await panel().postedOf('ready'), [{ type: 'ready', cursor: 0 }]);
    await panel().send(page(asking.slice(0, 1)), {
      type: 'events',
      from: 2,
      events: asking.slice(2),
      facts: facts(waiting),
    });
    assert.deepEqual((await panel().postedOf('ready')).at(-1), { type: 'ready', sessionId: 's1', cursor: 1 });
    await panel().send({
      type: 'page',
      from: 1,
      total: 3,
      fresh: false,
      events: asking.slice(1),
      facts: facts(waiting),
    });
    await byId('approval').waitFor();
  });

  describe('an approval', () => {
    const canAllow: ToPanel = { type: 'preview', actionId: 'a1', hash: '', canAllow: true };
    beforeEach(() => panel().send(page(asking, waiting), canAllow));

    it('runs once, however often it is clicked', async () => {
      await panel().answersEnabled();
      await byId('run-once').dblclick();
      await byId('run-once').click({ force: true });
      assert.deepEqual(await panel().postedOf('decide'), [{ type: 'decide', actionId: 'a1', approved: true }]);
    });

    it('ignores clicks in its first 400 ms', async () => {
      const fresh = await site().open({ width: 400 });
      await fresh.page.evaluate(
        (message) => {
          window.postMessage(message, '*');
          const click = setInterval(() => document.querySelector<HTMLElement>('[data-testid="run-once"]')?.click(), 10);
          setTimeout(() => clearInterval(click), 250);
        },
        page(asking, waiting) as never,
      );
      await fresh.page.waitForTimeout(300);
      assert.equal(await fresh.page.getByTestId('run-once').count(), 1);
      assert.deepEqual(await fresh.postedOf('decide'), []);
      await fresh.close();
    });

    it('is never given by Enter, wherever the focus is', async () => {
      await panel().answersEnabled();
      await panel().page.keyboard.press('Enter');
      await panel().send({ type: 'focus', what: 'approval', actionId: 'a1' });
      assert.equal(await panel().page.evaluate('document.activeElement.dataset.testid'), 'card-confirmation_requested');
      await panel().page.keyboard.press('Enter');
      await byId('run-once').focus();
      await panel().page.keyboard.press('Enter');
      assert.deepEqual(await panel().postedOf('decide'), []);
      await panel().page.keyboard.press('Space');
      assert.equal((await panel().postedOf('decide')).length, 1);
    });

    it('is given by Alt+Enter and refused by Alt+Backspace, also from the composer', async () => {
      await panel().answersEnabled();
      await byId('composer').focus();
      await panel().page.keyboard.press('Alt+Enter');
      assert.deepEqual(await panel().postedOf('decide'), [{ type: 'decide', actionId: 'a1', approved: true }]);
      await panel().send(
        page(log(task('t'), ...asking.slice(1).map(({ seq: _, at: __, ...event }) => event as never)), {
          ...waiting,
          sessionId: 's2',
        }),
      );
      await panel().answersEnabled();
      await panel().page.keyboard.press('Alt+Backspace');
      assert.equal((await panel().postedOf('decide')).at(-1)?.approved, false);
      assert.deepEqual(await panel().postedOf('send'), []);
    });

    it('can be refused with a note', async () => {
      await panel().answersEnabled();
      await byId('refuse-note').click();
      await panel().page.keyboard.type('Leave dist alone.');
      await panel().page.keyboard.press('Enter');
      assert.deepEqual(await panel().postedOf('decide'), [
        { type: 'decide', actionId: 'a1', approved: false, comment: 'Leave dist alone.' },
      ]);
    });

    it('shows what "always allow" would cover before it is given, by keys but not by Enter', async () => {
      await panel().answersEnabled();
      await byId('always-allow').focus();
      await panel().page.keyboard.press('Enter');
      assert.deepEqual(await panel().chosen(), [{ type: 'offer_rules', actionId: 'a1' }]);
      const offer = {
        shown: 'npm test',
        covers: ['npm test one'],
        asks: ['npm test --force'],
        level: 'medium',
        reasons: ['Runs code of this project.'],
        scripts: 1,
        cwd: '/home/ada/first-run',
        effect: 'executes',
      } as const;
      await panel().send({
        type: 'rule_offers',
        actionId: 'a1',
        hash: '',
        offers: [
          { ...offer, scope: 'exact', covers: [], asks: [] },
          { ...offer, scope: 'similar' },
          { ...offer, scope: 'kind', shown: '' },
        ],
      } as unknown as ToPanel);
      await byId('allow').waitFor();
      const words = await byId('allow').innerText();
      for (const part of [
        'Allow npm test in this folder until its script changes',
        'with any plain words instead of …',
        'Allow every command in this project with no more effects',
        'npm test one',
        'Still asks:',
        'npm test --force',
      ])
        assert.ok(words.includes(part), part);
      await panel().answersEnabled();
      await panel().page.keyboard.press('Enter');
      await panel().page.keyboard.press('ArrowDown');
      await panel().page.keyboard.press('Tab');
      await panel().page.keyboard.press('Enter');
      assert.deepEqual(await panel().postedOf('always_allow'), [], 'Enter allows nothing');
      await panel().page.keyboard.press('Space');
      assert.deepEqual(await panel().postedOf('always_allow'), [
        { type: 'always_allow', scope: 'similar', keep: 'session', actionId: 'a1' },
      ]);
    });

    it('can go back from "always allow", and the focus returns', async () => {
      await panel().answersEnabled();
      await byId('always-allow').click();
      await panel().send({ type: 'rule_offers', actionId: 'a1', hash: '', offers: [], refusal: 'floor' });
      await byId('allow-refused').waitFor();
      assert.equal(await byId('allow-session').count(), 0);
      await panel().page.keyboard.press('Escape');
      assert.equal(await panel().page.evaluate('document.activeElement.dataset.testid'), 'always-allow');
      assert.deepEqual(await panel().postedOf('stop'), []);
    });

    it('does not take the focus when it appears, is announced, and becomes a row once decided', async () => {
      assert.equal(
        await panel().page.evaluate('document.activeElement.id'),
        'composer',
        'the focus stays where it was',
      );
      await panel().page.getByTestId('announcer').getByText('Approval needed: Run rm -rf dist').waitFor();
      await panel().send({
        type: 'events',
        from: 3,
        events: [{ seq: 3, at: 0, type: 'confirmation_resolved', actionIds: ['a1'], approved: true, by: 'person' }],
        facts: facts({ running: true, status: 'ready' }),
      });
      assert.equal(await byId('approval').count(), 0);
      assert.equal(await byId('step-row').count(), 1);
      assert.equal(await panel().page.getByTestId('announcer').innerText(), '', 'nothing waits any more');
    });

    it('shows the exact command, its folder, the reasons and the deciding part', async () => {
      const words = await byId('approval').innerText();
      for (const part of ['rm -rf dist', '/home/ada/first-run', 'High risk', 'Deletes a folder'])
        assert.ok(words.includes(part), part);
      assert.equal(await byId('approval').locator('mark').innerText(), 'rm -rf');
    });
  });

  it('escapes control characters of a command and hides none of it', async () => {
    const text = `echo \u202Egnp.exe\u202C \u001b[1A\u200B${'x'.repeat(3000)}END\nsecond line`;
    await panel().send(
      page(
        log(task('t'), reply('', [action('a1', 'run_command', { command: text }, 'Run echo')]), {
          type: 'confirmation_requested',
          actionIds: ['a1'],
        }),
        waiting,
      ),
    );
    const box = byId('approval').locator('.exact');
    const shown = await box.innerText();
    for (const part of ['U+202E', 'U+202C', '␛', 'U+200B', 'END↵', 'second line'])
      assert.ok(shown.includes(part), part);
    assert.equal(await box.evaluate((one) => one.scrollWidth <= one.clientWidth), true);
  });

  describe('markdown', () => {
    it('of forty hostile kinds creates no script, handler, remote source or live link', async () => {
      assert.ok(hostile.length >= 40);
      for (const source of hostile) {
        await panel().send(
          page(
            log(task('t'), reply(source, []), {
              type: 'question_asked',
              actionId: 'none',
              question: source,
              choices: [],
            }),
          ),
        );
        const bad = await panel().page.evaluate(`(() => {
          const badTags = [
            'SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'FORM', 'IMG', 'SVG', 'MATH', 'STYLE', 'LINK', 'BASE', 'META',
            'VIDEO', 'AUDIO',
          ];
          const badNames = ['src', 'srcset', 'href', 'action', 'formaction', 'id'];
          const ownIds = ['stop', 'composer', 'help-title'];
          const isBadAttribute = ({ name, value }) =>
            /^on/.test(name) ||
            (badNames.includes(name) && !ownIds.includes(value)) ||
            (name === 'data-url' && !/^(https?|mailto):/i.test(value));
          const isBad = element =>
            badTags.includes(element.tagName.toUpperCase()) || [...element.attributes].some(isBadAttribute);
          return [...document.querySelectorAll('#root *')].filter(isBad).map(one => one.outerHTML);
        })()`);
        assert.deepEqual(bad, [], source);
      }
      assert.equal(await panel().page.evaluate('window.hacked'), undefined);
    });

    it('shows the host of a link as it is requested', async () => {
      await panel().send(
        page(log(task('t'), reply('<https://bücher.example/ä> and <https://xn--80ak6aa92e.com/>', []))),
      );
      const links = panel().page.locator('.markdown a');
      assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute('data-url'))), [
        'https://xn--bcher-kva.example/%C3%A4',
        'https://xn--80ak6aa92e.com/',
      ]);
      assert.equal((await links.allInnerTexts())[1], 'https://xn--80ak6aa92e.com/');
    });

    it('asks the host before it opens a link, and does not navigate', async () => {
      await panel().send(page(log(task('t'), reply('See [the notes](https://example.org/a?b=c).', []))));
      const before = panel().page.url();
      await panel().page.getByText('the notes').click();
      await panel().page.getByText('the notes').click({ button: 'middle' });
      assert.deepEqual(await panel().postedOf('open_link'), [{ type: 'open_link', url: 'https://example.org/a?b=c' }]);
      assert.equal(panel().page.url(), before);
    });
  });

  describe('the composer', () => {
    it('sends on Enter, adds a line on Shift+Enter, and reports drafts to the host', async () => {
      await panel().send(page(asking.slice(0, 1)));
      await byId('composer').focus();
      await panel().page.keyboard.type('one');
      await panel().page.keyboard.press('Shift+Enter');
      await panel().page.keyboard.type('two');
      await panel().reports('draft', ({ text }) => text === 'one\ntwo');
      await panel().page.keyboard.press('Enter');
      assert.deepEqual(await panel().postedOf('send'), [{ type: 'send', text: 'one\ntwo' }]);
      assert.equal(await byId('composer').inputValue(), '');
    });

    it('does not send while an input method composes', async () => {
      await panel().send(page(asking.slice(0, 1)));
      await byId('composer').fill('にほん');
      await byId('composer').evaluate((box) =>
        box.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
        ),
      );
      assert.deepEqual(await panel().postedOf('send'), []);
    });

    it('restores the last message, a draft, and a message that the host rejected', async () => {
      await panel().send({ ...page(asking.slice(0, 1)), draft: 'half a thought' } as never);
      assert.equal(await byId('composer').inputValue(), 'half a thought');
      await byId('composer').fill('');
      await panel().page.keyboard.press('ArrowUp');
      assert.equal(await byId('composer').inputValue(), 'Clean up.');
      await byId('composer').fill('newer words');
      await panel().send({ type: 'compose', text: 'refused words', problem: 'Not sent.' });
      assert.equal(await byId('composer').inputValue(), 'refused words\n\nnewer words');
      await panel().page.getByText('Not sent.').waitFor();
    });

    it('grows to at most ten lines', async () => {
      await panel().send(page(asking.slice(0, 1)));
      const height = async (lines: number) => {
        await byId('composer').fill('x\n'.repeat(lines - 1));
        return (await byId('composer').boundingBox())!.height;
      };
      const [three, ten, thirty] = [await height(3), await height(10), await height(30)];
      assert.ok(three < ten && thirty - ten < 12, `${three} ${ten} ${thirty}`);
    });

    it('queues while the agent runs', async () => {
      await panel().send(page(asking.slice(0, 1), { running: true, status: 'ready' }));
      assert.match(await byId('send').innerText(), /Queue/);
    });
  });

  it('reads the end of a run to a screen reader without the marks of Markdown', async () => {
    const events = log(task('t'), {
      type: 'finished',
      status: 'submitted',
      summary: 'Changed **two** files in `src`.',
    });
    await panel().send(page(events.slice(0, 1), { running: true, status: 'ready' }));
    await panel().send({ type: 'events', from: 1, events: events.slice(1), facts: facts({ status: 'finished' }) });
    const spoken = 'Finished. Changed two files in src.';
    await byId('announcer').getByText(spoken, { exact: true }).waitFor();
    await panel().page.getByRole('article', { name: spoken, exact: true }).waitFor();
  });

  describe('the keyboard', () => {
    const running = log(
      task('t'),
      reply('', [action('c', 'run_command', { command: 'sleep 9' }, 'Run sleep 9')]),
      started('c'),
    );

    it('asks for a second Esc on the same line as the title, so that nothing below moves', async () => {
      const narrow = await site().open({ width: 300 });
      await narrow.send(page(running, { running: true, status: 'ready' }));
      const height = () => narrow.page.locator('.header').evaluate((header) => header.clientHeight);
      const before = await height();
      await narrow.page.keyboard.press('Escape');
      await narrow.page.getByText('Press Esc again to stop').waitFor();
      assert.equal(await height(), before);
      await narrow.close();
    });

    it('stops on Esc, and asks first while a command runs', async () => {
      await panel().send(page(running.slice(0, 1), { running: true, status: 'ready' }));
      await panel().page.keyboard.press('Escape');
      assert.equal((await panel().postedOf('stop')).length, 1);
      await panel().send(page(running, { running: true, status: 'ready', sessionId: 's2' }));
      await panel().page.keyboard.press('Escape');
      assert.equal((await panel().postedOf('stop')).length, 1);
      await panel().page.keyboard.press('Escape');
      assert.equal((await panel().postedOf('stop')).length, 2);
    });

    it('moves between steps, opens and closes them, searches and shows help', async () => {
      await panel().send(...scenes['finished']!.messages);
      const focused = () => panel().page.evaluate('document.activeElement.dataset.testid');
      /** Waits until exactly these texts are marked. */
      const waitForMarks = async (expected: readonly string[]) => {
        const marked = () =>
          panel().page.evaluate('[...(CSS.highlights.get("search") ?? [])].map((range) => range.toString())');
        for (let left = 100; left > 0 && String(await marked()) !== String(expected); left--)
          await panel().page.waitForTimeout(20);
        assert.deepEqual(await marked(), expected);
      };
      await panel().leaveComposer();
      await panel().page.keyboard.press('k');
      await panel().page.keyboard.press('k');
      assert.equal(await focused(), 'card-observation');
      await panel().page.keyboard.press('ArrowRight');
      assert.equal(
        await panel().page.evaluate(
          'document.activeElement.querySelector("[aria-expanded]").getAttribute("aria-expanded")',
        ),
        'true',
      );
      await panel().page.keyboard.press('ArrowLeft');
      assert.equal(
        await panel().page.evaluate(
          'document.activeElement.querySelector("[aria-expanded]").getAttribute("aria-expanded")',
        ),
        'false',
      );
      await panel().page.keyboard.press('g');
      await panel().page.keyboard.press('g');
      assert.equal(await focused(), 'card-task_started');
      await panel().page.keyboard.press('c');
      assert.match((await panel().postedOf('copy'))[0]?.text ?? '', /test\/add\.test\.ts fails/);
      await panel().page.keyboard.press('G');
      assert.equal(await focused(), 'card-finished');
      await panel().page.keyboard.press('/');
      await panel().page.keyboard.type('AssertionError');
      assert.equal(await byId('search').inputValue(), 'AssertionError');
      await panel().page.locator('article').nth(1).waitFor({ state: 'detached' });
      await byId('search').fill('ADD.TEST');
      await waitForMarks(['add.test', 'add.test', 'add.test']);
      await panel().page.evaluate('document.querySelector(".feed-frame").append("\u0130\u0130 Add.Test")');
      await waitForMarks(['add.test', 'add.test', 'add.test', 'Add.Test']);
      await panel().page.keyboard.press('Escape');
      await waitForMarks([]);
      await byId('composer').focus();
      await panel().page.keyboard.press('Control+F');
      await panel().page.keyboard.type('add.test');
      await waitForMarks(['add.test', 'add.test', 'add.test', 'Add.Test']);
      await panel().page.keyboard.press('Control+F');
      await panel().page.keyboard.type('x');
      assert.equal(await byId('search').inputValue(), 'x', 'the search is selected');
      await panel().page.keyboard.press('Escape');
      await panel().page.keyboard.press('?');
      await panel().page.getByRole('dialog').waitFor();
      await panel().page.keyboard.press('Escape');
      assert.equal(await panel().page.getByRole('dialog').count(), 0);
    });
  });

  it('shows no jump button if everything is in view', async () => {
    const roomy = await site().open({ width: 600, height: 1200 });
    await roomy.send(...scenes['streaming']!.messages);
    await roomy.page.waitForTimeout(200);
    assert.equal(await roomy.page.getByTestId('jump-latest').count(), 0);
    await roomy.close();
  });

  it('answers a question by a choice, only once', async () => {
    await panel().send(...scenes['question']!.messages);
    await byId('question-choice').nth(1).dblclick();
    assert.deepEqual(await panel().postedOf('answer'), [{ type: 'answer', actionId: 'q1', text: 'src/legacy/add.ts' }]);
  });

  it('offers to resume an interrupted run and to retry a failed one', async () => {
    await panel().send(...scenes['interrupted']!.messages);
    await byId('resume').click();
    await panel().send(...scenes['failed']!.messages);
    await byId('retry').click();
    assert.equal((await panel().postedOf('resume')).length, 2);
  });

  it('renames the session, sets the mode and stops from its header', async () => {
    await panel().send(page(asking.slice(0, 1), { running: true, status: 'ready' }));
    await byId('title').click();
    await panel().page.keyboard.press('Control+A');
    await panel().page.keyboard.type('New name');
    await panel().page.keyboard.press('Enter');
    await byId('mode').selectOption('always');
    await byId('stop').click();
    assert.deepEqual(await panel().chosen(), [
      { type: 'rename', title: 'New name' },
      { type: 'set_mode', mode: 'confirm', confirmation: 'always' },
      { type: 'stop' },
    ]);
  });
});
