import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { openEventLog, readEventLog } from '../../../src/adapters/log/eventLog';
import { requestParts } from '../../../src/core/context/requestParts';
import { settingsOf } from '../../../src/core/log/runSettings';
import { statusOf } from '../../../src/core/log/status';
import { undecidedActions } from '../../../src/core/log/openActions';
import { sessionSpending } from '../../../src/core/log/spending';
import { toMessages } from '../../../src/core/model/messages';
import { figuresOf } from '../../../src/core/trajectory/figures';
import { formatNamed, writtenFormats } from '../../../src/core/trajectory/formats/formats';
import { stepsOf } from '../../../src/core/trajectory/steps';
import type { Event, EventOf } from '../../../src/protocol/events/event';
import { plays, says } from '../../core/agent/story';
import { openSession, workPlace, type RealSession, type WorkPlace } from '../../support/realSession';
import { writeAtOnce } from '../../../src/core/trajectory/format';

const fixtures = path.join(process.env['REPOSITORY']!, 'test/fixtures/golden-logs');
const builds = fs.readdirSync(fixtures).filter((name) => !name.endsWith('.md'));

/** The logs of each build, named by what their runs did. */
const logs = builds.flatMap((build) =>
  fs.readdirSync(path.join(fixtures, build)).map((file) => ({
    build,
    kind: file.replace('.waymark.jsonl', ''),
    name: `${build}/${file}`,
    file: path.join(fixtures, build, file),
  })),
);
const logsOf = (kind: string) => logs.filter((log) => log.kind === kind);

const context = { version: '1.2.3', session: 'session' };
const ofType = <Type extends Event['type']>(events: readonly Event[], type: Type): EventOf<Type>[] =>
  events.filter((event): event is EventOf<Type> => event.type === type);
const rolesIn = (events: readonly Event[]): string[] => toMessages(events).map(({ role }) => role);

