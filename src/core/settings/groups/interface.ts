import { setting } from '../setting';
import { choice } from '../value';

/** What the window shows. */
export const interfaceSettings = {
  provenance: setting({
    value: choice({
      onHover: 'In the hover of a line that the agent wrote.',
      on: 'In the hover, and as a bar beside each line that the agent wrote.',
      off: 'Not by itself.',
    }),
    default: 'onHover',
    words:
      'Whether the editor shows which step of the agent wrote a line: the step, its reason, the command or edit, the model, and who approved it. `Waymark: Show Step for This Line` and `Waymark: Agent Blame` work in any case.',
    flag: { windowOnly: 'The command line has no editor in which lines could be marked.' },
  }),
};
