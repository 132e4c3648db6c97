import { strict as assert } from 'node:assert';
import { eventsOfType, type History } from '../../../src/core/log/projection';
import { statusOf } from '../../../src/core/log/status';
import { sessionSpending } from '../../../src/core/log/spending';
import { delegate } from '../../../src/core/tools/native/delegate';
import { delegateTask } from '../../../src/core/tools/hermes/delegateTask';
import { runPlan } from '../../../src/core/tools/native/runPlan';
import type { ChildReport } from '../../../src/protocol/events/details';
import { answering, answeringInTurn, family, isParentTask, repliesIn } from './family';
import { call, says, types } from '../agent/story';

const tasksOf = (...titles: string[]) => ({ tasks: titles.map((title) => ({ title, task: `Task of ${title}.` })) });
const childrenIn = (history: History): ChildReport[] =>
  eventsOfType(history, 'observation').flatMap(({ details }) => (details?.kind === 'delegate' ? details.children : []));
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('delegation', () => {
  it('runs a task in a subsession and reports the answer to the parent', async () => {
    const model = answeringInTurn({
      parent: [says('', call('delegate', tasksOf('north'))), says('Thanks.')],
      child: [says('North is fine.')],
    });
    const { root: parent, sessions, closed, go } = family(model, [delegate]);
    await go();
    const [report] = childrenIn(parent.history);
    assert.deepEqual(
      [report?.session, report?.title, report?.status, report?.summary, report?.steps],
      ['child-1', 'north', 'answered', 'North is fine.', 1],
    );
    assert.match(
      eventsOfType(parent.history, 'observation')[0]!.content,
      /north: answered \(1 step, .*\nNorth is fine\./,
    );
    const [started] = eventsOfType(sessions.get('child-1')!.history, 'task_started');
    assert.deepEqual(started?.parent, {
      session: 'root',
      actionId: eventsOfType(parent.history, 'child_started')[0]!.actionId,
      depth: 1,
    });
    assert.equal(started?.title, 'north');
    assert.match(started?.task ?? '', /^Task of north\./);
    assert.deepEqual(closed, ['child-1'], 'a child that has reported lets go of its shell');
  });

  it('lets other children finish while one waits for a slow model', async () => {
    const ended: string[] = [];
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const names = ['slow', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const model = answering(async (task, request) => {
      if (isParentTask(task))
        return repliesIn(request) === 0 ? says('', call('delegate', tasksOf(...names))) : says('All done.');
      const name = /Task of (\w+)/.exec(task)![1]!;
      if (name === 'slow') await slow;
      return says(`${name} done`);
    });
    const { root: parent, sessions, go } = family(model, [delegate]);
    const going = go();
    await until(() => [...sessions.values()].filter(({ history }) => statusOf(history) === 'idle').length === 7);
    for (const { history } of sessions.values())
      if (statusOf(history) === 'idle') ended.push(eventsOfType(history, 'task_started')[0]!.title);
    assert.deepEqual(ended.sort(), names.slice(1).sort());
    release();
    await going;
    assert.deepEqual(
      childrenIn(parent.history).map(({ title }) => title),
      names,
      'reports keep the order of the tasks',
    );
  });

  it('runs several calls of one reply in parallel', async () => {
    let waiting = 0;
    const model = answering(async (task, request) => {
      if (isParentTask(task))
        return repliesIn(request) === 0
          ? says('', call('delegate', tasksOf('a')), call('delegate', tasksOf('b')))
          : says('Done.');
      waiting++;
      await until(() => waiting === 2);
      return says('met the other');
    });
    const { root: parent, go } = family(model, [delegate], {
      parts: { format: (await import('../../../src/core/model/formats/toolCalls')).toolCallFormat(() => true) },
    });
    await go();
    assert.deepEqual(
      childrenIn(parent.history).map(({ summary }) => summary),
      ['met the other', 'met the other'],
    );
  });

  it('reports what a child did before its limit, and why another failed', async () => {
    const model = answering((task, request) => {
      if (isParentTask(task))
        return repliesIn(request) === 0
          ? says(
              '',
              call('delegate', {
                tasks: [
                  { title: 'short', task: 'short', limits: { steps: 1 } },
                  { title: 'broken', task: 'broken' },
                ],
              }),
            )
          : says('I see.');
      if (task.startsWith('broken')) throw new Error('The line is dead.');
      return says('First I look.', call('look', { name: 'x' }));
    });
    const { root: parent, go } = family(model, [delegate]);
    await go();
    const [short, broken] = childrenIn(parent.history);
    assert.equal(short?.status, 'limit_exceeded');
    assert.match(short?.summary ?? '', /limit of 1 step is reached.*1 action was done.*First I look\./);
    assert.equal(broken?.status, 'failed');
    assert.match(broken?.summary ?? '', /The line is dead/);
    assert.equal(eventsOfType(parent.history, 'observation')[0]?.outcome, 'error', 'none of them did its task');
    assert.equal(statusOf(parent.history), 'idle', 'the parent goes on');
  });

  it('does not start a child with an unknown model, toolset or profile, and says why', async () => {
    const model = answeringInTurn({
      parent: [
        says(
          '',
          call('delegate', {
            tasks: [
              { title: 'a', task: 'a', model: 'gone' },
              { title: 'b', task: 'b', toolsets: ['nonsense'] },
              { title: 'c', task: 'c', profile: 'nobody' },
            ],
          }),
        ),
        says('I see.'),
      ],
      child: [says('never')],
    });
    const { root: parent, go } = family(model, [delegate]);
    await go();
    assert.deepEqual(
      childrenIn(parent.history).map(({ status }) => status),
      ['not_run', 'not_run', 'not_run'],
    );
    const [a, b, c] = childrenIn(parent.history).map(({ summary }) => summary);
    assert.match(a!, /no model named gone/);
    assert.match(b!, /no toolset or tool named "nonsense"/);
    assert.match(c!, /nobody/);
    assert.equal(eventsOfType(parent.history, 'child_started').length, 0);
  });

  it('adds the tokens and cost of children to the parent, but not their steps', async () => {
    const model = answeringInTurn({
      parent: [says('', call('delegate', tasksOf('a', 'b'))), says('Done.')],
      child: [says('ok')],
    });
    const { root: parent, go } = family(model, [delegate]);
    await go();
    const { usage, steps } = sessionSpending(parent.history);
    assert.deepEqual([usage.cost?.toFixed(2), usage.inputTokens, steps], ['0.04', 40, 2]);
  });

  it('limits all children together to the parent’s remaining cost', async () => {
    const model = answeringInTurn({
      parent: [says('', call('delegate', tasksOf('a', 'b', 'c'))), says('Done.')],
      child: (_task, request) => says('on', call('look', { name: `${repliesIn(request)}` })),
    });
    const { root: parent, go } = family(model, [delegate], { first: { limits: { steps: 0, cost: 0.1, seconds: 0 } } });
    await go();
    const reports = childrenIn(parent.history);
    assert.deepEqual(
      reports.map(({ status }) => status),
      ['limit_exceeded', 'limit_exceeded', 'limit_exceeded'],
    );
    const cost = sessionSpending(parent.history).usage.cost!;
    assert.ok(cost >= 0.1 && cost <= 0.13, `${cost}: each of them may at most finish the reply it waits for`);
    assert.deepEqual(types(parent.history).at(-1), 'finished:limit_exceeded');
  });

  it('stops children with their parent, and keeps their results', async () => {
    const model = answeringInTurn({
      parent: [says('', call('delegate', tasksOf('a')))],
      child: [says('Looking.', call('look', { name: 'x' })), says('', call('look', { name: 'slow' }))],
    });
    const { root: parent, sessions, go } = family(model, [delegate]);
    const going = go();
    await until(
      () => sessions.size === 2 && eventsOfType(sessions.get('child-1')!.history, 'action_started').length === 2,
    );
    await parent.stop('Enough.');
    await going;
    assert.deepEqual(types(parent.history).slice(-2), ['observation:interrupted', 'finished:stopped']);
    const [report] = childrenIn(parent.history);
    assert.deepEqual([report?.status, report?.steps], ['stopped', 2]);
    assert.match(
      report?.summary ?? '',
      /^Enough\. 1 action was done\. 1 action was stopped while running\. Last message: Looking\./,
    );
    assert.deepEqual(types(sessions.get('child-1')!.history).slice(-2), [
      'observation:interrupted',
      'finished:stopped',
    ]);
  });

  it('lets a child wait for approval while the parent waits for the child', async () => {
    const model = answeringInTurn({
      parent: [says('', call('delegate', tasksOf('a'))), says('Done.')],
      child: [says('', call('risk', { name: 'x' }, 'r1')), says('It ran.')],
    });
    const { root: parent, sessions, deltas, go } = family(model, [delegate]);
    const going = go();
    await until(() => sessions.size === 2 && statusOf(sessions.get('child-1')!.history) === 'waiting_for_confirmation');
    assert.equal(parent.running, true);
    assert.deepEqual(deltas.at(-1), {
      kind: 'child',
      actionId: eventsOfType(parent.history, 'child_started')[0]!.actionId,
      session: 'child-1',
      title: 'a',
      status: 'waiting_for_confirmation',
      words: 'risk x',
    });
    sessions.get('child-1')!.approve('r1');
    await going;
    assert.equal(childrenIn(parent.history)[0]?.summary, 'It ran.');
  });

  it('stops a child that needs approval if nobody can be asked', async () => {
    const model = answeringInTurn({
      parent: [says('', call('delegate', tasksOf('a'))), says('Done.')],
      child: [says('I must.', call('risk', { name: 'x' }))],
    });
    const { root: parent, go } = family(model, [delegate], { attended: false });
    await go();
    const [report] = childrenIn(parent.history);
    assert.equal(report?.status, 'stopped');
    assert.match(report?.summary ?? '', /needs approval.*nobody can be asked here: risk x/);
  });

  it('gives a child the mode, confirmation and allow rules of its parent, and no higher limits', async () => {
    const model = answeringInTurn({
      parent: [
        says('', call('delegate', { tasks: [{ title: 'a', task: 'a', limits: { steps: 50, cost: 0.5 } }] })),
        says('Done.'),
      ],
      child: [says('ok')],
    });
    const {
      root: parent,
      sessions,
      go,
    } = family(model, [delegate], {
      first: {
        mode: 'plan',
        confirmation: 'always',
        toolsets: ['readOnly', 'delegation'],
        limits: { steps: 10, cost: 1, seconds: 0 },
      },
    });
    parent.append({ type: 'allow_rule_added', rule: { tool: 'run_command', key: 'npm test' } });
    await go();
    const child = sessions.get('child-1')!.history;
    const [started] = eventsOfType(child, 'task_started');
    assert.deepEqual(
      [started?.mode, started?.confirmation, started?.toolsets, started?.limits],
      ['plan', 'always', ['readOnly', 'delegation'], { steps: 9, cost: 0.5, seconds: 0 }],
    );
    assert.equal(eventsOfType(child, 'allow_rule_added').length, 1);
  });

  it('applies a new plan mode of the parent to a running child', async () => {
    const model = answering(async (task, request) => {
      if (isParentTask(task))
        return repliesIn(request) === 0 ? says('', call('delegate', tasksOf('a'))) : says('Done.');
      if (repliesIn(request) === 0) parent.setMode('plan');
      const turns = [says('', call('look', { name: 'x' })), says('', call('change', { name: 'forbidden' }))];
      return turns[repliesIn(request)] ?? says('ok');
    });
    const { root: parent, sessions, go } = family(model, [delegate], { first: { mode: 'auto' } });
    await go();
    assert.deepEqual(
      eventsOfType(sessions.get('child-1')!.history, 'observation').map(({ outcome }) => outcome),
      ['ok', 'rejected'],
    );
  });

  it('gives a child no kind of tool that its parent lacks', async () => {
    const model = answeringInTurn({
      parent: [says('', call('delegate', { tasks: [{ title: 'a', task: 'a', toolsets: ['all'] }] })), says('Done.')],
      child: [says('ok')],
    });
    const { sessions, go } = family(model, [delegate], { first: { toolsets: ['readOnly', 'delegation'] } });
    await go();
    const [started] = eventsOfType(sessions.get('child-1')!.history, 'task_started');
    assert.deepEqual(
      started?.tools.filter((name) => ['run_command', 'bash', 'edit_file', 'write_file', 'apply_patch'].includes(name)),
      [],
    );
    assert.ok(started?.tools.includes('read_file') && started.tools.includes('delegate'));
  });

  it('lets a child delegate, but not a grandchild', async () => {
    const model = answering((task, request) => {
      if (repliesIn(request) > 0) return says('Back.');
      return /Task of c/.test(task)
        ? says('I am the last.')
        : says('', call('delegate', tasksOf(isParentTask(task) ? 'b' : 'c')));
    });
    const { sessions, go } = family(model, [delegate], { first: { toolsets: ['default', 'delegation'] } });
    await go();
    assert.deepEqual([...sessions.keys()], ['root', 'child-1', 'child-2']);
    const depths = [...sessions.values()].map(({ history }) => eventsOfType(history, 'task_started')[0]!);
    assert.deepEqual(
      depths.map(({ parent }) => parent?.depth),
      [undefined, 1, 2],
    );
    assert.deepEqual(
      depths.slice(1).map(({ tools }) => tools.includes('delegate')),
      [true, false],
    );
  });

  it('keeps the results of children when the parent reaches its time limit', async () => {
    const model = answeringInTurn({
      parent: [says('', call('delegate', tasksOf('a')))],
      child: (_task, request, signal) =>
        repliesIn(request) === 0
          ? says('Looking.', call('look', { name: 'x' }))
          : new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
            ),
    });
    const { root: parent, go } = family(model, [delegate], { first: { limits: { steps: 0, cost: 0, seconds: 0.5 } } });
    await go();
    assert.equal(types(parent.history).at(-1), 'finished:limit_exceeded');
    assert.match(childrenIn(parent.history)[0]!.summary, /1 action was done.*Looking\./);
  });

  it('continues each action of a parallel group as its own branch, if the profile says so', async () => {
    const profile = { ...(await import('../../../src/core/profiles/waymark')).waymarkProfile, branches: true };
    const model = answeringInTurn({
      parent: [says('', ...['1', '2', '3'].map((name) => call('look', { name }))), says('All seen.')],
      child: (task) => says(`Branch: ${/look \d done/.exec(task)?.[0]}`),
    });
    const { root: parent, go } = family(model, [], { parts: { profile } });
    await go();
    assert.equal(model.requests.length, 5);
    assert.deepEqual(
      eventsOfType(parent.history, 'observation').map(({ content }) => content),
      ['1', '2', '3'].map((name) => `look ${name} done\n\n[The branch reports: Branch: look ${name} done]`),
    );
    assert.deepEqual(
      eventsOfType(parent.history, 'observation').map(({ branch, details }) => [branch?.status, details]),
      Array(3).fill(['answered', undefined]),
    );
  });

  it('accepts one task without a list, and calls in the Hermes format', async () => {
    assert.equal(delegate.bind({ task: 'Look at it.\nMore.' }).summary, 'Delegate Look at it.');
    assert.equal(
      delegate.bind({
        tasks: [
          { title: 'a', task: 'x' },
          { title: 'b', task: 'y' },
        ],
      }).summary,
      'Delegate 2 tasks',
    );
    assert.throws(
      () => delegate.bind({ tasks: Array.from({ length: 9 }, () => ({ title: 'a', task: 'x' })) }),
      /tasks/,
    );
    const model = answeringInTurn({
      parent: [says('', call('delegate_task', { goal: 'Find it.', context: 'It is blue.' })), says('Done.')],
      child: (task) => says(task.split('\n\n').slice(0, 2).join(' / ')),
    });
    const { root: parent, go } = family(model, [delegateTask]);
    await go();
    assert.equal(childrenIn(parent.history)[0]?.summary, 'Find it. / Context: It is blue.');
  });
});

describe('a plan', () => {
  const plan = {
    problems: ['A', 'B', 'C', 'D'].map((id) => ({ id, request: `Solve ${id}.` })),
    graph: ['A -> B, C', 'B, C -> D'],
  };

  it('runs as a graph, and each problem gets the reports of its predecessors', async () => {
    const order: string[] = [];
    const model = answering(async (task, request) => {
      if (isParentTask(task)) return repliesIn(request) === 0 ? says('', call('run_plan', plan)) : says('Done.');
      const id = /Solve (\w)/.exec(task)![1]!;
      order.push(id);
      if (id === 'B' || id === 'C') await until(() => order.length >= 3);
      return says(`secret of ${id}`);
    });
    const { root: parent, sessions, go } = family(model, [runPlan]);
    await go();
    const details = eventsOfType(parent.history, 'observation')[0]?.details;
    assert.equal(details?.kind, 'delegate', eventsOfType(parent.history, 'observation')[0]?.content);
    assert.deepEqual(details.edges, [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
    ]);
    assert.deepEqual([order[0], order.at(-1)], ['A', 'D']);
    const last = [...sessions.values()]
      .map(({ history }) => eventsOfType(history, 'task_started')[0]!)
      .find(({ title }) => title.startsWith('D:'));
    assert.match(
      last?.task ?? '',
      /<attachment id="B"[^>]*>\nsecret of B\n<\/attachment>\n\n<attachment id="C"[^>]*>\nsecret of C/,
    );
  });

  it('skips problems that depend on a failed one, and runs the others', async () => {
    const model = answering((task, request) => {
      if (isParentTask(task))
        return repliesIn(request) === 0
          ? says('', call('run_plan', { ...plan, graph: ['A -> B', 'C -> D'] }))
          : says('Done.');
      if (/^Solve A/.test(task)) throw new Error('No.');
      return says('solved');
    });
    const { root: parent, go } = family(model, [runPlan]);
    await go();
    assert.deepEqual(
      childrenIn(parent.history).map(({ status }) => status),
      ['failed', 'not_run', 'answered', 'answered'],
    );
    assert.match(childrenIn(parent.history)[1]!.summary, /B depends on A, which was not solved/);
    assert.equal(eventsOfType(parent.history, 'observation')[0]?.outcome, 'ok');
  });

  it('without a graph runs as a chain, and stops with its parent', async () => {
    const model = answering((task, _request, signal) => {
      if (isParentTask(task)) return says('', call('run_plan', { problems: plan.problems }));
      if (/^Solve A/.test(task)) return says('solved');
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
      );
    });
    const { root: parent, sessions, go } = family(model, [runPlan]);
    const going = go();
    await until(() => sessions.size === 3);
    await parent.stop();
    await going;
    assert.deepEqual(
      childrenIn(parent.history).map(({ status }) => status),
      ['answered', 'stopped', 'not_run', 'not_run'],
    );
    const details = eventsOfType(parent.history, 'observation')[0]?.details;
    assert.deepEqual(details?.kind === 'delegate' && details.edges, [
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('runs independent problems in parallel', async () => {
    let begun = 0;
    const model = answering(async (task, request) => {
      if (isParentTask(task))
        return repliesIn(request) === 0
          ? says('', call('run_plan', { problems: plan.problems.slice(0, 2), graph: ['A', 'B'] }))
          : says('Done.');
      begun++;
      await until(() => begun === 2);
      return says('solved');
    });
    const { root: parent, go } = family(model, [runPlan]);
    await go();
    assert.deepEqual(
      childrenIn(parent.history).map(({ status }) => status),
      ['answered', 'answered'],
    );
  });

  it('with a cycle and an unknown problem is refused', () => {
    assert.throws(
      () => runPlan.bind({ problems: plan.problems, graph: ['A -> B', 'B -> A', 'X -> C'] }),
      /X.*|circle/s,
    );
  });
});
