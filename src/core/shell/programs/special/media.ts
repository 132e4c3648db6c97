import { note, refuse } from '../../effects/scope';
import type { Judge } from '../../calls/manual';

/** Names of files that stand for other things: addresses, lists of files, programs, formats that read or run what they name. */
const standsForMore =
  /^[a-z][a-z0-9+.-]+:(?!\w+$)|^\w*:\/|:\/\/|^@|=@|^\||`|\b(movie|subtitles|sendcmd|zmq|lavfi|concat|ladspa|lv2|frei0r|drawtext|tee)\b|\b(msl|mvg|ephemeral|url|text|label|caption|vid|epdf|inline|clipboard|win|x|show):/i;

/** Programs for pictures, sound and documents, whose words can name more than files. */
export const judgeMedia: Judge = ({ words, scope }) => {
  for (const { text, source } of words)
    if (!/^-[\w:]+$/.test(text) && standsForMore.test(text))
      refuse(scope, source, 'It can make the program read, fetch or run something else.');
  return undefined;
};

/** Shows or checks keys; everything else uses, makes or gives them away. */
export const judgeKeysOnlyShown: Judge = ({ words, scope, whole, manual }) => {
  const shows =
    words.some(({ text }) => /^(--verify|--list-keys|--version|--fingerprint|-k|-l[fv]*)$/.test(text)) &&
    !words.some(({ text }) => /secret|^-[A-Za-z]*[sdaerK]$|export|import|keyserver|homedir|options/.test(text));
  if (!shows) {
    refuse(scope, whole, manual.reason!);
    return 'done';
  }
  note(scope, 'medium', whole, 'It shows or checks keys.');
  return words.every(({ kind, text }) => kind === 'literal' && !/^[~/]|\.\.\//.test(text)) ? 'done' : undefined;
};
