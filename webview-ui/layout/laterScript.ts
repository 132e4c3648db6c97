import { signal, type ReadonlySignal } from '@preact/signals';

// Only available while the script itself runs.
const own = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);

interface Policy {
  createScriptURL(url: string): string;
}
interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}
let policy: Policy | undefined;
/** Allows the scripts below, for browsers that require a Trusted Types policy. */
function trustedUrl(url: string): string {
  policy ??= (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('waymark', {
    createScriptURL: (each) => each,
  });
  return policy?.createScriptURL(url) ?? url;
}

/** A script that is loaded on first use. It is next to the panel's own script and subject to the same policy. */
interface LaterScript<Given> {
  /** What the script gives. Undefined until it is loaded. */
  readonly loaded: ReadonlySignal<Given | undefined>;
  load(): void;
}

/** `global`: the name under which the script leaves what it gives. */
export function laterScript<Given>(file: string, global: string): LaterScript<Given> {
  const loaded = signal<Given | undefined>(undefined);
  let isRequested = false;
  return {
    loaded,
    load() {
      if (isRequested || !own) return;
      isRequested = true;
      const script = document.createElement('script');
      script.nonce = own.nonce;
      script.src = trustedUrl(new URL(file, own.src).href);
      script.onload = () => {
        loaded.value = (globalThis as Record<string, unknown>)[global] as Given;
      };
      document.head.append(script);
    },
  };
}
