import { computed, effect, signal, untracked } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Completion, FromPanel } from '../../src/protocol/panel/panel';
import { Icon } from '../parts/Icon';
import { ask, close, move, offered as completions, whenFits } from '../state/completion';
import { Completions, optionId } from './Completions';
import { keep, kept, post } from '../base/host';
import { addPictures, giveBack, hasPictures, pictures, takePictures } from '../base/pictures';
import { ImplementPlan, Interrupted } from './RestingRun';
import { isLongPaste, pastes, setPastes, withPastes } from '../base/pastes';
import { PasteStrip, OpenChips, OptionsChip } from './ContextChips';
import { editing, wishToEdit, type Editing } from '../state/editing';
import { PictureStrip } from '../parts/PictureStrip';
import { PlaceSelect } from './PlaceSelect';
import { along } from '../state/openParts';
import { events, facts, postOnce, question, sends, sent, sessionId, state, waiting } from '../state/store';
import type { Image } from '../../src/protocol/events/event';
import type { WaitingMessage } from '../../src/protocol/plain/waitingMessages';
import { canStop } from '../state/status';
import { text, type TextKey } from '../base/text';

/** Bytes of a dropped file that is read as text. */
const mostDropped = 500_000;
const draft = signal(kept()?.draft ?? '');
const problem = signal<string | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;
/** What is typed here is newer than what the host kept of it. */
let typedHere = false;

/** Characters of pasted texts that the host keeps, and how many texts. */
const mostKept = 1_000_000;
const mostTexts = 100;
let toldPastes = pastes.value;

/** The host keeps what is typed, and shows what would be sent with it. */
function tellDraft(): void {
  const isKept =
    pastes.value.length <= mostTexts && pastes.value.reduce((sum, pasted) => sum + pasted.length, 0) <= mostKept;
  post({
    type: 'draft',
    text: draft.value,
    ...(toldPastes !== pastes.value && { pastes: isKept ? [...pastes.value] : [] }),
    ...along(),
    ...(pictures.value.length > 0 && { pictures: pictures.value.length }),
  });
  toldPastes = pastes.value;
}

function write(words: string): void {
  draft.value = words;
  typedHere = true;
  keep({ draft: words });
  clearTimeout(timer);
  timer = setTimeout(tellDraft, words === '' ? 0 : 300); // what was taken away does not come back
}

pastes.subscribe((now) => {
  if (now === toldPastes) return;
  typedHere = true;
  clearTimeout(timer);
  timer = setTimeout(tellDraft, 0);
});

/** Whether the person types commands themselves: what is sent is run as it is written. */
const typesCommands = (): boolean =>
  facts.value?.mode === 'human' && events.value.length > 0 && question.value === undefined;

function send(delivery?: 'steer'): void {
  // What was pasted for the agent to read is no part of a command. It waits.
  const isCommand = typesCommands() && !editing.value;
  const words = isCommand ? draft.value.trim() : withPastes(draft.value.trim());
  if (!words || !facts.value?.model) return;
  const asked = question.value?.step.action.id;
  if (asked !== undefined && sent.value.has(asked)) return; // an answer is on its way; these words stay
  problem.value = undefined;
  close();
  const { value: edited } = editing;
  if (edited) {
    if (edited.waiting) sendMessage(words, delivery ?? edited.delivery, edited);
    else post({ type: 'edit_message', session: edited.session ?? '', seq: edited.seq, text: words });
    sends.value++;
    endEditing();
    return;
  }
  if (asked === undefined) {
    sendMessage(words, delivery);
  } else postOnce(asked, { type: 'answer', actionId: asked, text: words });
  sends.value++;
  if (!isCommand) setPastes([]);
  write('');
}

function sendMessage(words: string, delivery?: 'steer', edited?: Editing): void {
  const images = takePictures(words) as Extract<FromPanel, { type: 'send' }>['images'];
  post({
    type: 'send',
    text: words,
    ...(delivery && { delivery }),
    ...along(),
    ...(images?.length && { images }),
    ...(edited && isHeld(edited) && { instead: { session: edited.session ?? '', message: edited.seq } }),
  });
}

/** Whether the message that is edited still waits for that. */
const isHeld = ({ seq }: Editing): boolean => waiting.value.some(({ held, event }) => held && event.seq === seq);

/** Puts a task that is offered into the message, beside whatever was typed. */
export function takeTask(task: string): void {
  const typed = draft.value.trimEnd();
  write(typed === '' || typed === task ? task : `${typed}\n\n${task}`);
  document.getElementById('composer')?.focus();
}

let restored = false;
/** Pictures that wait until the message is edited. */
let picturesBefore: readonly Image[] = [];
/** Those of the message that is edited, before anything was added. */
let picturesOfMessage: readonly Image[] = [];

