export function packVsix(options: { readonly target: string; readonly outdir?: string }): Promise<string>;
