import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { reply } from '../../support/modelServer';
import { finish, goOnFromEachOther, until, useSharedWindow } from '../support/agentWindow';
import type { Theme } from '../support/window';

const files = {
  'AGENTS.md': '# Working here\n\nWrite a test first.\n',
  'docker.agent': '---\ntriggers: [docker]\n---\nUse podman.\n',
  '.agent/style.md': '---\npaths: ["src/**/*.ts"]\n---\nNo default exports.\n',
  '.agent/release.md': '---\nname: release\ndescription: Makes a release.\ninputs: [version]\n---\nTag ${version}.\n',
  '.agent/skills/pdf/SKILL.md': '---\nname: PDF\ndescription: Reads PDF files.\n---\nRun scripts/read.py.\n',
  '.agent/personas/\u202Esoother $(check).md':
    '---\ndescription: Looks like another.\ntools: [readOnly]\n---\nYou review.\n',
  '.agent/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews a change.\ntools: [readOnly]\n---\nYou review.\n',
};

describe('instructions of a folder, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useSharedWindow('asking', { files });
  const row = (name: string) =>
    agent().page.locator('.pane', { hasText: 'Skills' }).locator('.monaco-list-row', { hasText: name }).first();

  it('are listed in a tree by when they apply, with their problems', async () => {
    await agent().command('Waymark: Focus on Skills View');
    await row('AGENTS.md').waitFor();
    await agent().page.locator('.statusbar-item[id*="problems"]', { hasText: '1' }).waitFor();
    await agent().window.screenshot('skills-tree-first');
    await row('AGENTS.md').click();
    await agent().page.locator('.editor-instance').first().waitFor();
    await agent().command('Waymark: Focus on Skills View');
    for (const name of ['PDF', 'docker', 'release', 'style', 'reviewer']) {
      await until(name, async () => {
        await agent().page.keyboard.press('ArrowDown');
        return (await row(name).count()) > 0;
      });
      if (name === 'docker')
        assert.match(
          (await row(name).innerText()).replace(/\s+/g, ' '),
          /docker ?3 tokens · on docker · docker\.agent/,
        );
    }
    await agent().window.screenshot('skills-tree');
  });

  for (const theme of ['light', 'high-contrast-dark'] satisfies Theme[]) {
    it(`are shown in the theme ${theme}`, async () => {
      await agent().window.setTheme(theme);
      await agent().window.screenshot(`skills-tree-${theme}`);
    });
  }

  it('reach the model: permanent ones, and those triggered by a word', async () => {
    await agent().window.setTheme('dark');
    agent().model(finish('Done with podman.'), reply('Nothing more.'));
    await agent().task('Put it into docker.');
    await agent().reaches('finished');
    const { messages } = agent().server.requests[0]!.body;
    assert.match(
      String(messages[0]!.content),
      /Write a test first\.[\s\S]*Personas that delegate can give a task to:\n- reviewer: Reviews a change\./,
    );
    assert.match(String(messages[1]!.content), /Put it into docker\.[\s\S]*Use podman\./);
    assert.equal(agent().of('skill_woken')[0]!.name, 'docker');
  });

  it('choose the persona for the next task only', async () => {
    const list = agent().page.locator('.quick-input-list');
    await agent().command('Waymark: Task Options…');
    await list.getByText('Persona', { exact: true }).click();
    await list.getByText('"\\u202esoother \\u0024(check)"', { exact: true }).waitFor();
    await agent().window.screenshot('persona-names');
    await list.getByText('reviewer', { exact: true }).click();
    await list.locator('.monaco-list-row', { hasText: 'Persona' }).getByText('reviewer').waitFor();
    await agent().page.keyboard.press('Escape');
    for (const [words, expected] of [
      ['Review it.', 'reviewer'],
      ['Now do it.', undefined],
    ] as const) {
      agent().model(finish('Done.'));
      await agent().task(words);
      await agent().reaches('finished');
      assert.equal(agent().of('task_started')[0]!.persona?.name, expected);
    }
  });

  it('are shown as a diff if they changed, before they are used again', async () => {
    fs.writeFileSync(path.join(agent().window.workspace, 'AGENTS.md'), '# Working here\n\nWrite no test at all.\n');
    await agent().command('Waymark: Focus on Skills View');
    await until('the mark of a change', async () => {
      await agent().page.locator('.pane', { hasText: 'Skills' }).locator('.monaco-list').first().press('Home'); // in case another element has taken the focus
      return (await row('changed').count()) > 0;
    });
    agent().model(finish('Done without.'));
    const before = agent().server.requests.length;
    await agent().view.getByTestId('composer').fill('Go on.');
    await agent().command('Waymark: Review Changed Skills');
    await agent().page.locator('.monaco-diff-editor').first().waitFor();
    await agent().window.screenshot('skills-changed');
    await agent().page.getByRole('button', { name: 'Use Them' }).click();
    await until('the change agreed to', async () => (await row('changed').count()) === 0);
    assert.equal(agent().server.requests.length, before);
  });

  it('above the folder reach the next task, although no event reports their changes', async () => {
    const above = path.dirname(agent().window.workspace);
    for (const folder of ['.git', '.agents/skills/brief']) fs.mkdirSync(path.join(above, folder), { recursive: true });
    fs.writeFileSync(
      path.join(above, '.agents/skills/brief/SKILL.md'),
      '---\nname: brief\ndescription: Says it in few words.\n---\nBe brief.\n',
    );
    try {
      agent().model(finish('Done.'));
      await agent().task('Be quick.');
      await agent().reaches('finished');
      assert.match(
        String(agent().server.requests.at(-1)!.body.messages[0]!.content),
        /- brief: Says it in few words\./,
      );
    } finally {
      for (const folder of ['.git', '.agents']) fs.rmSync(path.join(above, folder), { recursive: true });
    }
  });
});
