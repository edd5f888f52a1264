export const $ = id => document.getElementById(id);

export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children);
  return element;
}

/** Thrown if the shop does not respond, in contrast to a response with an error. */
export class NoResponse extends Error {}

/** Fetches JSON from the shop. `also` lists error statuses that are valid responses: health responds with 503 while it is DOWN. */
export async function call(path, {also = [], patience = 10_000, ...options} = {}) {
  let answer;
  let body;
  try {
    answer = await fetch(path, {cache: 'no-store', signal: AbortSignal.timeout(patience), ...options});
    body = await answer.json();
  } catch (e) {
    if (e instanceof SyntaxError) throw new Error(`The shop responded with ${answer.status} and no details.`);
    throw new NoResponse('The shop does not respond. Is it running?');
  }
  if (!answer.ok && !also.includes(answer.status)) {
    throw new Error(body.detail ?? `The shop responded with ${answer.status}: ${body.error ?? answer.statusText}`);
  }
  return body;
}

/** Runs an action and shows its error next to the control that started it. */
export async function attempt(problem, action) {
  problem.textContent = '';
  try {
    await action();
  } catch (e) {
    problem.textContent = e.message;
  }
}

/** Repeats an action while the page is visible. The next run starts after the previous one has ended. */
export async function forever(pause, action) {
  for (;;) {
    if (!document.hidden) await action();
    await new Promise(resolve => setTimeout(resolve, pause));
  }
}

/** Sets a text only if it changes, because screen readers announce a live region each time it is written. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const number = value => new Intl.NumberFormat('en').format(value);

const pad = (value, length = 2) => String(value).padStart(length, '0');

/** Formats an instant as local time: 09:30:00. */
export function clock(instant) {
  const date = new Date(instant);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(part => pad(part)).join(':');
}

/** Formats an instant as local date and time: 2026-11-21 09:30:00. */
export function local(instant) {
  const date = new Date(instant);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${clock(date)}`;
}

export const milliseconds = instant => pad(new Date(instant).getMilliseconds(), 3);

export const utc = instant => new Date(instant).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** Returns the seconds of a duration in the notation of Java: PT1H2M3.5S. */
export function seconds(duration) {
  const [, hours = 0, minutes = 0, rest = 0] = /^PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?$/.exec(duration);
  return hours * 3600 + minutes * 60 + Number(rest);
}

const UNITS = [[86_400 * 365.25, 'years'], [86_400, 'days'], [3600, 'h'], [60, 'min'], [1, 's']];

/** Formats a duration in its largest suitable unit: 3 min. */
export function span(inSeconds) {
  const [size, unit] = UNITS.find(([size]) => inSeconds >= size * 2) ?? UNITS.at(-1);
  return `${Math.floor(inSeconds / size)} ${unit}`;
}

export function terms(list, pairs) {
  list.replaceChildren(...pairs.map(([term, ...values]) =>
    make('div', {}, make('dt', {}, term), ...values.map(value => make('dd', {}, value)))));
}
