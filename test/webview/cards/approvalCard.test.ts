import assert from 'node:assert/strict';
import type { RunPlace } from '../../../src/protocol/events/confirmation';
import type { Assessment } from '../../../src/protocol/events/event';
import type { ToPanel } from '../../../src/protocol/panel/panel';
import { approvalScenes } from '../gallery/approvalScenes';
import { play } from '../gallery/play';
import { action, facts, log, page, reply, task } from '../support/events';
import { axeViolations } from '../support/panelSite';
import { usePanel } from '../support/usePanel';

const waiting = { running: true, status: 'waiting_for_confirmation' as const };
const inside: RunPlace = {
  runs: 'inside',
  words: 'Runs in the sandbox.',
  outside: 'possible',
  outsideWords: 'It may touch everything.',
  editable: true,
};

describe('an approval card', function () {
  const { site, panel, byId } = usePanel(this, 500);
  /** Asks about a command in a fresh session, so that the card shows nothing from an earlier question. */
  const asks = async (risk: Assessment, place?: RunPlace, command = 'rm -rf dist', hash = 'h'): Promise<void> => {
    const asked = action('c1', 'run_command', { command }, `Run ${command}`, { risk });
    const events = log(task('t'), reply('', [asked]), {
      type: 'confirmation_requested',
      actionIds: ['c1'],
      hashes: { c1: hash },
      ...(place && { places: { c1: place } }),
    });
    await panel().send(page(events, { ...waiting, sessionId: `s-${Math.random()}` }));
    await panel().answersEnabled();
  };
  const focused = () =>
    panel().page.evaluate('document.activeElement.dataset.testid ?? document.activeElement.tagName') as Promise<string>;
  const decided = () => panel().postedOf('decide');

  it('has one headline, at most three more reasons, and the rest behind a button reachable by keyboard', async () => {
    await asks({ level: 'high', reasons: ['First.', 'Second.', 'Third.', 'Fourth.', 'Fifth.', 'Sixth.'] });
    assert.match(await byId('headline').innerText(), /High risk: First\./);
    assert.deepEqual(await byId('reasons').locator('li').allInnerTexts(), ['Second.', 'Third.', 'Fourth.']);
    const more = byId('more-reasons');
    assert.equal((await more.innerText()).trim(), '2 more reasons');
    await more.focus();
    await panel().page.keyboard.press('Enter');
    assert.deepEqual(await byId('reasons').locator('li').allInnerTexts(), [
      'Second.',
      'Third.',
      'Fourth.',
      'Fifth.',
      'Sixth.',
    ]);
    assert.equal(
      await panel().page.evaluate('document.activeElement.textContent'),
      'Fifth.',
      'what was revealed is read next',
    );
    assert.deepEqual(await decided(), []);
  });

  it('offers first to run outside the sandbox what needs the network, which the sandbox does not have', async () => {
    await asks({ level: 'medium', reasons: ['Pushes.'] }, { ...inside, needsNetwork: true }, 'git push');
    const labels = await byId('approval').locator('.decision button:visible').allInnerTexts();
    const [first, second] = labels.map((label) => label.trim()).filter((label) => /^Run/.test(label));
    assert.deepEqual([first, second], ['Run outside sandbox', 'Run in sandbox']);
    assert.equal(await byId('run-outside').count(), 0, 'offered once');
    await byId('run-outside-now').click();
    assert.equal((await decided())[0]?.outside, true);
  });

  it('shows the whole command beside the facts about undo, at 280 px', async () => {
    const narrow = await site().open({ width: 280, height: 620 });
    await play(narrow, approvalScenes['card-installs']);
    const facts = (await narrow.page.locator('.decision .facts').innerText()).replace(/\s+/g, ' ');
    assert.match(facts, /Undo ?In the Changes view, except secrets, large and generated files\. Not undone: /);
    const isCovered = await narrow.page.evaluate(`(() => {
      const box = document.querySelector('.exact.command').getBoundingClientRect();
      return box.bottom > document.querySelector('.decision').getBoundingClientRect().top || box.top < 0;
    })()`);
    assert.equal(isCovered, false);
    await narrow.close();
  });

  it('covers no part of the command while the person writes beside it, at 300 px', async () => {
    const narrow = await site().open({ width: 300, height: 510 });
    await play(narrow, approvalScenes['card-installs']);
    await narrow.page
      .getByTestId('composer')
      .fill('Use the package manager of the project, and do not delete anything.');
    const isCovered = await narrow.page.evaluate(`(() => {
      const command = document.querySelector('.exact.command');
      const box = command.getBoundingClientRect();
      return ![box.top + 4, box.bottom - 4].every((y) => command.contains(document.elementFromPoint(box.left + 12, y)));
    })()`);
    assert.equal(isCovered, false);
    for (const id of ['run-once', 'refuse']) assert.equal(await narrow.page.getByTestId(id).isVisible(), true);
    await narrow.close();
  });

  it('shows what, where and whether it can be undone beside the buttons that decide, at 300 px', async () => {
    for (const [name, height] of [
      ['card-many-reasons', 620],
      ['card-denied', 620],
      ['card-edit-script', 560],
    ] as const) {
      const narrow = await site().open({ width: 300, height });
      await play(narrow, approvalScenes[name]);
      const hidden = await narrow.page.evaluate(`[...document.querySelectorAll(
        '.approval h2, [data-testid=headline], .decision .facts > div, [data-testid=place], [data-testid=run-once], [data-testid=refuse]',
      )].filter((one) => {
        const box = one.getBoundingClientRect();
        const seen = [[box.left + 4, box.top + 4], [box.left + 4, box.bottom - 4]];
        return !seen.every(([x, y]) => one.contains(document.elementFromPoint(x, y)));
      }).map((one) => one.textContent)`);
      assert.deepEqual(hidden, [], name);
      const facts = (await narrow.page.locator('.decision .facts').innerText()).replace(/\s+/g, ' ');
      assert.match(facts, /Undo ?In the Changes view/);
      await narrow.close();
    }
  });

  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const)
    it(`keeps what matters in a view of 300 × 400 px and opens the rest by key: ${theme}`, async () => {
      for (const name of ['card-many-reasons', 'card-denied', 'card-edit-script', 'card-push-force'] as const) {
        const low = await site().open({ width: 300, height: 400, theme });
        await play(low, approvalScenes[name]);
        const hidden = (...parts: string[]) =>
          low.page.evaluate(`[...document.querySelectorAll(${JSON.stringify(parts.join())})].filter((one) => {
            const box = one.getBoundingClientRect();
            const seen = [[box.left + 4, box.top + 4], [box.left + 4, box.bottom - 4]];
            return box.height > 0 && !seen.every(([x, y]) => one.contains(document.elementFromPoint(x, y)));
          }).map((one) => one.textContent)`);
        const answers = ['[data-testid=circumstances]', '[data-testid=run-once]', '[data-testid=refuse]'];
        assert.deepEqual(await hidden('.approval h2', '[data-testid=headline]', ...answers), [], name);
        const inShort = low.page.getByTestId('circumstances');
        const facts = low.page.locator('.circumstances');
        assert.match(await inShort.innerText(), /Undo: In the Changes view/);
        assert.equal(await facts.isVisible(), false);
        await inShort.focus();
        await low.page.keyboard.press('Enter');
        assert.equal(await inShort.getAttribute('aria-expanded'), 'true');
        assert.match((await facts.innerText()).replaceAll(/\s+/g, ' '), /Undo ?In the Changes view/);
        assert.deepEqual(await hidden('.facts > div:first-child', ...answers), [], `${name}, opened`);
        assert.deepEqual(
          (await axeViolations(low.page)).map(({ id, nodes }) => [id, nodes[0]?.html]),
          [],
        );
        await low.close();
      }
    });

  it('has the rarer answers in a menu at 300 px, for keys and pointer', async () => {
    const narrow = await site().open({ width: 300 });
    const keys = narrow.page.keyboard;
    const part = (id: string) => narrow.page.getByTestId(id);
    const focusIn = () => narrow.page.evaluate('document.activeElement.dataset.testid');
    await play(narrow, approvalScenes['card-push-force']);
    for (const id of ['refuse-note', 'edit-command', 'always-allow', 'run-outside'])
      assert.equal(await part(id).isVisible(), false, id);
    const isExpanded = () => part('more-answers').getAttribute('aria-expanded');
    assert.equal(await isExpanded(), 'false');
    await part('refuse').focus();
    await keys.press('Tab');
    assert.equal(await focusIn(), 'more-answers');
    await keys.press('Enter');
    assert.deepEqual([await isExpanded(), await focusIn()], ['true', 'refuse-note']);
    const passed = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
      await keys.press(key);
      passed.push(await focusIn());
    }
    assert.deepEqual(passed, ['edit-command', 'always-allow', 'run-outside', 'refuse-note', 'run-outside']);
    await keys.press('Escape');
    assert.deepEqual([await isExpanded(), await focusIn()], ['false', 'more-answers']);
    assert.deepEqual(await narrow.postedOf('stop'), [], 'Esc closes the menu and stops nothing');
    await part('more-answers').click();
    await narrow.page.locator('[data-testid="refuse-note"][aria-disabled="false"]').click();
    await keys.press('Escape');
    assert.equal(await focusIn(), 'refuse-note', 'the menu is still open');
    await narrow.close();
  });

  it('shows its danger by color, icon and word, also for old logs without a weight', async () => {
    const shown = async (risk: Assessment) => {
      await asks(risk);
      const colour = await byId('headline')
        .locator('.risk')
        .evaluate((one) => getComputedStyle(one).color);
      const icon = await byId('headline').locator('.codicon').getAttribute('class');
      return { colour, icon, word: (await byId('headline').locator('.risk').innerText()).trim() };
    };
    const piped = await shown({ level: 'high', weight: 'danger', reasons: ['Pipes a download into a shell'] });
    const inline = await shown({ level: 'high', weight: 'caution', reasons: ['Runs code given on the command line'] });
    for (const part of ['colour', 'icon', 'word'] as const) assert.notEqual(piped[part], inline[part], part);
    assert.deepEqual([piped.word, inline.word], ['High risk:', 'Check first:']);
    assert.deepEqual(await shown({ level: 'high', reasons: ['Old.'] }), piped, 'high risk without a weight is danger');
    assert.equal((await shown({ level: 'unknown', reasons: ['Old.'] })).colour, inline.colour);
  });

  it('says where the command will run, and runs it outside only after a second button', async () => {
    await asks({ level: 'high', reasons: ['Reaches the network'] }, inside);
    assert.equal((await byId('place').innerText()).trim(), 'Runs in the sandbox.');
    assert.equal(await byId('run-once').innerText(), 'Run in sandbox');
    await byId('run-outside').click();
    assert.match(await byId('outside-words').innerText(), /It may touch everything\./);
    assert.equal(await focused(), 'leave-back', 'the safe answer has the focus');
    await panel().page.keyboard.press('Escape');
    assert.equal(await focused(), 'run-outside');
    assert.deepEqual(await decided(), []);
    await panel().answersEnabled();
    await byId('run-outside').click();
    await panel().answersEnabled();
    await byId('run-outside-now').focus();
    await panel().page.keyboard.press('Enter');
    assert.deepEqual(await decided(), [], 'Enter lets nothing out');
    await panel().page.keyboard.press('Space');
    assert.deepEqual(await decided(), [{ type: 'decide', actionId: 'c1', approved: true, hash: 'h', outside: true }]);
  });

  it('never runs outside the sandbox by Alt+Enter, even if that button comes first', async () => {
    await asks({ level: 'high', reasons: ['Failed in the sandbox'] }, { ...inside, outside: 'first' });
    const buttons = await byId('approval')
      .locator('.decision button:visible')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.testid));
    assert.deepEqual(buttons, ['run-outside-now', 'run-once', 'refuse', 'refuse-note', 'edit-command']);
    assert.equal(await byId('run-outside-now').evaluate((one) => one.classList.contains('primary')), false);
    await panel().page.keyboard.press('Alt+Enter');
    assert.deepEqual(await decided(), [{ type: 'decide', actionId: 'c1', approved: true, hash: 'h' }]);
  });

  it('shows only buttons that apply', async () => {
    await asks({ level: 'high', reasons: ['x'] }, { runs: 'unconfined', words: 'Runs without a sandbox.' });
    for (const id of ['run-outside', 'run-outside-now', 'edit-command', 'always-allow'])
      assert.equal(await byId(id).count(), 0, id);
    assert.equal(await byId('run-once').innerText(), 'Run');
    await panel().send({ type: 'preview', actionId: 'c1', hash: 'another question', canAllow: true });
    assert.equal(await byId('always-allow').count(), 0);
    await panel().send({ type: 'preview', actionId: 'c1', hash: 'h', canAllow: true });
    assert.equal(await byId('always-allow').count(), 1);
    await asks({ level: 'high', reasons: ['x'] }, { runs: 'nowhere', words: 'Cannot run: there is no sandbox.' });
    assert.equal(await byId('run-once').count(), 0);
    await panel().page.keyboard.press('Alt+Enter');
    assert.deepEqual(await decided(), []);
  });

  it('lets a person edit the command: Enter adds a line, Esc cancels, Ctrl+Enter runs it', async () => {
    await asks({ level: 'high', reasons: ['x'] }, inside);
    await byId('edit-command').focus();
    await panel().page.keyboard.press('Space');
    assert.equal(await focused(), 'edit-command-box');
    assert.equal(await byId('edit-command-box').inputValue(), 'rm -rf dist');
    await panel().page.keyboard.press('Escape');
    assert.equal(await focused(), 'edit-command');
    assert.deepEqual([await decided(), await panel().postedOf('stop')], [[], []]);
    await panel().answersEnabled();
    await panel().page.keyboard.press('Space');
    await panel().answersEnabled();
    await panel().page.keyboard.press('Enter');
    await panel().page.keyboard.type('ls');
    assert.deepEqual(await decided(), []);
    await panel().page.keyboard.press('Control+Enter');
    assert.deepEqual(await decided(), [
      { type: 'decide', actionId: 'c1', approved: true, hash: 'h', edited: 'rm -rf dist\nls' },
    ]);
  });

  it('can be refused with what the person typed as a message, by a button, not by Enter', async () => {
    await asks({ level: 'high', reasons: ['x'] }, inside);
    assert.equal(await byId('refuse-with-draft').count(), 0, 'nothing is typed');
    await byId('composer').fill('List the files instead.');
    assert.equal(await byId('refuse-with-draft').innerText(), 'Refuse and send');
    await byId('refuse-with-draft').dispatchEvent('click');
    assert.deepEqual(await decided(), [], 'a click at once may be meant for the button that was there before');
    await byId('refuse-with-draft').click();
    assert.deepEqual(await decided(), [
      { type: 'decide', actionId: 'c1', approved: false, comment: 'List the files instead.', hash: 'h' },
    ]);
    assert.equal(await byId('composer').inputValue(), '');
    await panel().send({ type: 'compose', text: '', problem: 'That was too late.' });
    await asks({ level: 'high', reasons: ['x'] }, inside, 'rm -rf dist', 'later');
    await byId('composer').fill('Not that either.');
    await byId('refuse-with-draft').click();
    assert.equal(await panel().page.getByText('That was too late.').count(), 0);
    await asks({ level: 'high', reasons: ['x'] }, inside, 'rm -rf dist', 'last');
    await byId('composer').fill('Then run the tests.');
    await panel().page.keyboard.press('Enter');
    assert.deepEqual([(await decided()).length, (await panel().postedOf('send')).length], [2, 1]);
  });

  it('treats an unchanged command as plain approval, and ignores an empty one', async () => {
    await asks({ level: 'high', reasons: ['x'] }, inside);
    await byId('edit-command').click();
    await panel().answersEnabled();
    await byId('edit-command-box').fill('  ');
    await panel().page.keyboard.press('Control+Enter');
    assert.deepEqual(await decided(), []);
    await byId('edit-command-box').fill('rm -rf dist');
    await panel().page.keyboard.press('Control+Enter');
    assert.deepEqual(await decided(), [{ type: 'decide', actionId: 'c1', approved: true, hash: 'h' }]);
  });

  it('disables buttons that replace others at first, so that a second click does nothing', async () => {
    await asks({ level: 'high', reasons: ['Reaches the network'] }, inside, 'rm -rf dist', 'first-drawn');
    await byId('run-outside').and(panel().page.locator('[aria-disabled="false"]')).waitFor();
    await panel().page.evaluate(`
      window.firstDrawn = [];
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) {
            const button = node.parentElement?.querySelector('[data-testid="run-outside-now"]');
            if (button) window.firstDrawn.push(button.getAttribute('aria-disabled'));
          }
      }).observe(document.body, { childList: true, subtree: true });
    `);
    await byId('run-outside').click();
    await byId('run-outside-now').and(panel().page.locator('[aria-disabled="false"]')).waitFor();
    const drawn = (await panel().page.evaluate('window.firstDrawn')) as string[];
    assert.deepEqual([...new Set(drawn)], ['true']);
  });

  it('decides nothing in a read-only session', async () => {
    await asks({ level: 'high', reasons: ['Reaches the network'] }, inside);
    const enabled = byId('approval').locator('[aria-disabled="false"]');
    await enabled.first().waitFor();
    await panel().send({ type: 'facts', facts: facts({ ...waiting, writable: false }) });
    assert.equal(await enabled.count(), 0);
    await byId('run-once').dispatchEvent('click');
    await panel().send({ type: 'facts', facts: facts({ ...waiting, writable: false, loading: true }) });
    await enabled.first().waitFor();
    assert.deepEqual(await decided(), []);
  });

  it('can be decided in every way with Tab, Space and letters', async () => {
    const keys = () => panel().page.keyboard;
    /** Tabs to a button that is already enabled and presses it. */
    const press = async (id: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
      for (let steps = 0; (await focused()) !== id; steps++) {
        assert.ok(steps < 60, `Tab never comes to ${id}`);
        await keys().press(key);
      }
      await panel().page.locator(`[data-testid="${id}"][aria-disabled="false"]`).waitFor();
      await keys().press('Space');
    };
    let hash = '';
    const anew = async (): Promise<void> => {
      hash += 'h'; // a different question
      await asks({ level: 'high', reasons: ['Reaches the network'] }, inside, 'rm -rf dist', hash);
      await panel().send({ type: 'preview', actionId: 'c1', hash, canAllow: true });
      await panel().page.evaluate('document.activeElement.blur()');
    };
    const isDecided = async (answer: object): Promise<void> => {
      assert.deepEqual((await decided()).at(-1), { type: 'decide', actionId: 'c1', hash, ...answer });
    };

    await anew();
    await press('run-once');
    await isDecided({ approved: true });
    await anew();
    await press('run-outside');
    await press('run-outside-now', 'Shift+Tab');
    await isDecided({ approved: true, outside: true });
    await anew();
    await press('edit-command');
    await keys().type(' -v');
    await press('run-edited');
    await isDecided({ approved: true, edited: 'rm -rf dist -v' });
    await anew();
    await press('refuse-note');
    await keys().type('Keep it.');
    await press('send-note');
    await isDecided({ approved: false, comment: 'Keep it.' });
    await anew();
    await press('always-allow');
    const offer = {
      scope: 'exact' as const,
      shown: 'rm -rf dist',
      covers: [],
      asks: [],
      level: 'high' as const,
      reasons: [],
      scripts: 0,
    };
    await panel().send({ type: 'rule_offers', actionId: 'c1', hash, offers: [offer] });
    await press('allow-session');
    const allowed = { type: 'always_allow', scope: 'exact', keep: 'session', actionId: 'c1', hash };
    assert.deepEqual(await panel().postedOf('always_allow'), [allowed]);
  });

  it('describes a permanent deletion of a file as such, not as a command', async () => {
    const deletes = {
      ...action('d1', 'delete_file', { path: 'old.txt' }, 'Delete old.txt'),
      effect: 'writes' as const,
    };
    const shown = "rm -- 'old.txt'";
    const rest = { covers: [], asks: [], level: 'high' as const, reasons: [], scripts: 0 };
    await panel().send(
      page(log(task('Tidy up.'), reply('', [deletes]), { type: 'confirmation_requested', actionIds: ['d1'] }), {
        running: true,
        status: 'waiting_for_confirmation',
      }),
      { type: 'preview', actionId: 'd1', hash: '', canAllow: true },
    );
    await panel().page.locator('[data-testid="always-allow"][aria-disabled="false"]').click();
    await panel().send({
      type: 'rule_offers',
      actionId: 'd1',
      hash: '',
      offers: [{ scope: 'exact', shown, ...rest }],
    });
    const words = (await byId('allow').innerText()).replace(/\s+/g, ' ');
    assert.match(words, /Allow rm -- 'old\.txt' in this folder/);
    assert.doesNotMatch(words, /the command/);
  });

  it('shows the numbered lines of an edit with context and the dangerous key, but no arguments', async () => {
    await panel().send(...approvalScenes['card-edit-script'].messages);
    const words = await byId('approval').innerText();
    assert.equal(await byId('approval').locator('h2').innerText(), 'Edit package.json');
    assert.doesNotMatch(words, /\bpath\b|Run once|old_text/);
    assert.equal(
      await byId('approval')
        .locator('mark')
        .allInnerTexts()
        .then((marks) => marks.join()),
      '"postinstall"',
    );
    const lines = await byId('approval')
      .locator('.line')
      .evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.textContent).join('|')));
    assert.deepEqual(lines.slice(2, 6), [
      '6| |    "build": "node build.js",',
      '7|−|    "test": "node --test"',
      '7|+|    "test": "node --test",',
      '8|+|    "postinstall": "node scripts/fetch.js"',
    ]);
    await byId('open-proposed-diff').click();
    assert.deepEqual(await panel().postedOf('open_diff'), [
      { type: 'open_diff', actionId: 'c9', path: 'package.json' },
    ]);
    await panel().answersEnabled();
    assert.equal(await byId('run-once').innerText(), 'Apply edit');
    await byId('run-once').click();
    assert.deepEqual(await decided(), [{ type: 'decide', actionId: 'c9', approved: true, hash: 'h' }]);
  });

  it('names the files of a new file, a deletion and several edits', async () => {
    const shown = async (messages: ToPanel[]) => {
      await panel().send(
        ...messages.map((message) =>
          message.type === 'page'
            ? { ...message, facts: { ...message.facts, sessionId: `s-${Math.random()}` } }
            : message,
        ),
      );
      return [await byId('approval').locator('h2').innerText(), await byId('run-once').innerText()];
    };
    assert.deepEqual(await shown(approvalScenes['card-new-file'].messages), [
      'Create src/format/duration.ts',
      'Create file',
    ]);
    assert.deepEqual(await shown(approvalScenes['card-delete'].messages), ['Delete src/legacy/add.ts', 'Delete file']);
    assert.deepEqual(await shown(approvalScenes['card-patch'].messages), [
      'Patch src/format/duration.ts, src/legacy/add.ts, .github/workflows/ci.yml',
      'Apply edit',
    ]);
    assert.match(await byId('approval').locator('.approval-head').innerText(), /3 files/);
    assert.match(
      await byId('edited-files').innerText(),
      /New file\s+src\/format\/duration\.ts[\s\S]*Delete\s+src\/legacy\/add\.ts[\s\S]*Edit\s+\.github/,
    );
    const facts = (await byId('approval').locator('.facts').innerText()).replace(/\s+/g, ' ');
    assert.match(facts, /Undo ?In the Changes view\./);
    await shown(approvalScenes['card-edit-fails'].messages);
    assert.match(
      await byId('edit-refused').innerText(),
      /This edit fails with the current files: src\/add\.ts was not changed/,
    );
  });

  it('redraws an edit when the host sends a newer one', async () => {
    const [asked, said] = approvalScenes['card-edit-script'].messages as [
      ToPanel,
      Extract<ToPanel, { type: 'preview' }>,
    ];
    await panel().send(asked, said);
    const [change] = said.changes!;
    const [hunk] = change!.hunks;
    const moved = { ...change!, hunks: [{ ...hunk!, oldStart: 40, newStart: 40 }] };
    await panel().send({ ...said, changes: [moved] });
    assert.match(await byId('approval').locator('.line').first().innerText(), /^40\b/);
    assert.equal(await byId('run-once').innerText(), 'Apply edit');
  });

  it('later shows that the person edited the command, and that it ran outside', async () => {
    await panel().send(...approvalScenes['card-edited'].messages);
    const rows = await panel().page.getByTestId('step-row').allInnerTexts();
    assert.match(rows[0]!, /git push --force origin main\s*You changed this command/);
    assert.match(rows[1]!, /You ran\s*git push --force-with-lease origin topic\s*outside sandbox · exit 0/);
  });
});
