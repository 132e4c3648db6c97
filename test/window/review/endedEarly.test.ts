import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { toolCall } from '../../support/modelServer';
import { goOnFromEachOther, run, until, useAgentWindow } from '../support/agentWindow';

describe('the changes of a run that was ended early', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({
    settings: { 'waymark.confirmation': 'never', 'waymark.limits.steps': 3 },
  });
  const end = (status: string) => agent().view.locator(`[data-testid=finished][data-status=${status}]`).last();
  /** Presses the button of the card. Resolves when the editor shows these files. */
  async function review(status: string, ...names: string[]): Promise<void> {
    await until(`${names.join(', ')} on the card`, async () => {
      const found = await end(status).getByTestId('review-list').locator('li .file').allInnerTexts();
      return JSON.stringify(found) === JSON.stringify(names);
    });
    await end(status).getByTestId('review').click();
    await agent().page.locator('.tab.active', { hasText: 'Changes by the agent' }).waitFor();
    const shown = agent().page.locator('.multiDiffEntry .file-path .title, .multiDiffEntry .file-path');
    await until('the files in the editor', async () => {
      const words = (await shown.allInnerTexts()).join('\n');
      return names.every((name) => words.includes(name));
    });
  }

  it('are listed if a person stopped the run, and open from there', async () => {
    agent().model(
      toolCall('write_file', { path: 'written.txt', content: 'one\n' }),
      run(`echo two > made.txt; until [ -e ${path.join(agent().window.workspace, 'never')} ]; do sleep 0.2; done`),
    );
    await agent().task('Write and wait.');
    await until('the command', () => agent().file('made.txt'));
    await agent().view.getByTestId('stop').click();
    assert.equal((await agent().reaches('finished')).status, 'stopped');
    await review('stopped', 'made.txt', 'written.txt');
    await agent().window.screenshot('review-stopped');
    await agent().command('View: Close All Editors');
  });

  it('are listed if a limit ended the run, and open from there', async () => {
    agent().model(
      toolCall('write_file', { path: 'one.txt', content: 'one\n' }),
      toolCall('write_file', { path: 'two.txt', content: 'two\n' }),
      run('mv one.txt three.txt'),
    );
    await agent().task('Write three.');
    assert.equal((await agent().reaches('finished')).status, 'limit_exceeded');
    await review('limit_exceeded', 'three.txt', 'two.txt');
    await agent().window.screenshot('review-limit');
    assert.ok(fs.existsSync(path.join(agent().window.workspace, 'three.txt')));
  });
});
