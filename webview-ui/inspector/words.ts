import { wordsFrom } from '../text';
import { inspectorEnglish } from './english';

export const { text: say, counted: sayCounted } = wordsFrom(inspectorEnglish);
