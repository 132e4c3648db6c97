import { wordsFrom } from '../../base/text';
import { inspectorEnglish } from './english';

export const { text: say, counted: sayCounted } = wordsFrom(inspectorEnglish);
