/** Whether a login is the given one: neither side tells logins apart by case. */
export const isLogin = (login: string | undefined, own: string): boolean => login?.toLowerCase() === own.toLowerCase();
