import type { MentionName } from '../../core/context/mentions';
import { problemsMention, selectionMention, symbolMention } from './editorMentions';
import { fileMention, folderMention } from './fileMention';
import { resourceMention } from './mcpMention';
import { gitMention } from './gitMention';
import type { MentionKind } from './mentionKind';
import { sessionMention, terminalMention, urlMention } from './otherMentions';

/** ★ Kinds of mentions, in the order in which they are suggested. */
export const mentionKinds: Readonly<Record<MentionName, MentionKind>> = {
  file: fileMention,
  folder: folderMention,
  selection: selectionMention,
  problems: problemsMention,
  terminal: terminalMention,
  git: gitMention,
  symbol: symbolMention,
  url: urlMention,
  session: sessionMention,
  resource: resourceMention,
};