/** A message is written anew; what was typed meanwhile waits. */
function beginEditing(seq: number, words: string, queued?: WaitingMessage): void {
  // Another message stays as it was; what was typed for it stays, too.
  if (editing.value) leaveEditing(editing.value);
  editing.value = {
    session: sessionId.value,
    seq,
    text: words,
    before: draft.value,
    pastes: pastes.value,
    ...(queued && { waiting: true }),
    ...(queued?.event.delivery === 'steer' && { delivery: 'steer' }),
  };
  picturesBefore = pictures.value;
  picturesOfMessage = queued?.event.images ?? [];
  pictures.value = picturesOfMessage;
  setPastes([]);
  write(words);
  document.getElementById('composer')?.focus();
}

/** A message that waits is edited once the host holds it: then the agent cannot take it meanwhile. */
effect(() => {
  const wish = wishToEdit.value;
  const held = waiting.value.find(({ event, held: isHeldNow }) => isHeldNow && event.seq === wish?.seq);
  if (!wish || (wish.waiting && !held)) return;
  wishToEdit.value = undefined;
  untracked(() => beginEditing(wish.seq, wish.text, held));
});

/** Another session is shown, or another message is edited: this one is left, but what was typed for it stays. */
function leaveEditing({ text: first, before, pastes: pasted }: Editing): void {
  const typed = draft.value === first ? '' : draft.value;
  editing.value = undefined;
  setPastes([...pasted, ...pastes.value]);
  pictures.value = [...picturesBefore, ...pictures.value.filter((picture) => !picturesOfMessage.includes(picture))];
  picturesBefore = [];
  write([before, typed].filter(Boolean).join('\n\n'));
}

function endEditing(): void {
  const { before = '', pastes: pasted = [] } = editing.value ?? {};
  editing.value = undefined;
  setPastes(pasted);
  pictures.value = picturesBefore;
  picturesBefore = [];
  write(before);
  document.getElementById('composer')?.focus();
}

/** The message stays as it was; one that waited waits again. */
function cancelEditing(): void {
  const { value: edited } = editing;
  if (edited?.waiting && isHeld(edited))
    post({ type: 'queue', session: edited.session ?? '', message: edited.seq, change: 'put_back' });
  endEditing();
}

/** Files that were dropped: their addresses, as the Explorer and other programs name them. */
const addressesIn = (data: DataTransfer | null): string[] =>
  (data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '')
    .split(/\r?\n/)
    .filter((line) => /^(?:file|vscode-remote):/.test(line));

const dropTypes: readonly string[] = ['application/vnd.code.uri-list', 'text/uri-list', 'Files'];
const canDrop = (data: DataTransfer | null): boolean => dropTypes.some((type) => data?.types.includes(type));

/** What is no picture and has no address here comes as a text of its own. */
async function onFiles(data: DataTransfer): Promise<void> {
  const others = [...data.files].filter(({ type, size }) => !type.startsWith('image/') && size <= mostDropped);
  const read = await Promise.all(others.map((file) => file.text()));
  const texts = read.filter((words) => words !== '' && !words.includes('\0'));
  if (texts.length > 0) setPastes([...pastes.value, ...texts]);
  if (texts.length < data.files.length) problem.value = text('composer.dropRefused');
}

function onDrop(event: DragEvent): void {
  const { dataTransfer: data } = event;
  const addresses = addressesIn(data);
  if (addresses.length > 0) {
    event.preventDefault();
    post({ type: 'attach', uris: addresses });
  } else if (data && data.files.length > 0 && !hasPictures(data)) {
    event.preventDefault();
    void onFiles(data).catch((thrown: unknown) => {
      problem.value = String(thrown);
    });
  } else onPictures(event, data);
}

function onPaste(event: ClipboardEvent): void {
  const words = event.clipboardData?.getData('text/plain') ?? '';
  if (!isLongPaste(words)) return onPictures(event, event.clipboardData);
  event.preventDefault();
  setPastes([...pastes.value, words]);
}

/** Takes pictures out of what is pasted or dropped; all else goes its usual way. */
function onPictures(event: Event, data: DataTransfer | null): void {
  if (!data || !hasPictures(data)) return;
  event.preventDefault();
  void addPictures(data).then(
    (refused) => {
      problem.value = refused;
    },
    (thrown: unknown) => {
      problem.value = String(thrown);
    },
  );
}

/** Puts a choice in the place of what was typed of it. */
function complete(box: HTMLTextAreaElement, { insert, goesOn }: Completion): void {
  const { value } = completions;
  if (!value) return;
  const at = box.selectionStart;
  close();
  box.focus();
  // At once, with the caret after it: keys that come before the next frame are typed behind it.
  box.setRangeText(goesOn ? insert : `${insert} `, value.from, box.value[at] === ' ' && !goesOn ? at + 1 : at, 'end');
  write(box.value);
  if (goesOn) ask(box.value.slice(0, box.selectionStart));
}

