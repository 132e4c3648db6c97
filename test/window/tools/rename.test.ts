import { strict as assert } from 'node:assert';
import { toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, until, useAgentWindow } from '../support/agentWindow';

const files = {
  'jsconfig.json': '{ "include": ["**/*.js"] }\n',
  'sum.js': 'export function total(prices) {\n  return prices.reduce((a, b) => a + b, 0);\n}\n',
  'shop.js': "import { total } from './sum';\n\nexport const bill = (prices) => total(prices);\n",
  'bill.js': "import { total } from './sum';\nconsole.log(total([3]));\n",
};
/** So many that the language service answers before it has read them all. */
const others = Object.fromEntries(
  Array.from({ length: 3_000 }, (_, index) => [
    `more/part${index}.js`,
    Array.from({ length: 30 }, (_, at) => `export const value${at} = (given) => given + ${index + at};\n`).join(''),
  ]),
);
const renamed = (name: keyof typeof files): string => files[name].replaceAll('total', 'sumOf');

describe('a rename by language services, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({
    files: { ...others, ...files },
    settings: { 'waymark.confirmation': 'always' },
    allBuiltIn: true,
  });
  const page = () => agent().page;
  const card = () => agent().view.getByTestId('approval');
  const rows = () =>
    page()
      .locator('.pane', { has: page().locator('.pane-header', { hasText: 'Changes' }) })
      .locator('.monaco-list-row');
  const sources = ['sum.js', 'shop.js', 'bill.js'] as const;
  const isRenamed = () => sources.every((name) => agent().file(name) === renamed(name));
  const isAsBefore = () => sources.every((name) => agent().file(name) === files[name]);

  it('waits as one card with the diff of every file, before any file changes', async () => {
    agent().model(
      toolCall('rename_symbol', { path: 'sum.js', line: 1, symbol: 'total', new_name: 'sumOf' }),
      finish('Renamed.'),
    );
    await agent().task('Rename total to sumOf.');
    // The language service reads the project before it answers.
    await card().waitFor({ timeout: 120_000 });
    await card().getByTestId('edited-file').nth(2).waitFor();
    assert.equal(await card().getByTestId('edited-file').count(), 3);
    const words = await card().innerText();
    for (const name of sources) assert.ok(words.includes(name), words);
    const head = (await card().locator('.approval-head').innerText()).replaceAll(/\s+/g, ' ');
    assert.match(head, /Rename total \(sum\.js:1\) to sumOf 3 files/);
    assert.match(words, /sumOf/);
    assert.ok(isAsBefore());
    await agent().window.setPanelWidth(300 + 48);
    for (const theme of ['light', 'high-contrast-light', 'high-contrast-dark', 'dark'] as const) {
      await agent().window.setTheme(theme);
      await agent().window.screenshot(`rename-card-${theme}`);
    }
  });

  it('is written to all files with one approval, and reviewed and undone as one change', async () => {
    await agent().command('Waymark: Approve Pending Action');
    await agent().reaches('finished');
    assert.ok(isRenamed(), JSON.stringify(agent().of('observation'), null, 1));
    await agent().command('Waymark: Focus on Changes View');
    await until('three rows', async () => (await rows().count()) === 3);
    await agent().window.screenshot('rename-changes');
    await agent().command('Waymark: Undo All Changes');
    await until('all files as before', isAsBefore);
    await agent().command('Waymark: Redo Undone Changes');
    await until('all files renamed again', isRenamed);
  });
});
