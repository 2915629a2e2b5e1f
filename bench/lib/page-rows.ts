import { goals, type loadGoals } from './goals.ts'
import type { LoadCost, PeerCost, StaticCost } from './page-load.ts'
import type { PageStreamCost } from './page-stream.ts'
import type { ThreadsCost } from './page-threads.ts'
import type { Row } from './table.ts'

const atMost = (goal: number) => ({ goal: { most: goal } })

export function loadRows(cost: LoadCost, floor: StaticCost, goal: (typeof loadGoals)[keyof typeof loadGoals]): Row[] {
  const { css, requests, blockingMs, workSeconds, callsBeforeContent, callsOnReload, shellMs } = goals.page
  return [
    { what: 'JavaScript по сети, кБ', ours: cost.js, ...atMost(goal.js), isExact: true },
    { what: 'из него до того, как можно писать, кБ', ours: cost.jsFirst },
    { what: 'CSS, кБ', ours: cost.css, ...atMost(css), isExact: true },
    { what: 'шрифты, кБ', ours: cost.fonts, isExact: true },
    { what: 'всего, кБ', ours: cost.all, floor: floor.all },
    { what: 'запросов', ours: cost.requests, floor: floor.requests, ...atMost(requests), isExact: true },
    { what: 'вызовов API до показа', ours: cost.callsBefore, ...atMost(callsBeforeContent), isExact: true },
    { what: 'главное нарисовано (LCP), мс', ours: cost.lcp, floor: floor.lcp, goal: goal.lcp },
    { what: 'страница занята (TBT), мс', ours: cost.blocking, floor: floor.blocking, ...atMost(blockingMs) },
    { what: 'поле готово, мс', ours: cost.ready },
    { what: 'CPU страницы до этого, с', ours: cost.workFirst, ...atMost(workSeconds) },
    { what: 'CPU страницы, с', ours: cost.work, floor: floor.work },
    { what: 'вызовов API при перезагрузке', ours: cost.calls, ...atMost(callsOnReload), isExact: true },
    { what: 'второй визит: первое нарисовано, мс', ours: cost.again, floor: floor.again, ...atMost(shellMs) },
    { what: 'без сети: первое нарисовано, мс', ours: cost.offline, ...atMost(shellMs) },
  ]
}

/** Another product and our empty chat, as the floor of the table. */
export function peerRows(peer: PeerCost, ours: LoadCost): Row[] {
  const row = (what: string, take: (cost: PeerCost) => number) => ({ what, ours: take(peer), floor: take(ours) })
  return [
    row('JavaScript по сети, кБ', (cost) => cost.js),
    row('всего, кБ', (cost) => cost.all),
    row('запросов', (cost) => cost.requests),
    row('главное нарисовано (LCP), мс', (cost) => cost.lcp),
    row('страница занята (TBT), мс', (cost) => cost.blocking),
    row('поле готово, мс', (cost) => cost.ready),
    row('CPU страницы, с', (cost) => cost.work),
    row('второй визит: первое нарисовано, мс', (cost) => cost.again),
  ]
}

export function streamRows(ours: PageStreamCost, floor: PageStreamCost): Row[] {
  const { scriptCpu, longestMs, droppedTimesFloor, secondsAfterFloor, calls } = goals.stream
  const both = (what: string, take: (cost: PageStreamCost) => number) => ({
    what,
    ours: take(ours),
    floor: take(floor),
  })
  return [
    { ...both('CPU скриптов, с', (cost) => cost.scriptCpu), ...atMost(scriptCpu) },
    both('CPU страницы целиком, с', (cost) => cost.allCpu),
    { ...both('самая долгая задача, мс', (cost) => cost.longest), ...atMost(longestMs) },
    { ...both('самая долгая по работе, мс', (cost) => cost.longestCpu), ...atMost(longestMs) },
    both('задач дольше 50 мс', (cost) => cost.longTasks),
    { ...both('пропущено кадров', (cost) => cost.dropped), goal: { timesFloor: droppedTimesFloor } },
    { ...both('ответ показан целиком через, с', (cost) => cost.seconds), ...atMost(floor.seconds + secondsAfterFloor) },
    both('из них до вопроса модели, с', (cost) => cost.beforeModel),
    both('и после её последнего кусочка, с', (cost) => cost.afterModel),
    { what: 'вызовов API на вопрос', ours: ours.calls, ...atMost(calls), isExact: true },
  ]
}

export function threadRows(cost: ThreadsCost): Row[] {
  const { openMs, cachedMs, idlePercent } = goals.threads
  return [
    { what: 'от щелчка до показа, мс', ours: cost.opening.felt, ...atMost(openMs) },
    { what: 'работа страницы за это время, мс', ours: cost.opening.worked },
    { what: 'вернуться в неё, мс', ours: cost.switching.felt, ...atMost(cachedMs) },
    { what: 'работа страницы при возвращении, мс', ours: cost.switching.worked },
    { what: 'вкладка без дела, % процессора', ours: cost.idle * 100, ...atMost(idlePercent) },
  ]
}
