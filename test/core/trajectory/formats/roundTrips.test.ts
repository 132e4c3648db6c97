import { strict as assert } from 'node:assert';
import { systemPromptOf } from '../../../../src/protocol/plain/systemPrompt';
import { formatNamed, formatOf, formats, writtenFormats } from '../../../../src/core/trajectory/formats/formats';
import { argumentsOf, replyText } from '../../../../src/core/trajectory/exportParts';
import { turnsOf } from '../../../../src/core/trajectory/turns';
import { Event, FeedbackCause } from '../../../../src/protocol/events/event';
import { stamped } from '../../../support/eventLogs';
import { agentResponse, taskStarted } from '../../../support/newEvents';
import { randomRun } from '../randomRun';
import { writeAtOnce } from '../../../../src/core/trajectory/format';

const context = { version: '1.2.3', session: '20261121-143005-1a2b' };
const runs = Number(process.env['TRAJECTORY_RUNS'] ?? 25);

/** Returns who said what, in order: the content that every format preserves. */
function saidIn(history: readonly Event[]): string[] {
  return turnsOf(history).flatMap((turn) => {
    if (turn.kind === 'system')
      return systemPromptOf(turn.event) === '' ? [] : [`system: ${systemPromptOf(turn.event)}`];
    if (turn.kind === 'words')
      return turn.text === ''
        ? []
        : [
            `user: ${turn.text}`,
            ...('images' in turn.event ? (turn.event.images ?? []) : []).map(
              ({ mediaType, data }) => `sees: ${mediaType} ${data.length}`,
            ),
          ];
    if (turn.kind !== 'reply' || turn.hiddenBy) return [];
    const typed = turn.event.by === 'person';
    const textual = turn.event.written !== undefined || typed;
    return [
      `${typed ? 'user' : 'assistant'}: ${replyText(turn)}`,
      ...(turn.event.reasoning?.text ? [`thinks: ${turn.event.reasoning.text}`] : []),
      ...turn.results.flatMap(({ action, text }) =>
        textual
          ? [`user: ${text}`]
          : [`call: ${action.id} ${action.tool} ${JSON.stringify(JSON.parse(argumentsOf(action)))}`, `result: ${text}`],
      ),
    ];
  });
}

describe('trajectory formats', () => {
  for (const format of writtenFormats) {
    it(`${format.name} is written in pieces, at least two for each event, as other work must not wait`, async () => {
      for (let seed = 0; seed < 8; seed++) {
        const history = await randomRun(seed);
        const pieces = format.write(history, context);
        let count = 0;
        let piece = pieces.next();
        for (; !piece.done; piece = pieces.next()) count++;
        assert.ok(count >= 2 * history.length, `${count} pieces for ${history.length} events`);
        assert.deepEqual(piece.value, writeAtOnce(format, history, context));
      }
    });
  }

  for (const format of writtenFormats.filter(({ reader }) => reader)) {
    it(`${format.name} is recognised by its own reader and by no other one`, async () => {
      for (let seed = 0; seed < 8; seed++) {
        const files = writeAtOnce(format, await randomRun(seed), context);
        assert.deepEqual(
          formats.filter(({ reader }) => files.some((file) => reader?.recognises(file))).map(({ name }) => name),
          [format.name],
        );
        assert.equal(formatOf(files), format);
      }
    });

    it(`${format.name} written, read and written again is the same, and all of it is understood`, async () => {
      for (let seed = 0; seed < runs; seed++) {
        const files = writeAtOnce(format, await randomRun(seed), context);
        const { events, problems } = format.reader!.read(files);
        assert.deepEqual(problems, [], `seed ${seed}`);
        assert.deepEqual(
          events.map((event) => Event.parse(event)),
          events,
          `seed ${seed}: events that do not fit`,
        );
        assert.deepEqual(
          events.map(({ seq }) => seq),
          events.map((_, index) => index),
        );
        assert.deepEqual(writeAtOnce(format, events, context).map(asJson), files.map(asJson), `seed ${seed}`);
        assert.deepEqual(
          format.reader!.read(files, { forDisplay: true }),
          { ...format.reader!.read(files), events: events.map(({ foreign: _, ...shown }) => shown) },
          `seed ${seed}: as displayed`,
        );
      }
    });
  }

  it('lead from any one to any other: nothing of what is written is misread, and read and written again it is the same', async () => {
    const both = writtenFormats.filter(({ reader }) => reader);
    for (let seed = 0; seed < Math.min(runs, 10); seed++) {
      const history = await randomRun(seed);
      for (const from of both) {
        const { events } = from.reader!.read(writeAtOnce(from, history, context));
        for (const to of both.filter(({ name }) => name !== 'waymark')) {
          const files = writeAtOnce(to, events, context);
          const again = to.reader!.read(files);
          assert.deepEqual(again.problems, [], `seed ${seed}: ${from.name} to ${to.name}`);
          assert.deepEqual(
            writeAtOnce(to, again.events, context).map(asJson),
            files.map(asJson),
            `seed ${seed}: ${from.name} to ${to.name}`,
          );
        }
      }
    }
  });

  for (const name of ['openai', 'mini', 'atif', 'openhands', 'waymark']) {
    it(`${name} keeps every word that was said, every call and every result`, async () => {
      const format = formatNamed(name);
      for (let seed = 0; seed < runs; seed++) {
        const history = await randomRun(seed);
        // OpenHands has no calls embedded in text.
        if (
          name === 'openhands' &&
          history.some((event) => event.type === 'agent_response' && event.written !== undefined)
        )
          continue;
        const { events } = format.reader!.read(writeAtOnce(format, history, context));
        const kept = (log: readonly Event[]): string[] => saidIn(log);
        assert.deepEqual(kept(events), kept(history), `seed ${seed}`);
      }
    });
  }

  for (const name of ['mini', 'atif']) {
    const format = formatNamed(name);
    for (const cause of FeedbackCause.options) {
      it(`${name} keeps that Waymark wrote to the model because of ${cause}`, () => {
        const history = stamped(
          taskStarted('Do it.'),
          agentResponse('I look.', { readUpTo: 0 }),
          { type: 'feedback', cause, text: 'Words of Waymark.' },
          agentResponse('Done.', { readUpTo: 2 }),
        );
        const { events } = format.reader!.read(writeAtOnce(format, history, context));
        const feedback = events.filter((event) => event.type === 'feedback');
        assert.deepEqual(
          feedback.map((event) => [event.cause, event.text]),
          [[cause, 'Words of Waymark.']],
        );
      });
    }
  }
});

/** Parsed values, because key order and time formats may differ. */
const asJson = ({ path, text }: { path: string; text: string }): unknown => ({
  path,
  lines: path.endsWith('.jsonl')
    ? text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    : JSON.parse(text),
});
