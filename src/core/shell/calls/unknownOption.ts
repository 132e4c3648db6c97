import { type Value, splitWords } from '../syntax/value';

/** Parts of option names that may load, run, write, send or delete, or choose what does. */
const weighty = new Set(
  splitWords(`
    exec executable execute run runner cmd command shell sh script scripts plugin plugins load loader preload
    require import imports eval expression config configfile conf cfg rc rcfile init hook hooks setup global
    reporter reporters formatter format transform transformer resolver resolve env environment path paths dir
    directory root rootdir chdir cwd out output outdir outfile file files write log logs logfile save dump
    report to into prefix home user users host hostname listen bind address port proxy registry url uri urls
    remote server upload push publish deploy install installer agent javaagent classpath module modules lib
    library link linker wrapper tool tools toolexec compiler cc ld as engine driver pager editor browser open ui
    inspect inspector debug debugger interactive watch force delete remove rm clean reset prune purge overwrite
    yes allow unsafe insecure trust trusted verify sudo privileged root owner mode perm permission key keys cert
    token auth cred credentials secret password pass login socket unix pack conv diff ext extension extensions
    template include source sources macro define set option options opts jvmargs jvm xmx arg args flag flags
    with use via from input stdin pipe filter stylesheet daemon detach background fork spawn start call invoke
    action apply patch fix migrate seed drop update upgrade add create store data db database unstable
    experimental override profile profiling trace basetemp prompt macros image mount volume network context
    namespace cluster project package packages workspace target pastebin record share tunnel dashboard telemetry
    submit send post webhook notify mail email expose place inplace enable disable activate deactivate register
    unregister uninstall restart stop kill erase wipe destroy restore repair rename rewrite unset
  `),
);

/**
 * Returns whether an unlisted option of a read-only program may be medium: neither its name nor its value suggests
 * another effect. Single letters tell nothing.
 */
export function looksHarmless(name: string, value: Value | undefined): boolean {
  const parts = /^--?([A-Za-z][\w.-]+)$/
    .exec(name)?.[1]
    ?.replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]/);
  if (!parts || (!name.startsWith('--') && !name.startsWith('-D'))) return false;
  return (
    parts.every((part) => !weighty.has(part)) &&
    (value === undefined ||
      (value.kind === 'literal' && /^\w[\w.,:* -]*$|^$/.test(value.text) && !value.text.includes('..')))
  );
}
