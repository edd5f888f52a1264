export const $ = id => document.getElementById(id);

export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children);
  return element;
}

/** The shop is not there, in contrast to one that refuses. */
export class Away extends Error {}

/** JSON from the shop. `also` lists statuses that are answers as well: a shop that is DOWN says so with a 503. */
export async function call(path, {also = [], patience = 10_000, ...options} = {}) {
  let answer;
  let body;
  try {
    answer = await fetch(path, {cache: 'no-store', signal: AbortSignal.timeout(patience), ...options});
    body = await answer.json();
  } catch (e) {
    if (e instanceof SyntaxError) throw new Error(`The shop answered ${answer.status}, and not why.`);
    throw new Away('The shop does not answer. Is it running?');
  }
  if (!answer.ok && !also.includes(answer.status)) {
    throw new Error(body.detail ?? `The shop answered ${answer.status}: ${body.error ?? answer.statusText}`);
  }
  return body;
}

/** Shows what goes wrong where the user looks. */
export async function attempt(problem, action) {
  problem.textContent = '';
  try {
    await action();
  } catch (e) {
    problem.textContent = e.message;
  }
}

/** Does something again and again while somebody looks. One that takes long is not overtaken by the next. */
export async function forever(pause, action) {
  for (;;) {
    if (!document.hidden) await action();
    await new Promise(resolve => setTimeout(resolve, pause));
  }
}

/** Leaves what is right alone: a live region is read out each time that it is written. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const number = value => new Intl.NumberFormat('en').format(value);

const pad = (value, length = 2) => String(value).padStart(length, '0');

/** The wall clock here: 09:30:00. */
export function clock(instant) {
  const date = new Date(instant);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(part => pad(part)).join(':');
}

/** The day and the time here: 2026-11-21 09:30:00. */
export function local(instant) {
  const date = new Date(instant);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${clock(date)}`;
}

export const milliseconds = instant => pad(new Date(instant).getMilliseconds(), 3);

export const utc = instant => new Date(instant).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** Seconds of a duration as Java writes it: PT1H2M3.5S. */
export function seconds(duration) {
  const [, hours = 0, minutes = 0, rest = 0] = /^PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?$/.exec(duration);
  return hours * 3600 + minutes * 60 + Number(rest);
}

const UNITS = [[86_400 * 365.25, 'years'], [86_400, 'days'], [3600, 'h'], [60, 'min'], [1, 's']];

/** A duration in its greatest unit: 3 min. */
export function span(inSeconds) {
  const [size, unit] = UNITS.find(([size]) => inSeconds >= size * 2) ?? UNITS.at(-1);
  return `${Math.floor(inSeconds / size)} ${unit}`;
}

export function terms(list, pairs) {
  list.replaceChildren(...pairs.map(([term, ...values]) =>
    make('div', {}, make('dt', {}, term), ...values.map(value => make('dd', {}, value)))));
}
