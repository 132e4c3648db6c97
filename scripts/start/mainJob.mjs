// The main job, done as a person does it: palette, task, choice of a model,
// approval in the panel, and the proof afterwards.
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../host/browser.mjs';
import { conversation, openFolder, runCommand, typeAnswer } from '../host/drive.mjs';
import { startServer } from '../host/server.mjs';
import { at, root } from '../repository.mjs';
import { copyExample, TASK } from './example.mjs';
import { runExampleTests } from './exampleTests.mjs';
import { exampleServer } from './serveExample.mjs';

const TIMEOUT_MS = 120_000;

/** Reports each step; returns true if the example's own tests failed before and pass after. */
export async function runMainJob() {
  const started = Date.now();
  const tell = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  const folder = copyExample();
  process.once('exit', () => fs.rmSync(path.dirname(folder), { recursive: true, force: true }));

  const before = testsOfACopy(folder);
  tell(`The example's own tests: ${before.passed} pass, ${before.failed} fail.`);
  const server = await startServer(await exampleServer(folder));
  const browser = await launchBrowser();
  let finished = false;
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(30_000);
    finished = await driveWindow(page, server, tell);
  } finally {
    await browser.close();
    if (!finished) fs.copyFileSync(server.logFile, at('out/server.log'));
    await server.stop();
  }
  const after = runExampleTests(folder);
  tell(`The example's own tests: ${after.passed} pass, ${after.failed} fail.`);
  const repaired = before.failed > 0 && after.failed === 0 && after.passed > before.passed;
  tell(finished && repaired ? 'The main job is done.' : 'The main job is not done.');
  return finished && repaired;
}

/** A test run leaves a cache behind, but the agent must find the folder untouched, so it runs on a copy. */
function testsOfACopy(folder) {
  const copy = copyExample();
  try {
    return runExampleTests(copy);
  } finally {
    fs.rmSync(path.dirname(copy), { recursive: true, force: true });
  }
}

async function driveWindow(page, server, tell) {
  const shot = async (name) => {
    const file = at('out/shots', `main-job-${name}.png`);
    await page.screenshot({ path: file });
    tell(`Screenshot: ${path.relative(root, file)}`);
  };
  fs.mkdirSync(at('out/shots'), { recursive: true });
  const view = conversation(page);
  try {
    await openFolder(page, server);
    tell('VS Code is open, with Waymark installed.');
    await runCommand(page, 'Waymark: Run Agent on Task');
    await typeAnswer(page, TASK);
    tell(`Palette: "Waymark: Run Agent on Task", with the task "${TASK}"`);
    return await follow(view, shot, tell);
  } catch (error) {
    tell(`Stopped: ${error.message.split('\n')[0]}`);
    await shot('stopped');
    return false;
  }
}

/** Does what the panel asks for until the agent has finished. */
async function follow(view, shot, tell) {
  const [offer, approval, finished] = [
    view.getByTestId('offer-tutorial'),
    view.getByTestId('approval'),
    view.getByTestId('finished'),
  ];
  const until = Date.now() + TIMEOUT_MS;
  let approved = 0;
  while (Date.now() < until) {
    await offer
      .or(approval)
      .or(finished)
      .first()
      .waitFor({ timeout: until - Date.now() });
    if (await finished.isVisible()) {
      tell(`Finished: ${oneLine(await finished.innerText())}`);
      await shot('3-finished');
      return approved > 0 && (await finished.getAttribute('data-status')) === 'submitted';
    }
    if (await approval.first().isVisible()) {
      tell(`The panel asks: ${oneLine(await approval.first().innerText())}`);
      await view.locator('[data-testid="run-once"][aria-disabled="false"]').first().waitFor(); // for a moment after it appears, a card accepts no input
      await shot(`2-approval${approved > 0 ? `-${approved + 1}` : ''}`);
      await approval.first().getByTestId('run-once').click();
      approved++;
      tell('Approved the command.');
      await approval
        .first()
        .waitFor({ state: 'detached', timeout: 30_000 })
        .catch(() => {});
    } else if (await offer.isVisible()) {
      await shot('1-choose-a-model');
      await offer.click();
      tell('No model is configured: chose the tutorial model, which is scripted.');
      await offer.waitFor({ state: 'detached' });
    }
  }
  throw new Error(`The agent was not done after ${TIMEOUT_MS / 1000} s.`);
}

const oneLine = (text) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
};
