import assert from 'node:assert/strict';
import type { Action, NewEvent } from '../../../src/protocol/events/event';
import type { UndoOutlook } from '../../../src/protocol/panel/panel';
import { action, command, facts, log, observed, page, reply, started, task } from '../support/events';
import { scenes } from '../gallery/scenes';
import { usePanel } from '../support/usePanel';

const waiting = { running: true, status: 'waiting_for_confirmation' as const };

describe('statements of the panel', function () {
  const { panel, byId } = usePanel(this);

  it('shows invisible characters in a folder name and in a reason by their names', async () => {
    const hidden = '/home/ada/\u202Egnp.exe';
    const risk: Action['risk'] = { level: 'high', reasons: [`Deletes ${hidden}`, `Reads ${hidden}`] };
    const asked = action('c1', 'run_command', { command: 'ls' }, 'Run ls', { risk });
    const question: NewEvent = { type: 'confirmation_requested', actionIds: ['c1'] };
    await panel().send(page(log(task('t'), reply('', [asked]), question), { ...waiting, sessionId: 's-hidden' }));
    const escaped = '/home/ada/U+202Egnp.exe';
    const words = async (id: string): Promise<string> => (await byId(id).first().innerText()).replace(/\s+/g, ' ');
    assert.ok((await words('headline')).includes(`Deletes ${escaped}`), await words('headline'));
    assert.ok((await words('reasons')).includes(`Reads ${escaped}`), await words('reasons'));
    const done = observed('c1', 'a.txt', { ...command(0)!, cwd: hidden } as ReturnType<typeof command>);
    const events = log(task('t'), reply('', [asked]), question, started('c1'), done);
    await panel().send(page(events, { sessionId: 's-hidden-done' }));
    await panel().page.locator('.step button').first().click();
    const facts = panel().page.locator('.step-body .facts').first();
    await facts.waitFor();
    assert.ok((await facts.innerText()).includes(escaped), await facts.innerText());
  });

  it('says how long an action has been running, if that is more than a moment', async () => {
    const call = action('long', 'run_command', { command: 'sleep 90' }, 'Run sleep 90');
    const events = log(task('t'), reply('', [call]), started('long'));
    await panel().send(page(events, { running: true, status: 'ready', sessionId: 's-long' }));
    const time = byId('running-time');
    await time.waitFor();
    const shown = async (): Promise<number> => Number(/^(\d+) s$/.exec(await time.innerText())![1]);
    const first = await shown();
    assert.ok(first >= 12, `${first}`);
    await panel().page.waitForFunction(
      (before) => document.querySelector('[data-testid=running-time]')!.textContent !== `${before} s`,
      first,
    );
    assert.ok((await shown()) > first);
    const begun = events.map((event) => ({ ...event, at: Date.now() }));
    await panel().send({
      type: 'page',
      from: 0,
      total: begun.length,
      fresh: true,
      events: begun,
      facts: facts({ running: true, status: 'ready', sessionId: 's-brief' }),
    });
    await panel().page.locator('.step .running').waitFor();
    assert.equal(await time.count(), 0);
  });

  it('describes the effect of an action by the declaration of its tool, not by its input', async () => {
    const shown = async (effect: Action['effect'], input: object, undo?: UndoOutlook) => {
      await panel().send(
        page(
          log(task('t'), reply('', [{ ...action('x', 'tool', input, 'Use it rm x'), ...(effect && { effect }) }]), {
            type: 'confirmation_requested',
            actionIds: ['x'],
          }),
          { ...waiting, sessionId: `s-${effect}` },
        ),
        { type: 'preview', actionId: 'x', hash: '', canAllow: true, ...(undo && { undo }) },
      );
      return {
        heading: await byId('approval').locator('h2').innerText(),
        words: await byId('approval').innerText(),
        changed: await byId('approval').locator('.line.removed').count(),
      };
    };
    const lookalike = { command: 'rm x', path: 'a.ts', edits: [{ old_text: 'one', new_text: 'two' }] };
    const copied: UndoOutlook = { isCopied: true, lasting: [] };
    const notCopied: UndoOutlook = { isCopied: false, lasting: [] };
    const runs = await shown('executes', lookalike, copied);
    assert.deepEqual([runs.heading, runs.changed], ['Run this command', 0]);
    assert.match(
      runs.words,
      /Runs in\s*\S*first-run[\s\S]*Undo\s*In the Changes view, except secrets, large and generated files/,
    );
    assert.doesNotMatch(runs.words, /Not undone/);
    const installs = await shown('executes', lookalike, { isCopied: true, lasting: ['network', 'packages'] });
    assert.match(installs.words, /Not undone: requests over the network, packages\./);
    const unkept = await shown('executes', lookalike, notCopied);
    assert.match(unkept.words, /Not possible: this folder has no checkpoints\./);
    const writes = await shown('writes', lookalike, copied);
    assert.deepEqual([writes.heading, writes.changed], ['Use it rm x', 1]);
    assert.match(writes.words, /Undo\s*In the Changes view\./);
    assert.match(
      (await shown('writes', lookalike, notCopied)).words,
      /Not in the Changes view: Waymark does not copy secrets/,
    );
    const reads = await shown('reads', lookalike);
    assert.deepEqual([reads.heading, reads.changed], ['Use it rm x', 0]);
    assert.match(reads.words, /command\s+rm x[\s\S]*"old_text":[\s\S]*Changes nothing/);
    assert.match((await shown(undefined, lookalike)).words, /Waymark cannot tell what can be undone/);
    const given = async (effect: Action['effect']) => (
      await panel().send(
        page(
          log(
            task('t'),
            reply('', [
              {
                ...action('x', 'mcp_notes_run', lookalike, 'Call run of the MCP server notes'),
                effect,
                from: { source: 'the MCP server notes', tool: 'run' },
              },
            ]),
            { type: 'confirmation_requested', actionIds: ['x'] },
          ),
          { ...waiting, sessionId: `s-given-${effect}` },
        ),
      ),
      byId('approval').innerText()
    );
    const calls = await given('executes');
    assert.match(
      calls,
      /^Call run of the MCP server notes[\s\S]*command\s+rm x[\s\S]*Only the MCP server notes knows what it changes\. Waymark cannot undo it/,
    );
    assert.match(await given('reads'), /Changes nothing/);
    assert.doesNotMatch(calls, /Runs in/);
    for (const { words } of [writes, reads]) assert.doesNotMatch(words, /Runs in/);
  });

  it('shows the pictures of a result in its step', async () => {
    const done = log(
      task('t'),
      reply('', [
        {
          ...action('x', 'mcp_notes_see', {}, 'Call see of the MCP server notes'),
          from: { source: 'the MCP server notes', tool: 'see' },
        },
      ]),
      { type: 'action_started', actionId: 'x' },
      {
        type: 'observation',
        actionId: 'x',
        outcome: 'ok',
        content: '[Picture 1]',
        images: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
      },
    );
    await panel().send(page(done, { sessionId: 's-pictures' }));
    await byId('step-row').click();
    assert.equal(
      await byId('result-pictures').locator('img').getAttribute('src'),
      'data:image/png;base64,iVBORw0KGgo=',
    );
  });

  it('offers the advised commands next to Retry', async () => {
    const failed = (remedy?: 'set_api_key' | 'choose_model') =>
      page(
        log(task('t'), {
          type: 'finished',
          status: 'failed',
          summary: '',
          problem: { what: 'Refused.', why: 'No key.', next: 'Set one.', ...(remedy && { remedy }) },
        }),
        { status: 'finished', sessionId: `s-${remedy}` },
      );
    const primary = () => byId('finished').locator('button.primary').allInnerTexts();
    await panel().send(failed('set_api_key'));
    assert.deepEqual(await primary(), ['Set API key']);
    await byId('remedy').click();
    await panel().send(failed('choose_model'));
    assert.deepEqual(await primary(), ['Choose model']);
    await byId('remedy').click();
    assert.deepEqual(await panel().postedOf('command'), [
      { type: 'command', id: 'waymark.setApiKey' },
      { type: 'command', id: 'waymark.chooseModel' },
    ]);
    await byId('retry').click();
    assert.equal((await panel().postedOf('resume')).length, 1);
    await panel().send(failed());
    assert.deepEqual(await primary(), ['Retry']);
  });

  it('offers to condense, a new session and another model when the conversation is too long', async () => {
    await panel().send(...scenes['too-long']!.messages);
    assert.deepEqual(await byId('finished').locator('button').allInnerTexts(), [
      'Condense and continue',
      'New session',
      'Choose model',
    ]);
    assert.deepEqual(await byId('finished').locator('button.primary').allInnerTexts(), ['Condense and continue']);
    await byId('condense-and-go-on').click();
    assert.deepEqual(await panel().chosen(), [{ type: 'condense' }, { type: 'resume' }]);
    await byId('new-session').click();
    assert.equal((await panel().postedOf('new_session')).length, 1);
  });

  it('does not offer to condense what could not be condensed', async () => {
    const tooLong = log(
      task('Summarize the timetable.'),
      { type: 'condensation', forgotten: [], summary: '' },
      {
        type: 'finished',
        status: 'failed',
        cause: 'context_overflow',
        summary: '',
        problem: { what: 'The conversation is too long.', why: '', next: '', remedy: 'choose_model' },
      },
    );
    await panel().send(page(tooLong, { status: 'finished' }));
    assert.deepEqual(await byId('finished').locator('button.primary').allInnerTexts(), ['Choose model']);
    assert.equal(await byId('condense-and-go-on').count(), 0);
    await byId('retry').click();
    assert.deepEqual(await panel().chosen(), [{ type: 'resume' }]);
  });

  it('shows no progress for what a crash interrupted, and says what is kept', async () => {
    const cut = log(
      task('t'),
      reply('', [action('c', 'run_command', { command: 'sleep 9' }, 'Run sleep 9')]),
      started('c'),
    );
    await panel().send(page(cut, { running: true, status: 'ready' }));
    assert.equal(await panel().page.locator('.feed .codicon-modifier-spin').count(), 1);
    await panel().send({ type: 'facts', facts: facts({ status: 'ready' }) });
    await byId('interrupted').getByText('Steps that started are not run again.').waitFor();
    assert.equal(await panel().page.locator('.codicon-modifier-spin').count(), 0);
    assert.match(await byId('step-row').innerText(), /outcome unknown/);
    await byId('resume').click();
    assert.deepEqual(await panel().postedOf('resume'), [{ type: 'resume' }]);
    await panel().send({ type: 'facts', facts: facts({ running: true, status: 'ready' }) });
    assert.equal(await byId('interrupted').count(), 0);
  });

  it('says that the start of replayed output is missing', async () => {
    const running = log(
      task('t'),
      reply('', [action('c', 'run_command', { command: 'yes' }, 'Run yes')]),
      started('c'),
    );
    const replay = async (cut: object, sessionId: string) => {
      await panel().send(page(running, { running: true, status: 'ready', sessionId }), {
        type: 'deltas',
        deltas: [{ kind: 'output', actionId: 'c', text: 'y\ny\n', ...cut }],
      });
      return await panel().page.locator('.live pre').innerText();
    };
    assert.equal(await replay({ cut: true }, 's2'), '… earlier output not shown\ny\ny');
    assert.equal(await replay({}, 's3'), 'y\ny');
  });
});
