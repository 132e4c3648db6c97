// What a window opens and closes again leaves nothing behind: no listener, no
// registration, and no more memory each time.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import * as vscode from 'vscode';
import { ProblemReports } from '../../src/extension/common/problemReports';
import { Contributions } from '../../src/extension/contributed/contributions';
import { ChangeView } from '../../src/extension/editor/changeView';
import { WindowProvenance } from '../../src/extension/editor/windowProvenance';
import { inspectFile } from '../../src/extension/inspector/inspectFile';
import type { InspectorHost } from '../../src/extension/inspector/inspectorHost';
import { Inspectors } from '../../src/extension/inspector/inspectors';
import { StepTexts } from '../../src/extension/inspector/stepTexts';
import { PanelOutlet } from '../../src/extension/panel/panelOutlet';
import { PanelView } from '../../src/extension/panel/panelView';
import { OpenSessions } from '../../src/extension/sessions/openSessions';
import { ShownSession } from '../../src/extension/sessions/shownSession';
import { fullRun } from '../support/trajectory';
import { countRegistrations } from './support/registrations';
import { note, workspace } from './support/session';

/** Rounds of one half. The second half may cost what the first cost, and a little more. */
const half = 100;
const mostGrowth = 12 * 1024 * 1024;

const nothing = (): undefined => undefined;

function windowParts(folder: string) {
  const problems: unknown[] = [];
  const onProblem = (thrown: unknown): void => void problems.push(thrown);
  const given = new Contributions();
  const provenance = new WindowProvenance(vscode.Uri.file(folder), onProblem);
  const listener = {
    onEvent: nothing,
    onDelta: nothing,
    onRunning: nothing,
    onListed: nothing,
    isShown: () => false,
    onFailure: (_session: unknown, thrown: unknown) => onProblem(thrown),
    onProblem,
  };
  const noModel = (): Promise<never> => Promise.reject(new Error('No model chosen.'));
  const models = { required: () => Promise.resolve(undefined), named: noModel, byName: noModel };
  const sessions = new OpenSessions(vscode.Uri.file(folder), listener, models, provenance, given);
  const shown = new ShownSession(() => sessions, {
    switched: () => Promise.resolve(),
    opened: nothing,
    onProblem,
  });
  const changes = new ChangeView();
  const texts = new StepTexts();
  const outlet = new PanelOutlet();
  const host: InspectorHost = {
    sessions,
    shown,
    changes,
    texts,
    inspectors: new Inspectors(),
    problems: new ProblemReports({ error: onProblem as (words: string | Error) => void }),
    extension: vscode.extensions.getExtension('waymark.waymark')!.extensionUri,
  };
  const dispose = async (): Promise<void> => {
    await sessions.closeAll();
    for (const part of [sessions, provenance, changes, texts, given]) part.dispose();
  };
  return { sessions, changes, outlet, host, problems, dispose };
}

type Parts = ReturnType<typeof windowParts>;

/** A session begins, says something, is closed and deleted. */
async function openSession({ sessions }: Parts): Promise<void> {
  const session = sessions.openSession();
  session.conversation.append({ type: 'notice', level: 'info', text: 'x'.repeat(10_000) });
  await session.durable();
  await sessions.close(session.id);
  await sessions.delete(session.id);
}

const newTab = (name: string): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel('waymark.compare', name, {
    viewColumn: vscode.ViewColumn.Active,
    preserveFocus: true,
  });

/** The panel is drawn in a real webview, and closed, sometimes before the rest was there. */
async function openView({ outlet, host }: Parts, isSlow: boolean): Promise<void> {
  const tab = newTab('View');
  const peer = {
    connect(post: Parameters<PanelOutlet['open']>[0]) {
      outlet.open(post);
      return { receive: nothing, hidden: nothing, dispose: () => void outlet.close(post) };
    },
  };
  const gone = new Promise<void>((resolve) => tab.onDidDispose(() => resolve()));
  const view = {
    webview: tab.webview,
    visible: true,
    onDidDispose: tab.onDidDispose,
    onDidChangeVisibility: tab.onDidChangeViewState,
  } as unknown as vscode.WebviewView;
  const drawn = new PanelView(host.extension, () => (isSlow ? gone.then(() => peer) : Promise.resolve(peer)));
  const resolved = drawn.resolveWebviewView(view);
  if (!isSlow) await resolved;
  outlet.post({ type: 'focus', what: 'composer' });
  tab.dispose();
  await Promise.all([gone, resolved]);
  outlet.post({ type: 'focus', what: 'composer' });
}

/** A log is shown in an inspector, which is closed. */
async function openInspector({ host }: Parts, log: vscode.Uri): Promise<void> {
  const tab = newTab('Inspector');
  const gone = new Promise<void>((resolve) => tab.onDidDispose(() => resolve()));
  inspectFile(log, tab, host);
  tab.dispose();
  await gone;
}

/** The diff of an edit that waits for approval is opened, and closed when it is decided. */
async function openDiff({ changes }: Parts, round: number): Promise<void> {
  const question = { sessionId: `s${round}`, actionId: 'a' };
  await changes.showProposed(question, 'leaks.txt', { before: null, after: 'y'.repeat(10_000) }, workspace());
  await changes.closeProposed(question);
}

describe('what a window opens and closes', function () {
  this.timeout(300_000);
  let folder: string;
  let log: vscode.Uri;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-leaks-'));
    const lines = [{ waymark: 1 }, ...fullRun()].map((line) => `${JSON.stringify(line)}\n`);
    log = vscode.Uri.file(path.join(folder, 'run.waymark.jsonl'));
    fs.writeFileSync(log.fsPath, lines.join(''));
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('leaves no listener behind, and no more memory the second hundred times than the first', async () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const used = async (): Promise<number> => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      collect();
      return process.memoryUsage().heapUsed;
    };
    const registrations = countRegistrations();
    try {
      const parts = windowParts(path.join(folder, 'storage'));
      const rounds = async (from: number): Promise<void> => {
        for (let round = from; round < from + half; round++) {
          await openSession(parts);
          await openView(parts, round % 2 === 1);
          await openInspector(parts, log);
          if (round % 10 === 0) await openDiff(parts, round);
        }
      };
      // Whatever is loaded on first use is loaded.
      await openSession(parts);
      await openView(parts, false);
      await openInspector(parts, log);
      await openDiff(parts, -1);
      const listening = registrations.living();
      const atFirst = await used();
      await rounds(0);
      assert.deepEqual(registrations.living(), listening, 'after the first hundred');
      const atHalf = await used();
      await rounds(half);
      assert.deepEqual(registrations.living(), listening, 'after the second hundred');
      const atLast = await used();
      const [first, second] = [atHalf - atFirst, atLast - atHalf];
      note(`heap: ${Math.round(first / 1024)} kB in the first ${half} rounds, ${Math.round(second / 1024)} kB after`);
      assert.ok(second < Math.max(first, 0) + mostGrowth, `${first} bytes, then ${second} bytes more`);
      assert.deepEqual(parts.problems, []);
      await parts.dispose();
      assert.deepEqual(registrations.living(), {}, 'the parts of a window end everything that they registered');
    } finally {
      registrations.stop();
    }
  });
});
