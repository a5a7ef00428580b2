/** The environment of a process that may be the demo, which is held to GitHub's descriptions as well. */
export const demoEnv = (args: readonly string[]): NodeJS.ProcessEnv =>
  args[0] === 'demo' ? { NODE_OPTIONS: `--import ${new URL('preload.ts', import.meta.url)}` } : {};
