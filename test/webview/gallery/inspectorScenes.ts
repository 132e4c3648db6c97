import path from 'node:path';
import { formatNamed } from '../../../src/core/trajectory/formats/formats';
import { readProblemLine } from '../../../src/core/trajectory/format';
import type { Run } from '../../../src/extension/inspector/inspectorChannel';
import { fullRun, otherRun } from '../../support/trajectory';
import { openInspector, runOf } from '../support/inspectorSite';
import { axeViolations, type PanelSite } from '../support/panelSite';
import { themes, type Theme } from '../support/themes';

/** A state of the inspector: a run and the keys that lead to the state. */
interface InspectorScene {
  readonly runs: () => readonly Run[];
  readonly keys: readonly string[];
  readonly click?: readonly string[];
  readonly widths?: readonly number[];
}

const scenes: Readonly<Record<string, InspectorScene>> = {
  'inspector-steps': { runs: () => [runOf(fullRun())], keys: ['0', 'l'] },
  'inspector-task': { runs: () => [runOf(fullRun())], keys: ['0', 'Enter'] },
  'inspector-reply': { runs: () => [runOf(fullRun())], keys: ['0', 'l', 'r', 'Enter'] },
  'inspector-edit': { runs: () => [runOf(fullRun())], keys: ['0', 'l', 'l', 'Enter'] },
  'inspector-refused': { runs: () => [runOf(fullRun())], keys: ['0', 'l', 'l', 'l', 'Enter'], click: ['call-request'] },
  'inspector-candidates': { runs: () => [runOf(fullRun())], keys: ['0', 'l', 'l', 'l', 'l', 'Enter'] },
  'inspector-charts': { runs: () => [runOf(fullRun())], keys: ['v'] },
  'inspector-compare': { runs: () => [runOf(fullRun()), runOf(otherRun())], keys: ['0', 'l', 'Enter'], widths: [1200] },
  'inspector-foreign': { runs: () => [foreignRun()], keys: ['0', 'Enter'] },
  'inspector-foreign-step': { runs: () => [foreignRun()], keys: ['0', 'l', 'Enter'] },
  'inspector-results': { runs: () => [runOf(runWithResults())], keys: ['$', 'Enter'] },
  'inspector-damaged': { runs: () => [damagedRun()], keys: ['$', 'Enter'], click: ['problems'] },
};

/** The full run, ending with the list of its results. */
const runWithResults = (): ReturnType<typeof fullRun> =>
  fullRun().map((event) =>
    event.type === 'finished'
      ? {
          ...event,
          results: [
            { id: 'c1', action: 'edit_file', summary: 'Edit src/add.ts', files: ['src/add.ts'], state: 'ok' },
            { id: 'c2', action: 'run_command', summary: 'Run npm test', files: [], state: 'ok' },
            { id: 'c3', action: 'run_command', summary: 'Run rm -rf ~/.cache', files: [], state: 'rejected' },
          ],
        }
      : event,
  );

/** A mini-swe-agent run that contains entries unknown to Waymark. */
const foreignFile = (): string =>
  JSON.stringify(
    {
      info: {
        model_stats: { instance_cost: 0.031, api_calls: 2 },
        mini_version: '2.4.6',
        exit_status: 'Submitted',
        submission: 'diff --git a/x b/x\n',
        config: {
          agent: { step_limit: 250, cost_limit: 3, whitelist_actions: ['^ls'], mode: 'confirm' },
          model: { model_name: 'anthropic/claude-sonnet-4', model_kwargs: { temperature: 0 } },
          environment: { cwd: '/testbed', timeout: 60, env: { PAGER: 'cat' } },
        },
      },
      trajectory_format: 'mini-swe-agent-1.1',
      instance_id: 'django__django-11099',
      messages: [
        { role: 'system', content: 'You solve tasks with a shell.' },
        { role: 'user', content: 'UsernameValidator allows a trailing newline in usernames. Find out why and fix it.' },
        {
          role: 'assistant',
          content: 'I look at the validators first.',
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'bash', arguments: '{"command": "grep -n regex django/contrib/auth/validators.py"}' },
            },
          ],
          provider_specific_fields: { refusal: null },
          extra: {
            actions: [{ command: 'grep -n regex django/contrib/auth/validators.py', tool_call_id: 'c1' }],
            response: { id: 'resp_1', model: 'claude-sonnet-4', usage: { prompt_tokens: 1200, completion_tokens: 80 } },
            cost: 0.012,
            timestamp: 1_790_000_000,
          },
        },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: '{"returncode": 0, "output": "11:    regex = r\'^[\\\\w.@+-]+$\'"}',
          extra: {
            raw_output: "11:    regex = r'^[\\w.@+-]+$'\n",
            returncode: 0,
            timestamp: 1_790_000_002,
            exception_info: '',
            container: 'sweb.eval.x86_64',
          },
        },
        { role: 'ghost', content: 'Who is this?' },
        {
          role: 'assistant',
          content: 'Fixed.',
          tool_calls: [
            {
              id: 'c2',
              type: 'function',
              function: {
                name: 'bash',
                arguments: '{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff"}',
              },
            },
          ],
          extra: { cost: 0.019, timestamp: 1_790_000_010 },
        },
        {
          role: 'exit',
          content: 'diff --git a/x b/x\n',
          extra: { exit_status: 'Submitted', submission: 'diff --git a/x b/x\n' },
        },
      ],
    },
    null,
    2,
  );

function runFrom(text: string): Run {
  const mini = formatNamed('mini');
  const { events, problems } = mini.reader!.read([{ path: 'run.traj.json', text }]);
  return runOf(events, {
    format: mini.label,
    name: 'run.traj.json',
    path: 'runs/run.traj.json',
    problems: problems.map(readProblemLine),
  });
}
const foreignRun = (): Run => runFrom(foreignFile());
const damagedRun = (): Run => runFrom(foreignFile().slice(0, 2300));

/** Draws every scene in every theme, wide and narrow. Returns the findings of axe and the content security policy. */
export async function drawInspector(
  site: PanelSite,
  folder: string,
  { only = '', theme = '', axe = true } = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, { runs, keys, click = [], widths = [1000, 420] }] of Object.entries(scenes)) {
    if (!name.includes(only)) continue;
    for (const look of Object.keys(themes) as Theme[]) {
      if (theme && look !== theme) continue;
      for (const width of widths) {
        const where = `${name} ${look} ${width}`;
        const { page, problems, settle } = await openInspector(site, runs(), { theme: look, width, height: 760 });
        for (const key of keys) {
          await page.keyboard.press(key);
          await settle();
        }
        for (const id of click) {
          await page.getByTestId(id).first().locator('summary').or(page.getByTestId(id).first()).first().click();
          await settle();
        }
        await page.screenshot({ path: path.join(folder, `${name}-${look}-${width}.png`) });
        const sideways = (await page.evaluate(
          '[...document.querySelectorAll("html, body, .steps, .step, .run-head, .toolbar, .charts")].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className || one.tagName)',
        )) as string[];
        if (sideways.length > 0) found.push(`${where}: scrolls sideways: ${[...new Set(sideways)].join(', ')}`);
        if (axe)
          for (const violation of await axeViolations(page))
            found.push(
              `${where}: ${violation.id}: ${violation.nodes
                .map((node) => node.html.slice(0, 160))
                .slice(0, 2)
                .join(' | ')}`,
            );
        found.push(
          ...problems.map((problem) => `${where}: ${problem}`),
          ...((await page.evaluate('window.cspProblems')) as string[]).map((problem) => `${where}: policy: ${problem}`),
        );
        await page.close();
      }
    }
  }
  return found;
}
