import type { Condenser, CondenserParts } from '../ports/condenser';
import type { CondenserChoice } from '../ports/profile';
import { noCondenser } from './noCondenser';
import { pipeline } from './pipeline';
import { summarizing } from './summarizing';

/** ★ The condensers, each by the kind of its choice. Throws when the numbers of a choice cannot work together. */
export function condenserFor(choice: CondenserChoice, parts: CondenserParts): Condenser {
  switch (choice.kind) {
    case 'none':
      return noCondenser;
    case 'summarizing':
      return summarizing(choice, parts);
    case 'pipeline':
      return pipeline(choice.of.map((each) => condenserFor(each, parts)));
  }
}
