import { wordsFrom } from '../text';
import { callEnglish } from './callEnglish';

export const { text: callText, counted: callCounted } = wordsFrom(callEnglish);
