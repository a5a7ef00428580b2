/** What tests of this process sent to the sandbox GitHub, or got from there, and GitHub does not describe. */
export const undescribed = new Set<string>();
