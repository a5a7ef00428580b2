const isPage = (text: string): boolean => /^\s*(?:<!doctype\s+html|<html|<\?xml)/iu.test(text);

/** What the pages of Cloudflare, Anubis, AWS, Imperva and others say or load. */
const words =
  /just a moment|attention required|checking your browser|making sure you.{1,6}re not a bot|you are (?:a )?human|are you a robot|unusual traffic|enable javascript and cookies|challenge-platform|cf[-_]chl|anubis|captcha|awswaf|incapsula|pardon our interruption/iu;

/** Whether an answer is the page on which a visitor has to prove to be a person, which no program can. */
export const isBotCheck = (answer: unknown): boolean =>
  typeof answer === 'string' && isPage(answer) && words.test(answer);

export const botCheckInWords =
  'the page of a bot check instead of JSON; ask its administrator to let the requests of this machine through';
