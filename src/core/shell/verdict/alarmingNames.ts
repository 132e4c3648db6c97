import { anyOf } from '../../text/alternatives';

/** Parts of script names that suggest effects beyond this machine, or effects that cannot be undone. */
const alarming = anyOf(
  [
    /^env$/,
    'printenv deploy release publish prod reset push upload destroy delete drop wipe nuke purge',
    'erase rollback teardown',
    /ship(?!ping|ment)/,
    'install',
    /migrate[:-](down|undo|fresh|reset)/,
    /sync-?(db|prod|remote)/,
    'evil sudo sign',
    /notari[sz]e/,
    'token secret credential bootstrap',
    /migrate \S+ zero/,
    /(^| )(tinker|dbshell|shell|shell_plus|console|runner)( |$)/,
    'provision backup restore',
    /post-?merge/,
    'eject',
  ],
  'i',
);

/** Other words that contain one of these parts: "reproduce" contains "prod". */
const otherWords = anyOf(
  [
    /re-?produc\w*/,
    /produc(?!tion)\w*/,
    /prodig\w*/,
    /preset/,
    /drop-?(down|out|let|na)/,
    /(rain|back|tear|air|snow|eaves)drop/,
    /drag[-_]?(and|n)?[-_]?drop/,
    /swipe/,
    /(relation|member|owner|leader|friend|partner|scholar|citizen|intern|author|sponsor|dealer|fellow)ships?/,
    /(space|star|air|war|battle|town|hard|wor)ships?/,
    /install?ment/,
    'devil pseudo sudoku',
    /((?<!co)de|as|con|en)sign/,
    /sign(al|post|ific|ify|atures?(?![a-z]))/,
    /sign[-_]?(in|up|out)(?![a-z])/,
    /(un)?signed(?![a-z])/,
    /tokeni[sz]/,
    /(count|max|num)[-_]?tokens?(?![a-z])/,
    /tokens?[-_]?(count|usage|budget|length|limit)/,
    'secretar',
    /provisional/,
    /[rd]eject/,
  ],
  'gi',
);

/** Tests of a thing do not do it. */
const testFile = /(?<![^/])test_\w+\.py$|[._-](test|spec)s?\.[cm]?[jt]sx?$/;

/** Returns whether the name of a script, with its arguments, suggests that running it needs approval. */
export function isAlarmingName(name: string): boolean {
  const words = name.split(' ').filter((word) => !testFile.test(word) && !/^--?release$/.test(word));
  return alarming.test(words.join(' ').replace(otherWords, '-'));
}
