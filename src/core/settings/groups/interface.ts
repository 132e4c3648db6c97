import { setting } from '../setting';
import { choice, yesOrNo } from '../value';

/** What the window shows. */
export const interfaceSettings = {
  'edits.saveActions': setting({
    value: yesOrNo,
    default: true,
    words:
      'Whether VS Code does with files that the agent changes what it does with files that you save: format them (`editor.formatOnSave`), run code actions (`editor.codeActionsOnSave`), trim white space (`files.trimTrailingWhitespace`). Off: files hold what the agent wrote, unless they have unsaved changes of yours. New files, and files in Latin-1 or with mixed line ends, hold it in any case.',
    flag: { windowOnly: 'The command line writes files as the agent wrote them.' },
  }),
  'edits.apply': setting({
    value: choice({
      atOnce: 'Edits change files at once. You keep or undo them afterwards.',
      afterReview: 'Edits change no file until you apply them in the Changes view.',
    }),
    default: 'atOnce',
    words:
      'When edits of the agent change files. `afterReview` holds back the edits of its tools; the agent is told so, and reads its files as edited. Its commands are not held back: they change files at once, and run on the files without the edits that wait.',
    flag: {
      name: '--apply-edits',
      argument: '<when>',
      words: 'when edits change files: atOnce, or afterReview, which holds them back for "waymark apply"',
    },
  }),
  followAgent: setting({
    value: yesOrNo,
    default: false,
    words:
      'Whether each file that the agent edits in the session that you look at is opened in a preview tab. The keyboard focus stays where it is. `Waymark: Follow the Agent` turns it on and off.',
    flag: { windowOnly: 'The command line has no editor.' },
  }),
  'notifications.approval': setting({
    value: yesOrNo,
    default: true,
    words:
      'Show a notification in the window when an action waits for approval and you do not look at its session. The badge of the Approvals view shows it in any case. VS Code passes no notifications of extensions to the operating system.',
    flag: { windowOnly: 'The command line asks at the terminal.' },
  }),
  'notifications.question': setting({
    value: yesOrNo,
    default: true,
    words: 'Show a notification in the window when the agent asks a question and you do not look at its session.',
    flag: { windowOnly: 'The command line asks at the terminal.' },
  }),
  'notifications.end': setting({
    value: yesOrNo,
    default: true,
    words: 'Show a notification in the window when a run ends and you do not look at its session.',
    flag: { windowOnly: 'The command line ends with the run.' },
  }),
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