/** Keys of the list while it is open. True where one was meant for it. */
function onListKey(event: KeyboardEvent, box: HTMLTextAreaElement): boolean {
  const { value } = completions;
  if (!value || event.shiftKey || event.ctrlKey || event.metaKey) return false;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
  else if (event.key === 'Enter' || event.key === 'Tab')
    whenFits(() => {
      const { items, chosen } = completions.value!;
      complete(box, items[chosen]!);
    });
  else if (event.key === 'Escape') close();
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** What the host puts into the composer, apart from the words that stream beside it. */
const offers = computed(() => state.value.draft);
const composed = computed(() => state.value.compose);
const inserted = computed(() => state.value.insert);

/** Where words go in. Nothing typed is lost: drafts are kept here and by the host, and a refused message comes back. */
export function Composer() {
  const box = useRef<HTMLTextAreaElement>(null);
  const offered = offers.value;
  const compose = composed.value;
  const insert = inserted.value;
  const session = sessionId.value;
  const isKnown = facts.value !== undefined;
  useEffect(() => {
    if (offered === undefined || typedHere || draft.value !== '' || pastes.value.length > 0) return;
    draft.value = offered.text;
    keep({ draft: offered.text });
    toldPastes = offered.pastes;
    setPastes(offered.pastes);
  }, [offered?.count]);
  useEffect(() => {
    if (!compose) return;
    problem.value = compose.problem;
    wishToEdit.value = undefined;
    if (compose.text === '') return;
    giveBack(compose.text.trim());
    const typed = draft.value.trim();
    write(typed && typed !== compose.text.trim() ? `${compose.text}\n\n${typed}` : compose.text);
  }, [compose?.count]);

  useEffect(() => {
    if (!insert) return;
    pictures.value = [...pictures.value, ...(insert.images ?? [])];
    const needsBlank = draft.value !== '' && !/\s$/.test(draft.value) && insert.text !== '';
    if (insert.text !== '') write(draft.value + (needsBlank ? ' ' : '') + insert.text);
    else tellDraft();
    box.current?.focus();
  }, [insert?.count]);

  useEffect(() => {
    if (isKnown && editing.value && editing.value.session !== session) leaveEditing(editing.value);
  }, [session, isKnown]);

  useEffect(() => {
    // After a reload the words are kept here, the pictures are those of the message.
    if (!isKnown || restored) return;
    restored = true;
    const message = waiting.value.find(({ event }) => event.seq === editing.value?.seq);
    if (!editing.value?.waiting || pictures.value.length > 0) return;
    picturesOfMessage = message?.event.images ?? [];
    pictures.value = picturesOfMessage;
  }, [isKnown]);

  const isShown = facts.value?.writable === true;
  useEffect(() => {
    if (document.hasFocus() && document.activeElement === document.body) box.current?.focus();
  }, [isShown]);

  const first = events.value[0];
  const begun = first?.type === 'task_started' ? first.task.trim() : undefined;
  useEffect(() => {
    // A task that waited here for a model has begun.
    if (begun !== undefined && begun === draft.value.trim()) {
      draft.value = '';
      keep({ draft: '' });
    }
  }, [session, begun]);

  const known = facts.value;
  if (!known) return null;
  if (!known.writable) {
    return (
      <div class="composer banner">
        <Icon name="lock" />
        <span>{known.problem ?? text('banner.readOnly')}</span>
        {known.salvageable && (
          <button type="button" class="link" data-testid="salvage" onClick={() => post({ type: 'salvage' })}>
            {text('banner.salvage')}
          </button>
        )}
        <button type="button" class="link" onClick={() => post({ type: 'new_session' })}>
          {text('banner.newSession')}
        </button>
      </div>
    );
  }
  const busy = known.running || known.status === 'waiting_for_confirmation';
  const typing = typesCommands();
  const talks = !typing && !question.value;
  const steers = known.running && talks;
  const placeholder = !known.model
    ? 'composer.noModel'
    : question.value
      ? 'composer.answer'
      : typing
        ? 'composer.command'
        : busy
          ? 'composer.queue'
          : events.value.length
            ? 'composer.reply'
            : 'composer.task';
  const [word, icon]: [TextKey, string] = question.value
    ? ['composer.answerButton', 'reply']
    : typing
      ? ['composer.commandButton', 'play']
      : busy
        ? ['composer.queueButton', 'clock']
        : ['composer.send', 'send'];
  const list = completions.value;
  const hasPastes = pastes.value.length > 0 && !typing;
  const off = (!draft.value.trim() && !hasPastes) || !known.model;
  return (
    <div class="composer">
      {!known.trusted && (
        <div class="banner">
          <Icon name="workspace-untrusted" />
          <span>
            {text('banner.restricted')}{' '}
            <button type="button" class="link" onClick={() => post({ type: 'command', id: 'waymark.manageTrust' })}>
              {text('banner.manageTrust')}
            </button>
          </span>
        </div>
      )}
      {known.unkept !== undefined && (
        <div class="banner warning" role="alert" data-testid="unkept">
          <Icon name="warning" />
          <span>{known.unkept}</span>
          {canStop() && (
            <button type="button" class="link" onClick={() => post({ type: 'stop' })}>
              {text('banner.stopRun')}
            </button>
          )}
        </div>
      )}
      {problem.value && (
        <div class="banner warning" role="alert">
          <Icon name="warning" />
          <span>{problem.value}</span>
          <button
            type="button"
            class="icon-button codicon codicon-close"
            aria-label={text('composer.dismiss')}
            onClick={() => {
              problem.value = undefined;
            }}
          />
        </div>
      )}
      <Interrupted />
      <ImplementPlan />
      {editing.value && (
        <div class="banner" role="status" data-testid="editing">
          <Icon name="edit" />
          <span>
            {text(
              !editing.value.waiting ? 'editing.title' : isHeld(editing.value) ? 'editing.waiting' : 'editing.gone',
            )}
          </span>
          <button type="button" class="link" data-testid="cancel-edit" onClick={cancelEditing}>
            {text('editing.cancel')}
          </button>
        </div>
      )}
      <Completions
        onTake={(item) => {
          if (box.current) complete(box.current, item);
        }}
      />
      {talks && <PictureStrip />}
      <PasteStrip
        onExpand={(words) => {
          write(draft.value === '' ? words : `${draft.value}\n${words}`);
          box.current?.focus();
        }}
      />
      {talks && <OpenChips />}
      <div class="composer-box tall">
        <textarea
          ref={box}
          id="composer"
          class={typing ? 'grow code-font' : 'grow'}
          data-testid="composer"
          rows={1}
          aria-label={text('composer.label')}
          placeholder={text(placeholder)}
          value={draft.value}
          onInput={(event) => {
            write(event.currentTarget.value);
            if (talks) ask(event.currentTarget.value.slice(0, event.currentTarget.selectionStart));
          }}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={list ? 'completions' : undefined}
          aria-activedescendant={list && optionId(list.chosen)}
          onBlur={close}
          onClick={close}
          onPaste={(event) => {
            if (talks) onPaste(event);
          }}
          onDragOver={(event) => {
            if (canDrop(event.dataTransfer)) event.preventDefault();
          }}
          onDrop={(event) => {
            if (talks) onDrop(event);
          }}
          onKeyDown={(event) => {
            if (event.isComposing || event.keyCode === 229 || event.altKey || onListKey(event, event.currentTarget))
              return;
            if (/^(?:Arrow(?:Left|Right)|Home|End|Page)/.test(event.key)) close();
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              send(steers && (event.ctrlKey || event.metaKey) ? 'steer' : undefined);
            }
            if (event.key === 'ArrowUp' && draft.value === '') {
              const last = lastWords();
              if (last) {
                event.preventDefault();
                write(last);
              }
            }
          }}
        />
        {events.value.length === 0 && <OptionsChip next={known.next} />}
        <PlaceSelect />
        <div class="composer-actions">
          {talks && (
            <button
              type="button"
              class="icon-button codicon codicon-attach"
              data-testid="attach"
              aria-label={text('composer.attach')}
              title={text('composer.attach')}
              onClick={() => post({ type: 'command', id: 'waymark.attachFiles' })}
            />
          )}
          {talks && (
            <button
              type="button"
              class="icon-button codicon codicon-eye"
              data-testid="show-context"
              aria-label={text('composer.showContext')}
              title={text('composer.showContext')}
              onClick={() => {
                clearTimeout(timer);
                tellDraft();
                post({ type: 'command', id: 'waymark.showContext' });
              }}
            />
          )}
          {steers && (
            <button
              type="button"
              class="secondary small"
              data-testid="send-now"
              aria-disabled={off}
              title={text('composer.sendNowHelp')}
              onClick={() => send('steer')}
            >
              <Icon name="send" />
              {text('composer.sendNow')}
            </button>
          )}
          <button
            type="button"
            class="primary small"
            data-testid="send"
            aria-disabled={off}
            title={text(word === 'composer.queueButton' ? 'composer.queueHelp' : word)}
            onClick={() => send()}
          >
            <Icon name={icon} />
            {text(word)}
          </button>
        </div>
      </div>
    </div>
  );
}

function lastWords(): string | undefined {
  const last = events.value.findLast((event) => event.type === 'user_message' || event.type === 'task_started');
  return last?.type === 'user_message' ? last.text : last?.type === 'task_started' ? last.task : undefined;
}
