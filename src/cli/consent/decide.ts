import type { Conversation } from '../../core/session/conversation';
import type { OpenedSession } from '../../core/session/openSession';
import type { EditPreview } from '../../core/tools/files/editPreview';
import { openQuestionHash, openQuestionPlace } from '../../core/log/openActions';
import { statusOf } from '../../core/log/status';
import type { Action, RunPlace } from '../../protocol/events/event';
import { isYes, type Ask } from './ask';
import { changeLines, linesLeftOut } from '../output/changeLines';
import { stderr } from '../output/output';
import { paintFor } from '../output/paint';
import { readableInput } from '../output/readableInput';
import { riskLines } from '../output/riskLines';
import { escapeForTerminal } from '../output/escapeForTerminal';
import { commandOf } from '../../core/log/eventFacts';

/** A session whose actions the user is asked about at the terminal. */
export type AskingSession = Pick<OpenedSession, 'conversation' | 'editPreview'>;

/** Shows a pending action and asks the user at the terminal about it. Only a typed "y" or "o" counts as consent. */
export async function decide({ conversation, editPreview }: AskingSession, action: Action, ask: Ask): Promise<void> {
  const hash = openQuestionHash(action.id, conversation.history);
  const place = openQuestionPlace(action.id, conversation.history);
  const preview = await editPreview(action);
  const hasChanged = async (): Promise<boolean> =>
    preview !== undefined && JSON.stringify(await editPreview(action)) !== JSON.stringify(preview);
  stderr.write(`\n${describeAction(action, place, preview)}\n`);
  const words = (await ask(questionFor(place))).trim();
  const isAgreed = isYes(words) || (isOutside(words) && place?.outside !== undefined);
  const isOutdated = isAgreed && (await hasChanged());
  // A signal or another mode may have decided it in the meantime.
  if (statusOf(conversation.history) !== 'waiting_for_confirmation') return;
  if (isOutdated) return stderr.write('The files have changed. Nothing was decided.\n');
  switch (answerIn(words, place)) {
    case 'once':
      return void conversation.approve(action.id, { hash, outside: false });
    case 'outside':
      return void conversation.approve(action.id, { hash, outside: true });
    case 'edit':
      return edit(conversation, action, place!, ask);
    case 'all':
      return conversation.setMode('auto');
    case 'none':
      conversation.setMode('human');
      return void conversation.refuse(action.id);
    case 'refuse':
      return void conversation.refuse(action.id, isNo(words) ? {} : { comment: words });
    case 'later':
      return stderr.write('Nothing was decided.\n');
    case 'not offered':
      return stderr.write(`${words} is not offered here. Nothing was decided.\n`);
  }
}

/** What a person answers: `all` skips nearly all further questions, `none` lets them type the commands themselves. */
type Answer = 'once' | 'outside' | 'edit' | 'all' | 'none' | 'refuse' | 'later' | 'not offered';

function answerIn(words: string, place: RunPlace | undefined): Answer {
  if (words === '' || isHelp(words)) return 'later';
  if (words === '/y') return 'all';
  if (words === '/u') return 'none';
  if (isYes(words)) return 'once';
  if (isOutside(words)) return place?.outside === undefined ? 'not offered' : 'outside';
  if (isEdit(words)) return place?.editable ? 'edit' : 'not offered';
  return 'refuse';
}

const isEdit = (words: string): boolean => /^e(dit)?$/i.test(words);
const isOutside = (words: string): boolean => /^o(utside)?$/i.test(words);
/** Asks again, which shows all answers. */
const isHelp = (words: string): boolean => /^(\?|\/?h(elp)?)$/i.test(words);
const isNo = (words: string): boolean => /^no?$/i.test(words);

/**
 * Describes a pending action: exactly what runs or what it changes, why it is asked about, and where it will run. Without
 * a `preview` of what an edit changes, its input is shown.
 */
export function describeAction(action: Action, place: RunPlace | undefined, preview?: EditPreview): string {
  const { summary, risk } = action;
  const changes = preview && 'changes' in preview ? preview.changes : [];
  // The lines of a very long change are not all known. Then its input is all that shows everything.
  const isShown = changes.some(({ hunks }) => hunks.length > 0) && changes.every((each) => linesLeftOut(each) === 0);
  const input = escapeForTerminal(commandOf(action) ?? inputOf(action)).replace(/^/gm, '  ');
  return [
    escapeForTerminal(summary),
    ...(isShown ? changeLines(changes, paintFor(stderr)) : [input]),
    ...(preview && 'refused' in preview ? [`It would change nothing now: ${escapeForTerminal(preview.refused)}`] : []),
    ...riskLines(risk),
    ...(place ? [escapeForTerminal(place.words)] : []),
  ].join('\n');
}

/** Calls of other people's tools are shown exactly as they are sent. */
const inputOf = ({ input, from, effect }: Action): string =>
  from === undefined && effect === 'writes' ? readableInput(input) : JSON.stringify(input, null, 2);

type Choice = readonly [typed: string, effect: string];

function questionFor(place: RunPlace | undefined): string {
  const choices: readonly Choice[] = [
    ...placesFor(place),
    ...(place?.editable ? [['e', 'edit it first'] as const] : []),
    ['/y', 'run it, and skip nearly all further questions'],
    ['/u', 'refuse it, and type the commands yourself'],
  ];
  return `${formatChoices(choices)}\nAny other text refuses it and is sent to the agent. Enter alone decides nothing.\nRun once? `;
}

/** The most useful choice comes first: an action that failed because of the sandbox will fail there again. */
function placesFor(place: RunPlace | undefined): readonly Choice[] {
  const refuse: Choice = ['n', 'refuse it'];
  if (place?.outside === 'first') return [outsideChoice, ['y', 'run it in the sandbox again'], refuse];
  if (place?.needsNetwork) return [outsideChoice, ['y', 'run it in the sandbox, which has no network'], refuse];
  return [['y', 'run it'], refuse, ...(place?.outside === undefined ? [] : [outsideChoice])];
}

/** Answers for a command that the user wrote. */
const ownChoices = (place: RunPlace): readonly Choice[] => [
  ['y', 'run it'],
  ...(place.outside === undefined ? [] : [outsideChoice]),
];

const outsideChoice: Choice = ['o', 'run it outside the sandbox, with all rights of your account'];

const formatChoices = (choices: readonly Choice[]): string =>
  choices.map(([typed, effect]) => `  ${typed.padEnd(3)} ${effect}`).join('\n');

/** Lets the user write another command, and asks about that one. */
async function edit(conversation: Conversation, action: Action, place: RunPlace, ask: Ask): Promise<void> {
  const hash = openQuestionHash(action.id, conversation.history);
  const before = commandOf(action) ?? '';
  const isOneLine = !before.includes('\n');
  const question = isOneLine ? 'Command: ' : 'Command, in one line (it replaces all lines): ';
  const edited = (await ask(question, { prefilled: isOneLine ? before : '' })).trim();
  if (edited === '' || edited === before.trim()) return stderr.write('The command was not changed.\n');
  stderr.write(`\n  ${escapeForTerminal(edited)}\n${escapeForTerminal(place.words)}\n`);
  const words = (
    await ask(`${formatChoices(ownChoices(place))}\nAny other answer decides nothing.\nRun your command once? `)
  ).trim();
  const outside = isOutside(words) && place.outside !== undefined;
  if (!isYes(words) && !outside) return stderr.write('Nothing was decided.\n');
  conversation.approve(action.id, { hash, outside, edited });
}
