import { hasInvisible } from '../../../protocol/plain/invisible';
import { anyOf, sequence } from '../../text/alternatives';

/** Wordings refused in a note, because every later session would read them as instructions. */
const wordings: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  {
    pattern: sequence(
      [
        /\b(ignore|disregard|forget|override)\b.{0,40}/,
        /\b(previous|prior|above|earlier|all|any|your|the|system)\b.{0,30}/,
        /\b(instructions?|rules?|prompts?|guidelines?|restrictions?)\b/,
      ],
      'is',
    ),
    what: 'it says to ignore instructions',
  },
  {
    pattern:
      /\byou are (now|no longer)\b|\bact as (if|though) you\b|\bpretend (to be|that you)\b|\bnew (system )?(instructions?|prompt)\s*:/i,
    what: 'it changes the role of the agent',
  },
  {
    pattern: anyOf(
      [
        /\b(do not|don't|never) (tell|inform|mention|reveal|show|ask)\b.{0,20}\b(the )?(user|person|human)\b/,
        /\bwithout (asking|telling|informing|confirm)/,
      ],
      'i',
    ),
    what: 'it hides something from the user',
  },
  {
    pattern:
      /<\/?(system|assistant|user|tool|instructions?)\b[^<>]*>|\[\/?(INST|SYS)\]|<\|[a-z_]+\|>|^#{1,3}\s*system\b/im,
    what: 'it looks like part of the chat itself',
  },
  {
    pattern: sequence(
      [
        /\b(curl|wget|fetch|nc|invoke-webrequest)\b(?:(?!\b(?:curl|wget|fetch|nc|invoke-webrequest)\b)[^\n])*/,
        anyOf([/\$\{?\w*(key|token|secret|password|credential)/, /\.env\b/, 'id_rsa', /\.ssh\b/]),
      ],
      'i',
    ),
    what: 'it sends secrets elsewhere',
  },
  {
    pattern: sequence(
      [
        /\b(cat|less|head|tail|base64|xxd|strings)\s/,
        /(?:(?!\b(?:cat|less|head|tail|base64|xxd|strings)\s)[^\n])*/,
        anyOf([/\.env\b/, 'id_rsa id_ed25519 .ssh/ .netrc .aws/credentials']),
      ],
      'i',
    ),
    what: 'it reads secrets',
  },
];

/** Returns the reason why a note must not be saved, or undefined. */
export const injectionIn = (note: string): string | undefined =>
  hasInvisible(note.replace(/[\t\n\r]/g, ' '))
    ? 'it contains invisible characters'
    : wordings.find(({ pattern }) => pattern.test(note) || pattern.test(note.normalize('NFKC')))?.what;