describe('logs of earlier builds', () => {
  let place: WorkPlace;
  let sessions: RealSession[];
  beforeEach(() => {
    place = workPlace();
    sessions = [];
  });
  afterEach(async () => {
    for (const session of sessions) await session.close();
    await place.stop();
  });

  /** A session resumed from a log, with a model that gives these answers. */
  const opened = (log: string, words: readonly string[]): RealSession => {
    const story = plays(...words.map((text) => says(text)));
    const model = { ...story, info: { ...story.info, contextWindow: 128_000 } };
    const session = openSession(place, model, log);
    sessions.push(session);
    return session;
  };

  /** A copy of the log, opened like on a machine that did not write it. */
  const resumed = (file: string, ...words: readonly string[]): RealSession => {
    const copy = place.newLog();
    fs.copyFileSync(file, copy);
    return opened(copy, words);
  };

  /** The same events in a log signed by this machine, as after an update of Waymark. */
  const resumedHere = async (file: string, ...words: readonly string[]): Promise<RealSession> => {
    const own = place.newLog();
    const { store } = openEventLog(own);
    for (const event of readEventLog(file).events) store!.append(event);
    await store!.durable();
    await store!.close();
    return opened(own, words);
  };

  for (const { name, file } of logs) {
    it(`${name} is read completely, opens for writing and does not carry over consent`, async () => {
      const read = readEventLog(file);
      assert.equal(read.problem, undefined);
      assert.equal(read.events.length, fs.readFileSync(file, 'utf8').trimEnd().split('\n').length - 1);
      const copy = place.newLog();
      fs.copyFileSync(file, copy);
      const { store, problem, events } = openEventLog(copy);
      assert.equal(problem, undefined);
      await store!.close();
      const [voided] = ofType(events, 'notice').filter(({ about }) => about === 'consent_void');
      assert.ok(voided, 'no consent of another machine counts');
    });

    it(`${name} shows its steps, figures, messages and cost`, () => {
      const { events } = readEventLog(file);
      const replies = ofType(events, 'agent_response');
      assert.ok(stepsOf(events).rows.length >= replies.length);
      assert.equal(figuresOf(events).points.length, replies.length);
      assert.equal(sessionSpending(events).steps, replies.length);
      const [system, task] = toMessages(events);
      assert.equal(system!.role, 'system');
      assert.ok(String(system!.content).length > 20);
      assert.match(String(task!.content), /Make add\(2, 3\) print 5\./);
    });

    it(`${name} is exported in every format and read back without problems where a format can be read`, () => {
      const { events } = readEventLog(file);
      for (const format of writtenFormats) {
        const files = writeAtOnce(format, events, context);
        assert.ok(
          files.every(({ text }) => text !== ''),
          format.name,
        );
        assert.deepEqual(format.reader?.read(files).problems ?? [], [], format.name);
      }
    });
  }

  for (const { name, file } of logsOf('finished')) {
    it(`${name} has its steps, failed call and tokens, and resumes with all messages`, async () => {
      const { events } = readEventLog(file);
      assert.deepEqual(
        [sessionSpending(events).usage.inputTokens, sessionSpending(events).usage.outputTokens],
        [7500, 200],
      );
      const outcomes = ofType(events, 'observation').map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, ['ok', 'ok', 'error', 'ok']);
      const before = rolesIn(events);
      assert.deepEqual(before.slice(0, 4), ['system', 'user', 'assistant', 'tool']);
      const session = resumed(file, 'It is 5.');
      session.conversation.say('And now?');
      const after = await session.rested();
      assert.deepEqual(rolesIn(after), [...before, 'user', 'assistant']);
      assert.equal(ofType(after, 'agent_response').at(-1)!.text, 'It is 5.');
    });
  }

  for (const { name, file } of logsOf('waiting')) {
    it(`${name} waits for approval; on another machine the waiting action is not run`, async () => {
      assert.equal(statusOf(readEventLog(file).events), 'waiting_for_confirmation');
      place.workspace.place('build/a.js', '');
      const session = resumed(file, 'Then I leave it.');
      session.conversation.resume();
      const after = await session.rested();
      const last = ofType(after, 'observation').at(-1)!;
      assert.deepEqual([last.actionId, last.outcome], ['c2', 'skipped']);
      assert.equal(ofType(after, 'agent_response').at(-1)!.text, 'Then I leave it.');
      assert.deepEqual(place.workspace.names(), ['build', 'build/a.js']);
    });

    it(`${name} still waits after an update; approval runs the action, and the model continues`, async () => {
      place.workspace.place('build/a.js', '');
      place.workspace.place('src/b.js', '');
      const session = await resumedHere(file, 'It was done.');
      const { conversation } = session;
      // The old question may have had different wording, so it is asked again, at most once.
      for (let asked = 0; asked < 2 && undecidedActions(conversation.history).length > 0; asked++) {
        assert.ok(conversation.approve('c2'));
        await session.rested();
      }
      assert.deepEqual(place.workspace.names(), []);
      assert.equal(ofType(session.history(), 'observation').at(-1)!.outcome, 'ok');
      assert.equal(ofType(session.history(), 'agent_response').at(-1)!.text, 'It was done.');
    });
  }

  for (const { name, file } of logsOf('candidates')) {
    it(`${name} shows which candidate was chosen, by whom, and how the run ended`, () => {
      const { events } = readEventLog(file);
      const chosen = ofType(events, 'agent_response').map(({ sampling }) => [sampling?.by, sampling?.chosen]);
      assert.deepEqual(chosen, [
        ['llm', 1],
        ['llm', 1],
      ]);
      const [end] = ofType(events, 'finished');
      assert.deepEqual([end?.status, end?.summary], ['submitted', 'all done\n']);
    });
  }

  for (const { name, file } of logsOf('taught')) {
    it(`${name} still gives the model the instructions of the folder`, () => {
      const [system] = toMessages(readEventLog(file).events);
      assert.match(String(system!.content), /Use tabs in this project\.[^]*- release: How a version is released\./);
    });

    it(`${name} shows the instructions of the folder separately from the profile’s text`, () => {
      const parts = requestParts(readEventLog(file).events, []);
      assert.deepEqual(
        parts.map(({ kind }) => kind),
        ['system', 'skills', 'skills', 'message', 'reply'],
      );
      assert.match(parts[0]!.text, /^You are Waymark/);
      assert.match(parts[1]!.text, /Use tabs in this project\.$/);
      assert.match(parts[2]!.text, /^Skills\./);
    });
  }

  for (const { name, file } of logsOf('changed')) {
    it(`${name} has the messages the agent read in the user’s order, and resumes with them`, async () => {
      const read = 'Keep the name of the file.\n\nUse tabs.\n\nAdd a test in test/add.test.js.';
      const { events } = readEventLog(file);
      const words = (log: readonly Event[]): unknown[] =>
        toMessages(log).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
      assert.equal(words(events)[1], read);
      assert.doesNotMatch(JSON.stringify(toMessages(events)), /Rename add/, 'this one was taken back');
      const session = resumed(file, 'It is 5.');
      assert.deepEqual(session.conversation.waiting, []);
      session.conversation.say('And now?');
      assert.deepEqual(words(await session.rested()).slice(1), [read, 'And now?']);
    });
  }

  for (const { name, file } of logsOf('contained')) {
    it(`${name} names the container it began in and shows that it continued without one`, () => {
      const { events } = readEventLog(file);
      const container = { engine: 'docker', image: 'python:3.12' };
      const change = events.findIndex(({ type }) => type === 'settings_changed');
      assert.deepEqual(settingsOf(events.slice(0, change))?.container, container);
      assert.equal(settingsOf(events)?.container ?? undefined, undefined);
      const [report] = writeAtOnce(formatNamed('html'), events, context);
      assert.match(report!.text, /container python:3\.12/);
    });
  }
});
