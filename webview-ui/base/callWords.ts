import { formatTokens } from './format';
import { wordsFrom } from './text';

/** Strings about one model call, shared by the conversation and the inspector. */
const callEnglish = {
  'call.title': 'Request and usage',
  'call.inspect': 'Open in the Inspector',
  'call.fork': 'Fork from here…',
  'call.fork.help': 'A new session continues after this step. You can restore its files, too.',
  'call.restore': 'Restore files to here…',
  'call.restore.help': 'Restores files to the end of this step. Shows first what changes and what cannot be undone.',
  'call.model': 'Model',
  'call.time': 'Time',
  'call.firstToken': 'first word after {n}',
  'call.actions': 'actions {n}',
  'call.cutOff': 'cut off at the output limit',
  'call.filtered': 'stopped by the provider’s content filter',
  'call.interrupted': 'interrupted',
  'call.ended': 'ended with “{reason}”',
  'call.tokens': 'Tokens',
  'call.tokens.words': '{in} in, {cached} of them cached, {out} out',
  'call.tokens.uncached': '{in} in, {out} out',
  'call.cost': 'Cost',
  'call.judging': '{n} of it for judging',
  'call.context': 'Context',
  'call.context.words': '{n} tokens in this request',
  'call.context.estimated': 'about {n} tokens in this request (estimate)',
  'call.person': 'typed by you; no model request',
  'call.at': 'When',
  'call.request': 'Request',
  'call.request.help': 'Model request, recomputed from the log before this step',
  'call.request.foreign': 'Context before this step, as recorded in the file',
  'call.response': 'Response',
  'call.response.help': 'As in the next request',
  'call.loading': 'Reading the log',
  'call.messages.one': '{n} message',
  'call.messages.other': '{n} messages',
  'call.tools.one': '{n} tool',
  'call.tools.other': '{n} tools',
  'call.characters': '{n} characters',
  'call.first': 'The first request',
  'call.extends': 'Continues the request of step {step}; its {n} messages are unchanged',
  'call.breaks':
    'The start differs from step {step}: the provider’s cache can serve {percent} % of that request, nothing from message {n} on',
  'call.breaks.tools': 'The tools differ from step {step}: the provider’s cache cannot be used',
  'call.same.one': '{n} message as in step {step}',
  'call.same.other': '{n} messages as in step {step}',
  'call.dropped.one': '{n} message of step {step} is omitted',
  'call.dropped.other': '{n} messages of step {step} are omitted',
  'call.more.one': '{n} more',
  'call.more.other': '{n} more',
  'call.earlier': 'Show them',
  'call.unknownTools': 'Without a definition: {names}',
  'call.state.same': 'same',
  'call.state.moved': 'moved',
  'call.state.changed': 'changed',
  'call.state.new': 'new',
  'call.changed': 'What changed in it',
  'call.whole': 'Full message',
  'call.empty': 'empty',
} as const;

export const { text: callText, counted: callCounted } = wordsFrom(callEnglish);

/** How a reply ended; undefined for the usual ends, which the step shows. Other programs record reasons of their own. */
export function endOfReply(reason: string): string | undefined {
  if (/^(?:stop|tool_calls|function_call|end_turn|tool_use)?$/.test(reason)) return undefined;
  if (/^(?:length|max_tokens)$/.test(reason)) return callText('call.cutOff');
  if (/^(?:content_filter|safety|refusal)$/.test(reason)) return callText('call.filtered');
  return reason === 'interrupted' ? callText('call.interrupted') : callText('call.ended', { reason });
}

/** Formats a context size: "about 12k tokens in this request". */
export const contextWords = ({ tokens: n, measured }: { tokens: number; measured: boolean }): string =>
  callText(measured ? 'call.context.words' : 'call.context.estimated', { n: formatTokens(n) });
