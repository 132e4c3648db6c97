import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { compareEvaluations, evaluationSummary, type Reported } from '../../../src/core/batch/evaluation';
import { evaluationPage } from '../../../src/core/batch/evaluationPage';
import type { TaskResult } from '../../../src/core/batch/taskResult';
import { axeViolations, startPanelSite, type PanelSite } from '../support/panelSite';

const shots = path.join(process.env['REPOSITORY']!, 'out/shots');

const result = (id: string, more: Partial<TaskResult>): TaskResult => ({
  index: 0,
  id,
  batch: 0,
  status: 'done',
  reason: '',
  exit_status: 'Submitted',
  completed: true,
  partial: false,
  steps: 12,
  cost: 0.21,
  input_tokens: 1000,
  output_tokens: 100,
  seconds: 80,
  model: 'claude-sonnet-4-5',
  toolsets: [],
  tools: {},
  reasoning: { total: 1, withReasoning: 1 },
  saved: true,
  line_key: id,
  patch: '',
  log: `logs/${id}.waymark.jsonl`,
  finished_at: '2026-01-01T00:00:00Z',
  ...more,
});

/** A run of 24 tasks with all kinds of outcomes. `shift` varies the outcomes of the same tasks. */
function run(name: string, shift: number): Reported['evaluations'][number] {
  const projects = ['django__django', 'sympy__sympy', 'scikit-learn__scikit-learn', 'pytest-dev__pytest'];
  const results = Array.from({ length: 24 }, (_, index) => {
    const place = (index * 7 + shift * 5) % 24;
    const id = `${projects[index % 4]}-${11_000 + index * 137}`;
    const steps = 4 + ((place * 5) % 31);
    const base = { index, steps, seconds: steps * 6.3 + place, cost: steps * 0.017 };
    const test = `python -m pytest tests/test_dates.py::test_month_that_ends_in_a_leap_year[${index}]`;
    if (place < 13) {
      const checks = [
        { test, kind: 'fail_to_pass', before: 'fail', after: 'pass' },
        { test: 'npm test', kind: 'pass_to_pass', before: 'pass', after: 'pass' },
      ] as const;
      return result(id, { ...base, resolved: true, checks: [...checks] });
    }
    if (place < 20)
      return result(id, {
        ...base,
        resolved: false,
        reason: `Not passed: ${test}.`,
        checks: [{ test, kind: 'fail_to_pass', before: 'fail', after: 'fail' }],
      });
    if (place < 22)
      return result(id, { ...base, status: 'timeout', resolved: false, reason: 'It took longer than 3600 seconds.' });
    return result(id, {
      ...base,
      cost: null,
      reason: `The checks are inconclusive: ${test} already passes before the task.`,
    });
  });
  return { summary: evaluationSummary(name, results), results };
}

const one = run('baseline', 0);
const other = run('with-plan-mode-and-a-long-name', 2);
const linkTo = (_run: number, { id }: TaskResult): string => `trajectories/${id}.html`;
const pages = {
  one: evaluationPage('baseline', { evaluations: [one], linkTo }),
  two: evaluationPage('baseline and with-plan-mode-and-a-long-name', {
    evaluations: [one, other],
    comparison: compareEvaluations(one.results, other.results),
    linkTo,
  }),
};

describe('the evaluation page', function () {
  this.timeout(120_000);
  let site: PanelSite;
  before(async () => {
    site = await startPanelSite();
    fs.mkdirSync(shots, { recursive: true });
  });
  after(() => site.close());

  for (const [name, html] of Object.entries(pages))
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1200, 320])
        it(`of ${name} passes axe and fits its screen: ${colorScheme}, ${width} pixels`, async () => {
          const page = await site.browser.newPage({ viewport: { width, height: 900 }, colorScheme });
          const problems: string[] = [];
          page.on('console', (message) => problems.push(message.text()));
          await page.setContent(html);
          assert.deepEqual(
            (await axeViolations(page)).map(({ id, nodes }) => [id, nodes[0]?.html]),
            [],
          );
          const [wide, seen] = await page.evaluate<[number, number]>(
            '[document.documentElement.scrollWidth, innerWidth]',
          );
          assert.equal(wide, seen, 'the page itself does not scroll sideways');
          assert.deepEqual(problems, []);
          await page.screenshot({ path: `${shots}/evaluation-${name}-${colorScheme}-${width}.png`, fullPage: true });
          await page.close();
        });

  it('links each mark and each table row to the run of its task', async () => {
    const page = await site.browser.newPage();
    await page.setContent(pages.two);
    const links = (place: string): Promise<number> => page.locator(`${place} a[href^="trajectories/"]`).count();
    assert.equal(await links('.marks'), 48);
    assert.equal(await links('tbody'), 48);
    const differing = await page.locator('.only').allTextContents();
    const { onlyFirst, onlySecond } = compareEvaluations(one.results, other.results);
    assert.equal(differing.filter((words) => words === 'Only baseline').length, onlyFirst.length);
    assert.equal(differing.length, onlyFirst.length + onlySecond.length);
    await page.close();
  });
});
