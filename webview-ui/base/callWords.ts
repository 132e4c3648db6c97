import { tokens } from './format';
import { wordsFrom } from './text';
import { callEnglish } from './callEnglish';

export const { text: callText, counted: callCounted } = wordsFrom(callEnglish);

/** Formats a context size: "about 12k tokens in this request". */
export const contextWords = ({ tokens: n, measured }: { tokens: number; measured: boolean }): string =>
  callText(measured ? 'call.context.words' : 'call.context.estimated', { n: tokens(n) });
