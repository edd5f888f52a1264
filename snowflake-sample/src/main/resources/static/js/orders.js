import {$, attempt, call, local, make, say} from './common.js';
import {lookInto} from './look.js';

const LENGTH = 10;
const RETRY = 5_000;

const PLACED = `Placed (${Intl.DateTimeFormat().resolvedOptions().timeZone})`;

/** The IDs before which the pages up to this one begin; null for the page of the newest orders. */
let begins = [null];
let older = null;
let retry;

function row(order) {
  const cell = (label, ...content) => make('td', {role: 'cell', 'data-label': label}, make('span', {}, ...content));
  const look = make('button', {type: 'button', 'aria-label': `Decode ${order.id}`}, 'Decode');
  look.addEventListener('click', () => lookInto(order.id));
  const total = cell('Total', Number(order.total).toFixed(2));
  total.className = 'number';
  return make('tr', {role: 'row'},
    cell('Order', make('a', {href: `/orders/${order.id}`, class: 'code'}, order.id)),
    cell('Number', order.number ?? ''),
    cell(PLACED, local(order.placedAt)),
    cell('Customer', order.customer),
    cell('Items', order.lines.map(line => `${line.quantity} × ${line.product}`).join(', ')),
    total,
    cell('ID', look));
}

/** Uses aria-disabled, because a disabled button would lose the focus when it is pressed. */
function enable(button, enabled) {
  button.setAttribute('aria-disabled', !enabled);
}

async function list() {
  clearTimeout(retry);
  try {
    const before = begins.at(-1);
    const page = await call(`/orders/newest?limit=${LENGTH}` + (before ? `&before=${before}` : ''));
    older = page.older;
    $('orders').replaceChildren(...page.orders.map(row));
    $('orders').closest('table').hidden = page.orders.length === 0;
    say($('page'), page.orders.length === 0 ? 'No orders yet: place the first one.' : `Page ${begins.length}`);
    say($('ordersProblem'), '');
  } catch (e) {
    older = null;
    say($('ordersProblem'), `${e.message} Retrying.`);
    retry = setTimeout(list, RETRY);
  }
  enable($('newer'), begins.length > 1);
  enable($('older'), older !== null);
}

async function turn(button, change) {
  if (button.getAttribute('aria-disabled') === 'true') return;
  change();
  await list();
}

const place = () => attempt($('placeProblem'), async () => {
  $('placed').textContent = '';
  const {customer, ...line} = Object.fromEntries(new FormData($('place')));
  const order = await call('/orders', {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({customer, lines: [line]})});
  $('placed').replaceChildren('Placed: ', make('a', {href: `/orders/${order.id}`, class: 'code'}, order.id));
  begins = [null];
  await list();
  $('orders').firstElementChild?.classList.add('new');
});

export function start() {
  $('place').addEventListener('submit', event => {
    event.preventDefault();
    place();
  });
  $('newer').addEventListener('click', () => turn($('newer'), () => begins.pop()));
  $('older').addEventListener('click', () => turn($('older'), () => begins.push(older)));
  $('placedAt').textContent = PLACED;
  list();
}
