import assert from 'node:assert/strict';
import { panelPolicy } from '../../../src/extension/common/panelPolicy';
import type { Event } from '../../../src/protocol/events/event';
import { action, log, page, reply, task } from '../support/events';
import { hostile } from '../support/hostile';
import { usePanel } from '../support/usePanel';

describe('the panel', function () {
  const { panel, site } = usePanel(this);

  /** A run in which every text that can be attacker-controlled is attacker-controlled. */
  const poisoned = (words: string): Event[] => {
    const call = action('a1', 'edit_file', { path: words, edits: [{ old_text: words, new_text: words }] }, words);
    const risk = { level: 'high' as const, reasons: [words], culprit: words };
    return log(
      { ...task(words), title: words } as never,
      { ...reply(words, [{ ...call, risk }]), reasoning: { text: words } } as never,
      {
        type: 'observation',
        actionId: 'a1',
        outcome: 'ok',
        content: words,
        details: {
          kind: 'edit',
          changes: [
            {
              path: words,
              added: 1,
              removed: 1,
              hunks: [{ oldStart: 1, newStart: 1, lines: [`-${words}`, `+${words}`] }],
            },
          ],
        },
      } as never,
      { type: 'notice', level: 'warning', text: words },
      reply('', [{ ...action('a2', 'run_command', { command: words }, words), risk }]),
      { type: 'confirmation_requested', actionIds: ['a2'] },
    );
  };

  it('makes no hostile text active, wherever it appears: titles, names, arguments, results, diffs, reasons, streamed text', async () => {
    for (const words of hostile.map((one) => one.slice(0, 600))) {
      await panel().send(page(poisoned(words), { title: words, running: true, status: 'waiting_for_confirmation' }), {
        type: 'deltas',
        deltas: [
          { kind: 'reasoning', text: words },
          { kind: 'text', text: words },
          { kind: 'tool', tool: words, bytes: 9, call: 0, path: words },
          { kind: 'written', call: 0, text: words },
          { kind: 'output', actionId: 'a2', text: words },
        ],
      });
      const bad = await panel().page.evaluate(`(() => {
        const badTags = [
          'IFRAME', 'OBJECT', 'EMBED', 'FORM', 'IMG', 'SVG', 'MATH', 'STYLE', 'LINK', 'BASE', 'META',
          'VIDEO', 'AUDIO', 'TEMPLATE', 'NOSCRIPT',
        ];
        const badNames = ['srcset', 'href', 'action', 'formaction', 'background', 'poster'];
        const isBadAttribute = (element, { name, value }) =>
          /^on/.test(name) ||
          badNames.includes(name) ||
          (name === 'src' && element.tagName !== 'SCRIPT') ||
          (name === 'style' && /url|expression|fixed|@/i.test(value)) ||
          (name === 'data-url' && !/^(https?|mailto):/i.test(value));
        const isBad = element =>
          badTags.includes(element.tagName.toUpperCase()) ||
          (element.tagName === 'SCRIPT' && !element.nonce && element.type !== 'application/json') ||
          [...element.attributes].some(attribute => isBadAttribute(element, attribute));
        return [...document.querySelectorAll('body *')].filter(isBad).map(one => one.outerHTML.slice(0, 200));
      })()`);
      assert.deepEqual(bad, [], words);
    }
    assert.equal(await panel().page.evaluate('window.hacked'), undefined);
    assert.deepEqual(await panel().postedOf('open_link'), []);
  });

  it('is prevented by its policy from creating HTML, scripts and requests, even by its own code', async () => {
    const refused = await panel().page.evaluate(`(async () => {
      const tried = {
        html: () => { document.createElement('div').innerHTML = '<img src=x>'; },
        parsed: () => { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); },
        script: () => { document.createElement('script').src = 'https://evil.example/x.js'; },
        policy: () => { trustedTypes.createPolicy('other', { createHTML: text => text }); },
      };
      const refused = Object.entries(tried).filter(([, work]) => { try { work(); return false; } catch { return true; } }).map(([name]) => name);
      const loads = new Image();
      const loaded = new Promise(done => { loads.onload = () => done('loaded'); loads.onerror = () => done('refused'); });
      loads.src = 'https://evil.example/p.png';
      if (await loaded === 'refused') refused.push('image');
      await fetch('https://evil.example/x').catch(() => refused.push('request'));
      return refused;
    })()`);
    assert.deepEqual(refused, ['html', 'parsed', 'script', 'policy', 'image', 'request']);
    // Blocked attacks are not problems of the panel.
    panel().problems.length = 0;
    site().strangers.length = 0;
    await panel().page.evaluate('window.cspProblems.length = 0');
  });

  it('shows hidden and lookalike characters in steps, names and diffs', async () => {
    const path = 'src/\u202egnp.ts';
    await panel().send(
      page(
        log(task('t'), reply('', [action('a1', 'edit_file', { path, edits: [] }, `Edit ${path}`)]), {
          type: 'observation',
          actionId: 'a1',
          outcome: 'ok',
          content: 'x',
          details: {
            kind: 'edit',
            changes: [
              {
                path,
                added: 1,
                removed: 0,
                hunks: [{ oldStart: 1, newStart: 1, lines: ['+\tif (us\u0435r\u200b) {}'] }],
              },
            ],
          },
        } as never),
      ),
    );
    const row = panel().page.getByTestId('step-row');
    assert.ok((await row.innerText()).includes('U+202E'));
    await row.click();
    const words = await panel().page.locator('.diff').innerText();
    for (const part of ['U+202E', '\u0435 U+0435', 'U+200B']) assert.ok(words.includes(part), part);
  });

  it('has a policy without hosts, wildcard or network schemes, or unsafe keywords', () => {
    const policy = panelPolicy('https://own.example', 'N');
    assert.doesNotMatch(policy.replaceAll('https://own.example', ''), /unsafe|https?:|\*|blob:|ws:/);
    for (const part of [
      "default-src 'none'",
      "connect-src 'none'",
      "frame-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "script-src 'nonce-N'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.includes(part), part);
  });
});
