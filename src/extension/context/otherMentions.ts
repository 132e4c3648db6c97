import * as vscode from 'vscode';
import { readEventLogInTurns } from '../../adapters/log/eventLog';
import { fetchText } from '../../adapters/net/fetchText';
import { bestMatches } from '../../core/context/bestMatches';
import { isVouchedFor } from '../../core/log/foreignLog';
import { settingsOf } from '../../core/log/runSettings';
import { withoutMiddle } from '../../core/text/withoutMiddle';
import { withoutSecrets } from '../../core/secrets/secretShapes';
import { reachOf } from '../../core/security/taint/taint';
import { dateAndTime } from '../common/dateAndTime';
import type { MentionKind } from './mentionKind';

/** Output of the last commands in the terminals of the window. */
export const terminalMention: MentionKind = {
  offer: () => ({
    label: '@terminal',
    detail: vscode.l10n.t('The last commands in the terminal and what they printed'),
    insert: '@terminal',
    icon: 'terminal',
  }),
  async resolve({ written }, { terminals }) {
    const text = await terminals.latest();
    if (text === '')
      throw new Error(
        vscode.l10n.t(
          'No terminal command found. Waymark sees commands only from shells with VS Code’s shell integration, run in this window since Waymark was first used. Run the command again, or paste its output.',
        ),
      );
    return { label: `${written}: the last commands in the terminal`, text, source: 'the terminal', trust: 'others' };
  },
};

/** Text of a web page. */
export const urlMention: MentionKind = {
  offer: () => ({
    label: '@url',
    detail: vscode.l10n.t('Text of a web page: @https://example.com'),
    insert: '@https://',
    icon: 'globe',
    goesOn: true,
  }),
  async resolve({ argument, written }) {
    const { address, text } = await fetchText(argument);
    return { label: `${written}: the page as text`, text, source: address, trust: 'others' };
  },
};

/** Messages of an earlier session. */
export const sessionMention: MentionKind = {
  offer: () => ({
    label: '@session',
    detail: vscode.l10n.t('An earlier session'),
    insert: '@session:',
    icon: 'history',
    goesOn: true,
  }),
  complete: (query, { sessions }) =>
    Promise.resolve(
      bestMatches(
        sessions
          .list()
          .filter(({ parent }) => parent === undefined)
          .slice(0, 200),
        query,
        { nameOf: ({ title, id }) => `${title} ${id}`, most: 20 },
      ).map(({ id, title, updatedAt }) => ({
        label: withoutSecrets(title),
        detail: dateAndTime(updatedAt),
        insert: `@session:${id}`,
        icon: 'history',
      })),
    ),
  async resolve({ argument, written }, { sessions }) {
    if (!sessions.list().some(({ id }) => id === argument))
      throw new Error(vscode.l10n.t('Session “{0}” not found. It may have been deleted.', argument));
    const log = await readEventLogInTurns(sessions.logOf(argument));
    const { events, foreign, problem } = log;
    // If the log was changed, what it records about the origin of its content may be forged as well.
    const vouched = (problem ?? sessions.doubtOf(argument)(log)) === undefined && isVouchedFor(events, foreign);
    const transcriptLines = events.flatMap((event) => {
      switch (event.type) {
        case 'task_started':
          return [`User, the task: ${event.task}`];
        case 'user_message':
          return [`User: ${event.text}`];
        case 'agent_response':
          return event.text.trim() ? [`Agent: ${event.text}`] : [];
        case 'finished':
          return [`The session ended (${event.status}): ${event.summary}`];
        default:
          return [];
      }
    });
    if (transcriptLines.length === 0)
      throw new Error(
        vscode.l10n.t(
          'Cannot read the session “{0}”: {1} Choose another one, or remove it.',
          argument,
          problem ?? vscode.l10n.t('it is empty.'),
        ),
      );
    const untrusted = reachOf(events)?.untrusted !== undefined;
    return {
      label: `${written}: the session "${withoutSecrets(settingsOf(events)?.title ?? argument)}"`,
      text: withoutMiddle(withoutSecrets(transcriptLines.join('\n\n')), 40_000),
      source: `session ${argument}`,
      trust: untrusted || !vouched ? 'others' : 'project',
    };
  },
};
