/** The address of the HTTP server if the configuration leaves it open. */
export const httpDefaults = { host: '127.0.0.1', port: 8080 } as const;

/** A side may ask for a pause of an hour. */
export const readyLagMinutes = 65;
