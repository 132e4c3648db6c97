import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { typeAnswer } from '../../../scripts/host/drive.mjs';
import {
  type Answering,
  failure,
  type ModelServer,
  reply,
  startModelServer,
  toolCall,
  toolCalls,
} from '../../support/modelServer';
import { pressOnCard, until } from '../support/agentWindow';
import { type Theme, useWindow } from '../support/window';

const usage = {
  prompt_tokens: 12_400,
  completion_tokens: 310,
  total_tokens: 12_710,
  prompt_tokens_details: { cached_tokens: 9_800 },
};
const source = 'export function add(a, b) {\n  // Both may be negative.\n  return a - b;\n}\n';

const axe = fs.readFileSync(path.join(process.env.REPOSITORY!, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Answers of the model, in order, by the first words of the task. */
const scripts: Record<string, Answering[]> = {
  Clean: [
    toolCalls(
      [
        { tool: 'read_file', input: { path: 'src/add.js' } },
        { tool: 'read_file', input: { path: 'package.json' } },
      ],
      {
        text: 'First a look at what is there.',
        reasoning: 'The folder may hold what others need, so its content matters.',
        usage,
      },
    ),
    toolCall(
      'run_command',
      { command: 'rm -rf dist ../shared-cache && npm run build' },
      { text: 'The build starts from an empty folder.', usage },
    ),
    reply('Understood: nothing was removed.', { usage }),
  ],
  Ask: [
    toolCall(
      'ask_user',
      { question: 'Two files define `add`. Which one should stay?', choices: ['src/add.js', 'src/legacy/add.js'] },
      { usage },
    ),
    reply('Then `src/sum.js` is the one that stays.', { usage }),
  ],
  Watch: [toolCall('run_command', { command: 'seq 1 40 && sleep 100' }, { text: 'The long check runs now.', usage })],
  Fail: [failure(401, 'Incorrect API key provided.')],
  Mend: [
    toolCall('read_file', { path: 'src/add.js' }, { reasoning: 'The sign looks wrong.', usage }),
    toolCall('run_command', { command: 'cat missing.txt' }, { text: '`add` subtracts.', usage }),
    toolCall(
      'edit_file',
      { path: 'src/add.js', edits: [{ old_text: '  return a - b;', new_text: '  const sum = a + b;\n  return sum;' }] },
      { usage },
    ),
    toolCall(
      'finish',
      { summary: '`add` subtracted instead of adding. **The sign is corrected**; nothing else changed.' },
      { usage: null },
    ),
  ],
  Stream: [
    {
      ...reply(
        `The parser reads *three* kinds of line:\n\n${Array.from({ length: 60 }, (_, line) => `- line ${line + 1} of the kind \`${line % 3}\``).join('\n')}`,
        { reasoning: 'There are three kinds, so a list is clearest.' },
      ),
      pieceBytes: 200,
      pauseMs: 80,
    },
  ],
};

function startScriptedServer(): Promise<ModelServer> {
  const told = new Map<string, number>();
  return startModelServer((request, index) => {
    const words = request.body.messages
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n');
    const name = Object.keys(scripts).find((key) => words.includes(`${key}:`))!;
    const next = told.get(name) ?? 0;
    told.set(name, next + 1);
    const answering = scripts[name]![next] ?? reply('Nothing is left to do.');
    return typeof answering === 'function' ? answering(request, index) : answering;
  });
}

const themes = ['light', 'high-contrast-dark', 'high-contrast-light', 'dark'] satisfies Theme[];

describe('the panel in a window', function () {
  this.timeout(240_000);
  let server: ModelServer;
  const window = useWindow(async () => {
    server = await startScriptedServer();
    return {
      modelServer: server,
      files: { 'src/add.js': source, 'package.json': '{ "type": "module" }\n' },
      settings: { 'waymark.model.contextWindow': 128_000 },
    };
  });
  after(() => server.stop());
  const view = () => window().webview();
  const byId = (id: string) => view().getByTestId(id);

  async function run(task: string): Promise<void> {
    await window().runCommand('Waymark: Run Agent on Task');
    await typeAnswer(window().page, task);
    await byId('title').getByText(task, { exact: true }).waitFor(); // not the previous session
  }

  /** True if the middle of an element is within the window and not covered. */
  const inSight = (id: string) =>
    byId(id)
      .first()
      .evaluate((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return one.contains(one.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
      });

  /** Returns axe violations, including contrast in the theme's own colours. */
  async function violations(): Promise<string[]> {
    const frame = (await (await view().locator('body').elementHandle())!.ownerFrame())!;
    await frame.evaluate(axe);
    const found = (await frame.evaluate('axe.run(document, { rules: { region: { enabled: false } } })')) as {
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    };
    return found.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary.split('\n')[1]}`).join(' | ')}`,
    );
  }

  /** Takes screenshots of the current state in all themes, in one of them also in a wide panel, and checks each. */
  async function photograph(name: string, check: () => Promise<void>): Promise<void> {
    for (const theme of themes) {
      await window().setTheme(theme);
      for (const width of theme === 'light' ? [600, 280] : [280]) {
        await window().setPanelWidth(width);
        await check();
        const wide = await view()
          .locator('html')
          .evaluate((html) =>
            [...html.querySelectorAll('html, body, .feed, .header, .composer, .card')]
              .filter((one) => one.scrollWidth > one.clientWidth + 1)
              .map((one) => one.className),
          );
        assert.deepEqual([...wide, ...(await violations())], [], `${name} ${theme} ${width}`);
        await window().screenshot(`panel-${name}-${theme}-${width}`);
      }
    }
    await window().setPanelWidth(300);
  }

  it('streams a reply, and a view reopened during it shows the earlier text', async () => {
    await run('Stream: explain the parser.');
    await byId('card-stream').getByText('line 9 of').waitFor();
    await window().screenshot('panel-streaming');
    await window().runCommand('View: Show Explorer');
    await window().openConversation();
    await byId('card-stream').getByText('line 1 of').waitFor();
    assert.match(await byId('card-stream').innerText(), /three kinds of line/);
    await byId('status').getByText('Answered').waitFor({ timeout: 60_000 });
  });

  it('shows heading, command and buttons of a waiting approval, with nothing over them', async () => {
    await run('Clean: build from scratch.');
    await byId('approval').waitFor();
    await photograph('approval', async () => {
      for (const id of ['run-once', 'refuse']) await until(`${id} in sight`, () => inSight(id));
      if (await byId('more-answers').isVisible()) assert.ok(await inSight('more-answers'));
      else for (const id of ['refuse-note', 'always-allow']) assert.ok(await inSight(id), id);
      const [heading, command] = [view().locator('.approval h2'), view().locator('.approval .exact')];
      for (const part of [heading, command])
        assert.ok(
          await part.evaluate(
            (one) =>
              one.getBoundingClientRect().top >= one.ownerDocument.querySelector('.feed')!.getBoundingClientRect().top,
          ),
        );
      assert.equal(await byId('jump-latest').count(), 0);
    });
    assert.equal(
      await window()
        .page.locator('.activitybar .action-item', { has: window().page.locator('a[aria-label^="Waymark"]') })
        .locator('.badge-content')
        .innerText(),
      '1',
    );
  });

  it('keeps the buttons in view at 200 % zoom', async () => {
    await window().page.setViewportSize({ width: 800, height: 500 });
    for (const id of ['run-once', 'refuse']) await until(`${id} in sight`, () => inSight(id));
    await window().screenshot('panel-approval-zoomed');
    await window().page.setViewportSize({ width: 1280, height: 800 });
  });

  it('continues after a refusal with a note', async () => {
    await pressOnCard(view(), 'refuse-note');
    await window().page.keyboard.type('Leave the cache alone.');
    await window().page.keyboard.press('Enter');
    await byId('status').getByText('Answered').waitFor();
    await window().screenshot('panel-refused');
    assert.ok(server.requests.some(({ text }) => text.includes('Leave the cache alone.')));
  });

  it('shows a running command with its last lines, and stops it', async () => {
    await run('Watch: the long check.');
    await view().locator('.live .output').getByText('40').waitFor();
    await photograph('running', async () => assert.equal(await byId('status').innerText(), 'Working'));
    await byId('stop').click();
    await byId('status').getByText('Stopped').waitFor();
    await window().screenshot('panel-stopped');
  });

  it('sends the text of the composer as the answer to a question', async () => {
    await run('Ask: which one?');
    await byId('question').waitFor();
    await photograph('question', async () => assert.equal(await byId('send').innerText(), 'Answer'));
    await byId('composer').fill('Neither: use src/sum.js.');
    await byId('send').click();
    await byId('status').getByText('Answered').waitFor();
    assert.ok(
      server.requests
        .at(-1)!
        .body.messages.some(
          ({ role, content }) => role === 'tool' && String(content).includes('Neither: use src/sum.js.'),
        ),
    );
    await window().screenshot('panel-answered');
  });

  it('shows a failed task', async () => {
    await run('Fail: at once.');
    await byId('finished').waitFor();
    await photograph('failed', async () => assert.equal(await byId('finished').getAttribute('data-status'), 'failed'));
  });

  it('sums up a finished task with the numbers of the header', async () => {
    await run('Mend: the sum.');
    await byId('finished').waitFor();
    assert.match(await byId('used').innerText(), /^4 steps · 37k\+ in · 930\+ out · 29k\+ cached · \d/);
    await photograph('finished', async () => assert.equal(await byId('usage').innerText(), '37k+ in'));
    await byId('usage').click();
    await view().getByText('Edited').click();
    await window().setPanelWidth(420);
    await window().screenshot('panel-finished-opened');
  });
});
