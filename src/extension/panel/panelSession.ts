import * as vscode from 'vscode';
import type { Image } from '../../protocol/events/event';
import type { FromPanel, ModelOffer, PanelFacts } from '../../protocol/panel/panel';
import type { LiveSession } from '../sessions/liveSession';
import type { MessageExtras, Composing } from '../context/composing';
import type { ModelService } from '../models/modelService';
import type { OpenSessions } from '../sessions/openSessions';
import { sessionFrom } from '../sessions/sessionFrom';
import type { ShownSession } from '../sessions/shownSession';
import type { Draft } from './draft';
import type { ShownContent } from './panelChannel';
import type { PanelOutlet } from './panelOutlet';
import type { TaskStart } from './taskStart';

type FromPanelOf<Type extends FromPanel['type']> = Extract<FromPanel, { type: Type }>;

interface PanelSessionParts {
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
  readonly models: ModelService;
  readonly tasks: TaskStart;
  readonly composing: Composing;
  readonly outlet: PanelOutlet;
  readonly draft: Draft;
  /** State of the session on display. */
  facts(): PanelFacts;
  /** Detects changes that another window or a terminal undid. The model is told before its next reply. */
  refreshChanges(): Promise<void>;
  /** Starts the tasks that waited for a model, each in its place. */
  startWaiting(): Promise<void>;
}

/** Handles what the user sends to the session on display. */
export class PanelSession {
  constructor(private readonly parts: PanelSessionParts) {}

  /** Returns what the panel shows. */
  content(): ShownContent {
    const { shown, facts } = this.parts;
    const { live, history, id = '' } = shown;
    const { pastes, pictures } = this.parts.draft;
    return { id, history, draft: this.draft, pastes, pictures, inFlight: live?.inFlight.deltas ?? [], facts };
  }

  /** Sends a message to the session, or starts a new session with it as the task. */
  async say(
    text: string,
    { delivery, instead, ...extras }: MessageExtras & Pick<FromPanelOf<'send'>, 'delivery' | 'instead'> = {},
  ): Promise<void> {
    const { sessions, shown, tasks, composing, outlet } = this.parts;
    const session = await shown.openedSession();
    if (!session?.settings) {
      await tasks.startInChosenPlace(text, extras);
      return;
    }
    if (!session.writable) throw new Error(session.problem);
    if (!(await sessions.useChosenModel(session)))
      return outlet.giveBack(text, new Error(vscode.l10n.t('No model chosen.')));
    const composed = session.settings?.mode === 'human' ? { text } : await composing.compose(text, extras);
    if (!composed) return;
    // The queued message may have been sent from another place meanwhile; do not send it twice.
    const { waiting } = session.conversation;
    if (instead && (instead.session !== session.id || !waiting.some(({ event }) => event.seq === instead.message)))
      throw new Error(vscode.l10n.t('Not sent: the queued message was sent or removed elsewhere.'));
    if (!session.conversation.running) await this.parts.refreshChanges();
    session.conversation.say(composed.text, {
      ...composed,
      ...(delivery && { delivery }),
      ...(instead && { instead: instead.message }),
    });
  }

  /** Changes a queued message, unless the agent has already read it. */
  async changeQueue(queued: FromPanelOf<'queue'>): Promise<void> {
    const session = await this.parts.shown.openedSession();
    if (session?.id !== queued.session || !session.writable) return;
    const isDone = changeQueued(session.conversation, queued);
    const late = vscode.l10n.t('The agent has read this message already.');
    if (!isDone) this.parts.outlet.giveBack('', new Error(late));
  }

  /** Answers a question. If it is no longer open, the text goes back to the composer. */
  async answer(actionId: string, text: string): Promise<void> {
    const { sessions, shown, outlet } = this.parts;
    const session = await shown.openedSession();
    if (!session?.writable || !(await sessions.useChosenModel(session))) {
      const unsent = vscode.l10n.t(
        'The answer was not sent: no model is chosen, or another window works on this session.',
      );
      return outlet.giveBack(text, new Error(unsent));
    }
    if (session.conversation.answer(actionId, text)) return;
    const late = vscode.l10n.t('The question is closed. Send the text as a message instead.');
    outlet.giveBack(text, new Error(late));
  }

  /** Continues from another candidate in a new session, and shows that. */
  async continueFrom(which: { readonly seq: number; readonly index: number }): Promise<void> {
    const { sessions, shown } = this.parts;
    const current = await shown.openedSession();
    if (!current) return;
    const session = await sessionFrom(current, which, sessions);
    await shown.show(session);
    if (await sessions.useChosenModel(session)) session.conversation.wake();
  }

  /** Continues the intact part of the session on display in a new session. */
  async salvage(): Promise<void> {
    const { sessions, shown } = this.parts;
    const session = await shown.openedSession();
    if (session?.intactCount) await shown.showStored(await sessions.salvage(session));
  }

  /** Lets the user choose a model, then starts the tasks that waited for one. Returns false if the user cancelled. */
  async chooseModel(offer?: ModelOffer['id']): Promise<boolean> {
    const { sessions, shown, models } = this.parts;
    if (!(await models.choice.choose(offer))) return false;
    const { live } = shown;
    if (live?.writable && live.settings) await sessions.useChosenModel(live);
    await models.refresh();
    await this.parts.startWaiting();
    return true;
  }

  /** Offers the available models if none is chosen or a task waits for one. */
  async welcome(): Promise<void> {
    const { models, tasks, outlet, facts } = this.parts;
    if (models.current && tasks.waiting === undefined) return;
    outlet.post({ type: 'welcome', offers: await models.choice.offers(), facts: facts() });
  }

  get draft(): string {
    return this.parts.draft.text;
  }

  /** Stores the unsent text for the next time the view opens. `pastes`, `pictures`: absent if unchanged. */
  async keepDraft(text: string, pastes?: readonly string[], pictures?: readonly Image[]): Promise<void> {
    const { draft } = this.parts;
    if (pictures) draft.pictures = pictures;
    await draft.keep(text);
    if (pastes) await draft.keepPastes(pastes);
  }
}

/** Changes a waiting message. Returns false if the agent has read it already. */
function changeQueued(
  conversation: LiveSession['conversation'],
  { message, change, before }: FromPanelOf<'queue'>,
): boolean {
  switch (change) {
    case 'moved':
      return conversation.move(message, before);
    case 'put_back':
      return conversation.putBack(message);
    case 'sent_now':
      return conversation.sendNow(message);
    case 'held':
    case 'taken_back':
      return conversation.takeBack(message, change);
  }
}
