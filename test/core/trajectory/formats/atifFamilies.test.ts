import { strict as assert } from 'node:assert';
import { atif } from '../../../../src/core/trajectory/formats/atif';
import { formatNamed } from '../../../../src/core/trajectory/formats/formats';
import type { History } from '../../../../src/core/log/projection';
import { fullRun } from '../../../support/trajectory';
import { randomRun } from '../randomRun';
import { writeAtOnce } from '../../../../src/core/trajectory/format';

const write = (history: History, children?: ReadonlyMap<string, History>): any =>
  JSON.parse(
    writeAtOnce(atif, history, { version: '1.2.3', session: 'family', ...(children && { children }) })[0]!.text,
  );
const resultsOf = (document: any): any[] => document.steps.flatMap((step: any) => step.observation?.results ?? []);

describe('a family of sessions as ATIF', () => {
  it('stands in one file: each session below the one that began it, and the result refers to it', async () => {
    const child = await randomRun(1);
    const document = write(
      fullRun(),
      new Map([
        ['child-a', child],
        ['nobody', child],
      ]),
    );
    assert.deepEqual(
      document.subagent_trajectories.map((each: any) => [
        each.schema_version,
        each.trajectory_id,
        each.steps.length > 0,
        each.agent.name,
      ]),
      [['ATIF-v1.7', 'child-a', true, 'waymark']],
    );
    const [delegated] = resultsOf(document).filter(({ subagent_trajectory_ref }) => subagent_trajectory_ref);
    assert.deepEqual(delegated.subagent_trajectory_ref, [{ trajectory_id: 'child-a', session_id: 'child-a' }]);
    assert.deepEqual(delegated.extra.sessions, ['child-b'], 'of whom there is no log is named, and not referred to');
    const file = { path: 'family.atif.json', text: JSON.stringify(document) };
    for (const run of [0, 1])
      assert.deepEqual([atif.reader!.read([file], { run }).problems, atif.reader!.read([file], { run }).runs], [[], 2]);
    assert.deepEqual(
      JSON.parse(writeAtOnce(atif, atif.reader!.read([file]).events, { version: '1.2.3', session: 'family' })[0]!.text),
      document,
      'read and written again it is the same',
    );
  });

  it('never goes round in circles, and holds nobody twice on the way down', () => {
    const document = write(
      fullRun(),
      new Map([
        ['child-a', fullRun()],
        ['child-b', fullRun()],
        ['family', fullRun()],
      ]),
    );
    const ids = (each: any): string[] => [each.trajectory_id, ...(each.subagent_trajectories ?? []).flatMap(ids)];
    assert.deepEqual(ids(document), ['family', 'child-a', 'child-b']);
  });

  it('masks secrets of children too, and has no references where no log is known', async () => {
    const secret = ['sk', 'proj', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0'].join('-');
    const child = (await randomRun(2)).map((event) =>
      event.type === 'task_started' ? { ...event, task: `Use ${secret}.` } : event,
    );
    assert.ok(!JSON.stringify(write(fullRun(), new Map([['child-a', child]]))).includes(secret));
    const alone = write(fullRun());
    assert.deepEqual(
      [alone.subagent_trajectories, resultsOf(alone).some(({ subagent_trajectory_ref }) => subagent_trajectory_ref)],
      [undefined, false],
    );
  });

  it('says of a run of another program who made it, and nothing of tools that only Waymark knows', () => {
    const [file] = writeAtOnce(formatNamed('mini'), fullRun(), { version: '1.2.3', session: 'run' });
    const { events } = formatNamed('mini').reader!.read([file!]);
    assert.deepEqual(write(events).agent, { name: 'mini-swe-agent', version: 'unknown', model_name: 'qwen3-coder' });
    assert.equal(
      'tools' in
        (JSON.parse(writeAtOnce(formatNamed('openai'), events, { version: '1', session: 's' })[0]!.text) as object),
      false,
    );
    assert.match(
      writeAtOnce(formatNamed('sharegpt'), events, { version: '1', session: 's' })[0]!.text,
      /\\"name\\": \\"run_command\\", \\"description\\": \\"\\"/,
    );
  });

  it('writes pictures as parts of a message, of the kinds that the format has, and reads them back', () => {
    const history = fullRun().map((event) =>
      event.type === 'task_started'
        ? {
            ...event,
            images: [
              { mediaType: 'image/png', data: 'aGk=' },
              { mediaType: 'image/bmp', data: 'aGk=' },
            ],
          }
        : event,
    );
    const document = write(history);
    const [, task] = document.steps;
    assert.deepEqual(task.message, [
      { type: 'text', text: (history[0] as any).task },
      { type: 'image', source: { media_type: 'image/png', path: 'data:image/png;base64,aGk=' } },
    ]);
    const { events, problems } = atif.reader!.read([{ path: 'a.json', text: JSON.stringify(document) }]);
    assert.deepEqual([problems, (events[0] as any).images], [[], [{ mediaType: 'image/png', data: 'aGk=' }]]);
    document.steps[1].message.push(
      { type: 'image', source: { media_type: 'image/tiff', path: 'a.tiff' } },
      { type: 'sound' },
      { type: 'image', source: { media_type: 'image/png', path: 'shots/1.png' } },
    );
    const odd = atif.reader!.read([{ path: 'a.json', text: JSON.stringify(document) }]);
    assert.deepEqual(
      odd.problems.map(({ where }) => where),
      ['steps[1].message[2].source', 'steps[1].message[3]'],
    );
    assert.deepEqual(
      JSON.parse(writeAtOnce(atif, odd.events, { version: '1.2.3', session: 'family' })[0]!.text).steps[1],
      document.steps[1],
      'what is not shown is kept',
    );
  });
});
